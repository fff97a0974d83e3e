package import Values

/// A value of a source as it can be shown: UTF-8, one line, what cannot be printed escaped, cut off.
package enum ShownValue {
  /// So many characters are shown.
  package static let length = 40

  /// `encoding`: that of the bytes.
  package static func text(_ bytes: Span<UInt8>, encoding: TextEncoding) -> String {
    var open = bytes.withUnsafeBufferPointer { Array($0) }
    SocialSecurityNumber.withhold(in: &open, areNamed: false)
    return escaped(open.span, encoding: encoding)
  }

  private static func escaped(_ bytes: Span<UInt8>, encoding: TextEncoding) -> String {
    var scratch: [UInt8] = []
    var shown = ""
    switch ValueType.text.normalise(bytes, encoding: encoding, scratch: &scratch) {
    case .blank: return ""
    case .slice(let range): append(bytes.extracting(range), to: &shown)
    case .scratch: append(scratch.span, to: &shown)
    case .invalid: appendBytes(bytes, to: &shown)
    }
    guard shown.count > length else { return shown }
    return shown.prefix(length - 3) + "..."
  }

  /// What the database has as text.
  package static func text(_ value: String) -> String { text(Array(value.utf8).span, encoding: .utf8) }

  /// Names that lead somewhere, whole unless they are very long.
  package static func path(_ path: String) -> String {
    let most = 8 * length
    var shown = ""
    for scalar in path.unicodeScalars.prefix(most) { append(scalar, to: &shown) }
    return path.unicodeScalars.count > most ? shown + "..." : shown
  }

  private static func append(_ bytes: Span<UInt8>, to text: inout String) {
    // A character has four bytes at most.
    let start = bytes.extracting(0..<min(bytes.count, 8 * length))
    for scalar in start.withUnsafeBufferPointer({ String(decoding: $0, as: UTF8.self) }).unicodeScalars {
      append(scalar, to: &text)
    }
  }

  /// What is no text in its encoding: everything beyond ASCII by its number.
  private static func appendBytes(_ bytes: Span<UInt8>, to text: inout String) {
    for place in 0..<min(bytes.count, 2 * length) {
      let byte = bytes[place]
      if byte < 0x80 { append(Unicode.Scalar(byte), to: &text) } else { text += "\\x" + hex(UInt32(byte)) }
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\\": text += "\\\\"
    case "'": text += "\\'"
    default:
      switch scalar.properties.generalCategory {
      // Marks that change the direction of what follows are among the formats.
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
        text += "\\u{\(hex(scalar.value))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func hex(_ number: UInt32) -> String {
    let digits = String(number, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }
}
