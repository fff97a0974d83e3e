/// The form in which a table of a sample is written.
public enum SampleFormat: String, CaseIterable, Sendable {
  /// Comma-separated values.
  case csv
  /// Fixed-width records, one a line.
  case txt
  /// A workbook of one sheet.
  case xlsx
  /// JSON objects, one a line.
  case ndjson
  /// One JSON array of objects.
  case json

  /// Whether it is a table of texts, which knows nothing of its values but their letters; the ways in which
  /// real files differ are about such ones.
  var isTable: Bool { self == .csv || self == .txt || self == .xlsx }

  /// Those that are tables of texts.
  public static let tables = allCases.filter(\.isTable)

  /// The format that a name's extension says; nil when it says none.
  init?(extensionOf name: String) {
    guard let point = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: name[name.index(after: point)...].lowercased())
  }

  /// A name with this format's extension in place of its own.
  func renamed(_ name: String) -> String {
    guard let format = SampleFormat(extensionOf: name) else { return name + "." + rawValue }
    return format == self ? name : name.dropLast(format.rawValue.count) + rawValue
  }
}
