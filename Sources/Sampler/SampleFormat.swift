/// The form in which a table of a sample is written.
public enum SampleFormat: String, CaseIterable, Sendable {
  /// Comma-separated values.
  case csv
  /// Fixed-width records, one a line.
  case txt
  /// A workbook of one sheet.
  case xlsx

  /// The format that a name's extension tells; nil when it tells none.
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
