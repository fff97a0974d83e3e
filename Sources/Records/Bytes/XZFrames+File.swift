import CZlib

extension XZFrames {
  /// A file of xz around what LZMA2 has packed, which libarchive reads in no other form.
  ///
  /// `size`: how many bytes come out of it, at most ``ZipDirectory/mostBytes``: so long is the dictionary.
  static func file(ofLZMA2 packed: [UInt8], size: Int) -> [UInt8] {
    let flags: [UInt8] = [0, 0]
    // Twelve bytes: their number, one filter, LZMA2 with a dictionary of 16 MiB, and zeros.
    let header: [UInt8] = [2, 0, 0x21, 1, 24, 0, 0, 0]
    let block = header + checksum(header) + packed
    let index = filled([0, 1] + number(block.count) + number(size))
    let end = little(index.count / 4) + flags
    return [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0] + flags + checksum(flags) + filled(block) + index
      + checksum(index) + checksum(end) + end + [0x59, 0x5A]
  }

  private static func filled(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    little(Int(crc32(0, bytes, UInt32(bytes.count))))
  }

  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// Seven bits a byte, the lowest first.
  private static func number(_ number: Int) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F | 0x80))
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
