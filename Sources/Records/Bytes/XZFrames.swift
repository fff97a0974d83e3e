/// The streams of an xz file, their blocks, and the chunks of LZMA2 in them.
struct XZFrames: CompressedFrames {
  private enum Part {
    case magic, flags, block, filters, chunk, plainChunk
    /// One that is compressed, perhaps with a byte on how.
    case packedChunk(hasProperties: Bool)
    case index
  }

  static let firstCount = 4
  private(set) var dictionary = 0
  private var part = Part.magic
  /// How many bytes the checksum behind a block has.
  private var checkCount = 0
  /// How many bytes of a block's data, or of the index, have come: they are filled up to four.
  private var count = 0
  /// The numbers of the index that are to come; nil before the first, which says that.
  private var numbersLeft: Int?
  private var number = (value: 0, shift: 0)

  mutating func read(_ header: [UInt8]) -> (skipped: Int, needed: Int)? {
    switch part {
    case .magic:
      // Streams may be filled up with zeros.
      if header == [0, 0, 0, 0] { return (0, 4) }
      guard header == [0xFD, 0x37, 0x7A, 0x58] else { return nil }
      part = .flags
      return (0, 8)
    case .flags:
      checkCount = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64][Int(header[3] & 15)]
      part = .block
      return (0, 1)
    case .block:
      guard header[0] > 0 else {
        (part, count, numbersLeft, number) = (.index, 1, nil, (0, 0))
        return (0, 1)
      }
      part = .filters
      return (0, Int(header[0]) * 4 + 3)
    case .filters:
      guard let size = Self.dictionary(header) else { return nil }
      dictionary = max(dictionary, size)
      (part, count) = (.chunk, 0)
      return (0, 1)
    case .chunk: return chunk(header[0])
    case .plainChunk: return data(Int(header[0]) << 8 | Int(header[1]), behind: 2)
    case .packedChunk(let hasProperties):
      return data((Int(header[2]) << 8 | Int(header[3])) + (hasProperties ? 1 : 0), behind: 4)
    case .index: return index(header[0])
    }
  }

  private mutating func chunk(_ control: UInt8) -> (skipped: Int, needed: Int)? {
    count += 1
    switch control {
    case 0:
      part = .block
      return (-count & 3 + checkCount, 1)
    case 1, 2:
      part = .plainChunk
      return (0, 2)
    case 0x80...:
      part = .packedChunk(hasProperties: control >= 0xC0)
      return (0, 4)
    default: return nil
    }
  }

  /// `size`: what is said of it, one less than it is.
  private mutating func data(_ size: Int, behind header: Int) -> (skipped: Int, needed: Int) {
    count += header + size + 1
    part = .chunk
    return (size + 1, 1)
  }

  private mutating func index(_ byte: UInt8) -> (skipped: Int, needed: Int)? {
    count += 1
    guard number.shift < 56 else { return nil }
    number.value |= Int(byte & 0x7F) << number.shift
    number.shift += 7
    if byte & 0x80 != 0 { return (0, 1) }
    let left = numbersLeft.map { $0 - 1 } ?? 2 * number.value
    (numbersLeft, number) = (left, (0, 0))
    guard left == 0 else { return (0, 1) }
    part = .magic
    // A checksum and the stream's end.
    return (-count & 3 + 4 + 12, Self.firstCount)
  }

  /// The bytes of the dictionary that a block's header asks for; nil where it is no header.
  ///
  /// `header`: without its first byte, which is its length.
  private static func dictionary(_ header: [UInt8]) -> Int? {
    var rest = header[...]
    guard let flags = rest.popFirst() else { return nil }
    for bit in [0x40, 0x80] as [UInt8] where flags & bit != 0 {
      guard number(&rest) != nil else { return nil }
    }
    var size: Int?
    for _ in 0...(flags & 3) {
      guard let filter = number(&rest), let count = number(&rest), count <= rest.count else { return nil }
      let properties = rest.prefix(count)
      rest = rest.dropFirst(count)
      // Others change bytes in their places.
      if filter == 0x21 { size = properties.first.flatMap(lzma2Dictionary) }
    }
    return size
  }

  /// The bytes of a dictionary as LZMA2 writes them down.
  static func lzma2Dictionary(_ code: UInt8) -> Int? {
    code > 40 ? nil : code == 40 ? Int(UInt32.max) : (2 | Int(code & 1)) << (Int(code / 2) + 11)
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
