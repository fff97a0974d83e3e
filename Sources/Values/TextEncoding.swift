/// How a file's characters are written as bytes.
public enum TextEncoding: String, CaseIterable, Hashable, Sendable {
  /// No byte above 0x7F: the same in all the others but UTF-16.
  case ascii
  case utf8 = "utf-8"
  /// The low byte of each unit first.
  case utf16LE = "utf-16le"
  /// The high byte of each unit first.
  case utf16BE = "utf-16be"
  /// Latin-1 with quotes and dashes from 0x80 to 0x9F, where it leaves five bytes undefined.
  case windows1252 = "windows-1252"
  /// ISO 8859-1: every byte is the character of its number.
  case latin1 = "latin-1"

  /// The name in reports, the ledger and definitions, such as `windows-1252`.
  public var name: String { rawValue }

  /// Whether a byte above 0x7F is a character of its own.
  public var isEightBit: Bool { self == .windows1252 || self == .latin1 }

  /// Whether a character beyond ASCII has more than one byte.
  public var hasLongCharacters: Bool {
    switch self {
    case .utf8, .utf16LE, .utf16BE: true
    case .ascii, .windows1252, .latin1: false
    }
  }
}
