/// How a UTF-8 sequence goes on after its first byte, by table 3-7 of the Unicode Standard.
package struct UTF8Form {
  /// How many bytes follow.
  package let continuations: Int
  /// The least that the second byte can be; later ones are from 0x80 to 0xBF.
  package let low: UInt8
  /// The most that the second byte can be.
  package let high: UInt8

  /// The form after a first byte above 0x7F; nil if none begins with it.
  package init?(lead: UInt8) {
    switch lead {
    case 0xC2...0xDF: (continuations, low, high) = (1, 0x80, 0xBF)
    case 0xE0: (continuations, low, high) = (2, 0xA0, 0xBF)
    case 0xED: (continuations, low, high) = (2, 0x80, 0x9F)
    case 0xE1...0xEF: (continuations, low, high) = (2, 0x80, 0xBF)
    case 0xF0: (continuations, low, high) = (3, 0x90, 0xBF)
    case 0xF1...0xF3: (continuations, low, high) = (3, 0x80, 0xBF)
    case 0xF4: (continuations, low, high) = (3, 0x80, 0x8F)
    default: return nil
    }
  }
}
