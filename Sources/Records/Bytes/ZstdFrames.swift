/// The frames of a zstd stream, as RFC 8878 has them.
struct ZstdFrames: CompressedFrames {
  private enum Part {
    case magic, skippable, descriptor, header, block
  }

  static let firstCount = 4
  private(set) var dictionary = 0
  private var part = Part.magic
  private var hasWindow = true
  private var hasChecksum = false
  /// How many bytes of the header say which dictionary was used, and how many how long the content is.
  private var counts = (name: 0, content: 0)

  mutating func read(_ header: [UInt8]) -> (skipped: Int, needed: Int)? {
    switch part {
    case .magic:
      let magic = Self.number(header[...])
      if magic & ~0xF == 0x184D_2A50 {
        part = .skippable
        return (0, 4)
      }
      guard magic == 0xFD2F_B528 else { return nil }
      part = .descriptor
      return (0, 1)
    case .skippable:
      part = .magic
      return (Self.number(header[...]), 4)
    case .descriptor: return describe(header[0])
    case .header:
      let size = window(header)
      dictionary = max(dictionary, size)
      part = .block
      return (0, 3)
    case .block: return block(Self.number(header[...]))
    }
  }

  private mutating func describe(_ byte: UInt8) -> (skipped: Int, needed: Int)? {
    hasWindow = byte & 0x20 == 0
    hasChecksum = byte & 4 != 0
    counts = ([0, 1, 2, 4][Int(byte & 3)], [hasWindow ? 0 : 1, 2, 4, 8][Int(byte >> 6)])
    part = .header
    return (0, (hasWindow ? 1 : 0) + counts.name + counts.content)
  }

  /// The bytes of the window: where it is not said, those of the content.
  private func window(_ header: [UInt8]) -> Int {
    guard hasWindow else {
      let size = Self.number(header.suffix(counts.content))
      return size < 0 ? .max : size
    }
    let base = 1 << (10 + Int(header[0] >> 3))
    return base + base / 8 * Int(header[0] & 7)
  }

  private mutating func block(_ header: Int) -> (skipped: Int, needed: Int)? {
    let (isLast, kind, size) = (header & 1 == 1, header >> 1 & 3, header >> 3)
    guard kind < 3 else { return nil }
    // One byte that is repeated so many times.
    let skipped = kind == 1 ? 1 : size
    guard isLast else { return (skipped, 3) }
    part = .magic
    return (skipped + (hasChecksum ? 4 : 0), Self.firstCount)
  }

  /// A number, the lowest byte first; below zero where it has eight bytes and is larger than any.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
