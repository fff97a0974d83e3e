/// Whether bytes are well-formed UTF-8 by table 3-7 of the Unicode Standard.
enum UTF8Check {
  static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      let lead = bytes[index]
      index &+= 1
      guard lead >= 0x80 else { continue }
      guard let form = Form(lead: lead), range.upperBound &- index >= form.continuations else { return false }
      // Only the second byte's range depends on the first: no overlong form, no surrogate, nothing past U+10FFFF.
      guard bytes[index] >= form.low, bytes[index] <= form.high else { return false }
      for offset in 1..<3 where offset < form.continuations {
        guard bytes[index &+ offset] & 0xC0 == 0x80 else { return false }
      }
      index &+= form.continuations
    }
    return true
  }

  /// How a sequence goes on after its first byte.
  private struct Form {
    let continuations: Int
    let low: UInt8
    let high: UInt8

    init?(lead: UInt8) {
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
}
