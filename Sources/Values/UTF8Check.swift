/// Whether bytes are well-formed UTF-8 by table 3-7 of the Unicode Standard.
enum UTF8Check {
  static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      let lead = bytes[index]
      index &+= 1
      guard lead >= 0x80 else { continue }
      guard let form = UTF8Form(lead: lead), range.upperBound &- index >= form.continuations else {
        return false
      }
      // Only the second byte's range depends on the first: no overlong form, no surrogate, nothing past
      // U+10FFFF.
      guard bytes[index] >= form.low, bytes[index] <= form.high else { return false }
      for offset in 1..<3 where offset < form.continuations {
        guard bytes[index &+ offset] & 0xC0 == 0x80 else { return false }
      }
      index &+= form.continuations
    }
    return true
  }
}
