/// Looks for bytes beyond ASCII, 32 bytes in one step.
enum ASCIISearch {
  /// The place of the first byte above 0x7F, from one place to before another; nil if there is none.
  static func firstBeyond(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
    let highs: UInt64 = 0x8080_8080_8080_8080
    var place = start
    while end &- place >= 32 {
      let seen =
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        | bytes.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self)
        | bytes.loadUnaligned(fromByteOffset: place &+ 16, as: UInt64.self)
        | bytes.loadUnaligned(fromByteOffset: place &+ 24, as: UInt64.self)
      if seen & highs != 0 { break }
      place &+= 32
    }
    while place < end {
      if bytes[place] >= 0x80 { return place }
      place &+= 1
    }
    return nil
  }
}
