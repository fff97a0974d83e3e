extension String {
  /// The text between quotes that leave nothing of it to YAML.
  var yaml: String {
    guard unicodeScalars.allSatisfy(\.isPlainInYAML) else {
      return "\"" + unicodeScalars.map(\.escapedInYAML).joined() + "\""
    }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// The text without what would end a comment, and what YAML does not have.
  var oneLine: String { String(String.UnicodeScalarView(unicodeScalars.map { $0.isPlainInYAML ? $0 : " " })) }
}

extension Unicode.Scalar {
  /// Whether YAML has it on a line of text: no control, no end of a line, no mark of a byte order.
  fileprivate var isPlainInYAML: Bool {
    switch value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...: true
    default: false
    }
  }

  /// What stands for it between double quotes.
  fileprivate var escapedInYAML: String {
    if self == "\"" || self == "\\" { return "\\\(self)" }
    guard !isPlainInYAML else { return "\(self)" }
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
