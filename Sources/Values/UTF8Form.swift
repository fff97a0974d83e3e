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

  /// Whether bytes are whole characters, all of them.
  package static func isValid(_ bytes: Span<UInt8>) -> Bool {
    let raw = bytes.bytes
    var place = 0
    while place < bytes.count {
      // Most text is ASCII, of which eight bytes are seen at once.
      if bytes.count &- place >= 8,
        raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        place &+= 8
        continue
      }
      let lead = bytes[place]
      place &+= 1
      guard lead >= 0x80 else { continue }
      // Only the second byte's range depends on the first: no overlong form, no surrogate, nothing past
      // U+10FFFF.
      guard let form = UTF8Form(lead: lead), bytes.count &- place >= form.continuations,
        bytes[place] >= form.low, bytes[place] <= form.high
      else { return false }
      for offset in 1..<3 where offset < form.continuations {
        guard bytes[place &+ offset] & 0xC0 == 0x80 else { return false }
      }
      place &+= form.continuations
    }
    return true
  }
}
