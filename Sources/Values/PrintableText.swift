extension String {
  /// The text as a terminal may get it: what would steer it, or turn the direction of what follows, by its
  /// number, as `\u{1b}`. Names of files and entries, and values of sources, may hold such characters.
  ///
  /// `keepsLines`: line ends and tabs stay.
  public func printable(keepsLines: Bool = true) -> String {
    // Nearly all text is plain.
    let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || keepsLines && ($0 == 0x0A || $0 == 0x09) }
    guard !isPlain else { return self }
    var shown = ""
    for scalar in unicodeScalars {
      let isKept = keepsLines && (scalar == "\n" || scalar == "\t")
      if isKept || !scalar.steersTerminals {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return shown
  }
}

extension Unicode.Scalar {
  /// Whether it would steer a terminal, or turn the direction of what follows; all of these have at most four
  /// hexadecimal digits.
  var steersTerminals: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
