import Values

/// Whether bytes are UTF-8.
enum UTF8Text {
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Whether all of the bytes are whole characters.
  static func isValid(_ bytes: Span<UInt8>) -> Bool {
    let raw = bytes.bytes
    var place = 0
    while place < bytes.count {
      // Most text is ASCII, of which eight bytes are seen at once.
      if bytes.count &- place >= 8,
        raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self) & highs == 0
      {
        place &+= 8
        continue
      }
      let lead = bytes[place]
      place &+= 1
      guard lead >= 0x80 else { continue }
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
