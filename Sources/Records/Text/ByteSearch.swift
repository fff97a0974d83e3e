import Glibc

/// Looks for the end of a line, eight bytes in one step.
enum LineEndSearch {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  private static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  /// The first line feed or carriage return at or after a place; nil if there is none.
  @inline(__always)
  static func first(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    let raw = bytes.bytes
    while bytes.count &- place >= 8 {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
      // Few bytes of a text are below the carriage return, so that one test does for both line ends.
      var low = ~((word & lows) &+ ones &* 0x72 | word) & highs
      while low != 0 {
        let found = place &+ low.trailingZeroBitCount / 8
        if isLineEnd(bytes[found]) { return found }
        low &= low &- 1
      }
      place &+= 8
    }
    while place < bytes.count {
      if isLineEnd(bytes[place]) { return place }
      place &+= 1
    }
    return nil
  }

  @inline(__always)
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The first line feed; nil if there is none.
  static func firstLineFeed(in bytes: Span<UInt8>) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress, let found = memchr(start, 0x0A, buffer.count) else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }
  }
}

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
