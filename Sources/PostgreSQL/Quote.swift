/// SQL quoting, in one place.
public enum Quote {
  /// An identifier in double quotes.
  public static func identifier(_ name: String) -> String {
    "\"" + name.escaping(["\""], with: "\"") + "\""
  }

  /// A name of one or more parts separated by dots, each part quoted: `cms.rvu` is `"cms"."rvu"`.
  public static func qualified(_ name: String) -> String {
    name.split(separator: ".").map { identifier(String($0)) }.joined(separator: ".")
  }

  /// A string literal; with backslashes it takes the `E''` form, so that no setting changes its meaning.
  public static func literal(_ text: String) -> String {
    let hasBackslashes = text.utf8.contains(0x5c)
    let doubled: (UInt8) -> Bool = { $0 == 0x27 || $0 == 0x5c }
    let length = text.utf8.count + text.utf8.count(where: doubled) + (hasBackslashes ? 3 : 2)
    // In one piece: texts of migrations of many megabytes are quoted.
    return String(unsafeUninitializedCapacity: length) { buffer in
      var end = 0
      func put(_ byte: UInt8) {
        buffer[end] = byte
        end += 1
      }
      if hasBackslashes { put(0x45) }
      put(0x27)
      for byte in text.utf8 {
        if doubled(byte) { put(byte) }
        put(byte)
      }
      put(0x27)
      return end
    }
  }
}

extension String {
  /// For a value between single quotes in a keyword string of libpq's.
  var keywordEscaped: String { escaping(["\\", "'"], with: "\\") }

  /// The text with a prefix before each of some characters of ASCII.
  ///
  /// Byte by byte: texts of migrations of many megabytes are quoted, and a view of scalars that grows by one
  /// takes time with the square of its length.
  func escaping(_ marks: Set<Unicode.Scalar>, with prefix: String) -> String {
    let marks = marks.map { UInt8(ascii: $0) }
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count + 16)
    for byte in utf8 {
      if marks.contains(byte) { result.append(contentsOf: prefix.utf8) }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
