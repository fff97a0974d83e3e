import CLibArchive

/// What is compressed in ways that libarchive does not write.
enum PackedFixture {
  /// A coder of a 7z as its directory has it: how long its number is, the number, and its properties.
  static let lzma: [UInt8] = [0x23, 3, 1, 1, 5, 0x5D, 0, 0, 0, 0x40]
  static let lzma2: [UInt8] = [0x21, 0x21, 1, 36]
  static let ppmd: [UInt8] = [0x23, 3, 4, 1, 5, 6, 0, 0, 0, 0x40]
  static let bcj2: [UInt8] = [0x04, 3, 3, 1, 0x1B]

  /// A stream of xz whose first block says that its dictionary is larger than it is.
  static func xz(_ packed: [UInt8], dictionary code: UInt8) throws -> [UInt8] {
    // The stream's header has 12 bytes; the block's begins with its length and ends with a checksum.
    let header = 12..<(12 + Int(packed[12]) * 4)
    guard let filter = packed[header].firstRange(of: [0x21, 1]) else {
      throw ArchiveFixture.Failure(reason: "no LZMA2")
    }
    var bytes = packed
    bytes[filter.upperBound] = code
    bytes.replaceSubrange(header.upperBound..<(header.upperBound + 4), with: number(crc32(bytes[header]), 4))
    return bytes
  }

  /// A frame of zstd whose window is said to be larger.
  static func zstd(_ packed: [UInt8], window: UInt8) -> [UInt8] {
    var bytes = packed
    bytes[5] = window
    return bytes
  }

  /// A zip with an entry compressed by LZMA.
  ///
  /// `hasChecksum`: its checksum is right.
  static func zipOfLZMA(_ bytes: [UInt8], hasChecksum: Bool = true) throws -> [UInt8] {
    // Alone it begins with its properties, and says nothing of its size.
    let alone = try ArchiveFixture.make(.lzma, [("x", bytes)])
    let data = [5, 16, 5, 0] + alone[..<5] + alone[13...]
    let name = Array("a.csv".utf8)
    let common =
      [63, 0, 2, 0, 14, 0, 0, 0, 0, 0] + number(hasChecksum ? crc32(bytes[...]) : 0, 4)
      + number(data.count, 4)
      + number(bytes.count, 4) + number(name.count, 2)
    let file = [0x50, 0x4B, 3, 4] + common + [0, 0] + name + data
    let directory =
      [0x50, 0x4B, 1, 2, 63, 3] + common + [0, 0, 0, 0, 0, 0, 0, 0] + number(0o100644 << 16, 4)
      + [0, 0, 0, 0] + name
    return file + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + number(directory.count, 4)
      + number(file.count, 4) + [0, 0]
  }

  /// A 7z of one folder, of a gigabyte.
  static func sevenZip(coder: [UInt8]) -> [UInt8] {
    let size: [UInt8] = [0xF0, 0, 0, 0, 0x40]
    return sevenZip(directory: [1, 4, 6, 0, 1, 9, 0, 0, 7, 11, 1, 0, 1] + coder + [12] + size + [0, 0, 0])
  }

  /// A 7z that says it has so many files.
  static func sevenZip(files count: Int) -> [UInt8] {
    sevenZip(directory: [1, 5, 0xF0] + number(count, 4) + [0, 0])
  }

  /// A 7z of a directory that is packed by LZMA2, as not 7-Zip but other programs pack it.
  static func sevenZip(packing directory: [UInt8]) throws -> [UInt8] {
    let file = try ArchiveFixture.make(.xz, [("x", directory)])
    // Behind the block are its checksum of eight bytes, the index, and an end that says how long that is.
    let index = file[(file.count - 8)..<(file.count - 4)].reversed().reduce(0) { $0 << 8 | Int($1) } * 4 + 4
    let filled = file[(12 + Int(file[12]) * 4 + 4)..<(file.count - 12 - index - 8)]
    let packed = Array(filled.reversed().drop { $0 == 0 }.reversed()) + [0]
    let size = { (number: Int) in [0xF0] + Self.number(number, 4) }
    let outer: [UInt8] =
      [0x17, 6, 0, 1, 9] + size(packed.count) + [0, 7, 11, 1, 0, 1, 0x21, 0x21, 1, 24, 12]
      + size(directory.count) + [0, 0]
    return sevenZip(directory: outer, behind: packed)
  }

  /// A 7z of a directory, and what is before it.
  static func sevenZip(directory: [UInt8], behind packed: [UInt8] = []) -> [UInt8] {
    let start = number(packed.count, 8) + number(directory.count, 8) + number(crc32(directory[...]), 4)
    return [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4] + number(crc32(start[...]), 4) + start + packed
      + directory
  }

  private static func number(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static let table = (0..<256 as Range<UInt32>).map { byte in
    (0..<8).reduce(byte) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
  }

  private static func crc32(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] })
  }
}
