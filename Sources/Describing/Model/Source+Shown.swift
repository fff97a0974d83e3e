public import Definitions

extension Source {
  /// Which entries of a bundle it is, in a line: `PPRRVU*`, or the entries of its parts.
  public var shownEntries: String {
    parts.isEmpty ? entries.text : ([entries.text] + parts.map(\.entries.text)).joined(separator: ", ")
  }

  /// What it may come as, such as `csv, txt`.
  public var shownFormats: String { formats.map(\.rawValue).joined(separator: ", ") }
}
