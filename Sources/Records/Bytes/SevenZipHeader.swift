/// What the directory of a 7z says of the memory that its entries take, before libarchive reads it as a whole.
struct SevenZipHeader {
  /// How one part of a folder's entries is packed.
  struct Coder {
    /// As 7-Zip numbers methods, byte by byte.
    let method: [UInt8]
    let properties: [UInt8]
  }

  /// Entries that are packed as one.
  struct Folder {
    var coders: [Coder] = []
    /// The most bytes that come out of one of its coders.
    var size = 0
    /// How many things come out of its coders, and whether its checksum is known.
    fileprivate var outputs = 0
    fileprivate var hasChecksum = false
  }

  private(set) var folders: [Folder] = []
  /// How many files it says it has, or folders or entries of one where it was read no further for their number.
  private(set) var files = 0
  /// It is in no form that is known, or is read no further for what ``files`` says.
  private(set) var isBroken = true
  /// The bytes of each packed stream, and where the first is, from behind the signature.
  private(set) var packed: [Int] = []
  private(set) var packedAt = 0
  /// The directory is packed itself, as the first folder says.
  let isPacked: Bool
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
    let kind = rest.popFirst()
    isPacked = kind == 0x17
    isBroken = isPacked ? !readStreams() : kind != 1 || !readHeader()
    rest = []
  }

  /// Whether so many may be: else the directory takes too much memory, and is read no further.
  private mutating func allows(_ count: Int) -> Bool {
    if count > UnpackingLimit.entries { files = max(files, count) }
    return count <= UnpackingLimit.entries
  }

  private mutating func readHeader() -> Bool {
    var part = rest.popFirst()
    if part == 2 {
      // Properties of the archive.
      while let kind = rest.popFirst(), kind != 0 {
        guard let count = number(), pass(count) else { return false }
      }
      part = rest.popFirst()
    }
    if part == 4 {
      guard readStreams() else { return false }
      part = rest.popFirst()
    }
    if part == 5 {
      guard let count = number() else { return false }
      files = max(files, count)
    }
    return part == 5 || part == 0
  }

  private mutating func readStreams() -> Bool {
    var part = rest.popFirst()
    if part == 6 {
      guard readPacked() else { return false }
      part = rest.popFirst()
    }
    if part == 7 {
      guard readFolders() else { return false }
      part = rest.popFirst()
    }
    if part == 8 {
      guard readParts() else { return false }
      part = 0
    }
    return part == 0
  }

  private mutating func readPacked() -> Bool {
    guard let place = number(), let count = number(), allows(count) else { return false }
    packedAt = place
    while let kind = rest.popFirst() {
      switch kind {
      case 0: return true
      case 9:
        for _ in 0..<count {
          guard let size = number() else { return false }
          packed.append(size)
        }
      case 10: guard readChecksums(count) != nil else { return false }
      default: return false
      }
    }
    return false
  }

  private mutating func readFolders() -> Bool {
    // They are not in another stream.
    guard rest.popFirst() == 11, let count = number(), allows(count), rest.popFirst() == 0 else {
      return false
    }
    for _ in 0..<count {
      guard let folder = readFolder() else { return false }
      folders.append(folder)
    }
    guard rest.popFirst() == 12 else { return false }
    for index in folders.indices {
      for _ in 0..<folders[index].outputs {
        guard let size = number() else { return false }
        folders[index].size = max(folders[index].size, size)
      }
    }
    var kind = rest.popFirst()
    if kind == 10 {
      guard let known = readChecksums(count) else { return false }
      for (index, isKnown) in known.enumerated() { folders[index].hasChecksum = isKnown }
      kind = rest.popFirst()
    }
    return kind == 0
  }

  private mutating func readFolder() -> Folder? {
    guard let count = number(), (1...8).contains(count) else { return nil }
    var folder = Folder()
    var inputs = 0
    for _ in 0..<count {
      guard let flags = rest.popFirst(), flags & 0xC0 == 0, let method = take(Int(flags & 15)) else {
        return nil
      }
      var ends = (input: 1, output: 1)
      if flags & 0x10 != 0 {
        guard let input = number(), let output = number(), max(input, output) <= 8 else { return nil }
        ends = (input, output)
      }
      var properties: [UInt8] = []
      if flags & 0x20 != 0 {
        guard let size = number(), let bytes = take(size) else { return nil }
        properties = bytes
      }
      inputs += ends.input
      folder.outputs += ends.output
      folder.coders.append(Coder(method: method, properties: properties))
    }
    let bound = folder.outputs - 1
    guard bound >= 0, bound <= inputs else { return nil }
    for _ in 0..<(2 * bound) { guard number() != nil else { return nil } }
    let open = inputs - bound
    if open > 1 { for _ in 0..<open { guard number() != nil else { return nil } } }
    return folder
  }

  /// Reads how the folders are cut up into entries, to come to what is behind it.
  private mutating func readParts() -> Bool {
    var counts = folders.map { _ in 1 }
    var kind = rest.popFirst()
    if kind == 13 {
      for index in counts.indices {
        guard let count = number(), allows(count) else { return false }
        counts[index] = count
      }
      kind = rest.popFirst()
    }
    if kind == 9 {
      for count in counts where count > 1 {
        for _ in 1..<count { guard number() != nil else { return false } }
      }
      kind = rest.popFirst()
    }
    if kind == 10 {
      let unknown = zip(folders, counts).reduce(0) { $0 + ($1.1 == 1 && $1.0.hasChecksum ? 0 : $1.1) }
      guard allows(unknown), readChecksums(unknown) != nil else { return false }
      kind = rest.popFirst()
    }
    return kind == 0
  }

  /// Which of so many checksums are there; they are passed over.
  private mutating func readChecksums(_ count: Int) -> [Bool]? {
    guard let isWhole = rest.popFirst() else { return nil }
    var known = [Bool](repeating: true, count: count)
    if isWhole == 0 {
      guard let bits = take((count + 7) / 8) else { return nil }
      for index in 0..<count { known[index] = bits[index / 8] & 0x80 >> UInt8(index % 8) != 0 }
    }
    return pass(4 * known.count { $0 }) ? known : nil
  }

  private mutating func pass(_ count: Int) -> Bool {
    guard count <= rest.count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    let bytes = rest.prefix(count)
    return pass(count) ? Array(bytes) : nil
  }

  /// A number of up to nine bytes: the bits that are set at the start of the first say how many follow it.
  private mutating func number() -> Int? {
    guard let first = rest.popFirst() else { return nil }
    let count = (~first).leadingZeroBitCount
    guard let bytes = take(count) else { return nil }
    let low = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let high = count >= 7 ? 0 : UInt64(first & (0x7F >> UInt8(count)))
    return Int(exactly: high << UInt64(8 * count) | low)
  }
}
