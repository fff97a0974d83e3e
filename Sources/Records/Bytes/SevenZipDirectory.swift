/// The directory at the end of a 7z, which libarchive reads into memory as a whole, and which says how much
/// memory its entries take.
enum SevenZipDirectory {
  private static let signature: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
  /// So many bytes are before what is packed.
  private static let start = 32

  /// Makes sure that a 7z's directory is not too large, and that no entry takes too much memory; of what is no
  /// 7z nothing is asked, nor of one that is encrypted.
  ///
  /// `read`: reads bytes from a place on, fewer at the end.
  /// - Throws: `tooMuch`, `brokenArchive`.
  static func check(
    _ place: SourceEntry, read: (_ offset: Int, _ count: Int) -> [UInt8]
  ) throws(RecordsError) {
    let head = read(0, start)
    guard head.count == start, head.starts(with: signature) else { return }
    let size = number(head[20..<28])
    guard size != 0 else { return }
    guard (0...ZipDirectory.mostBytes).contains(size) else { throw ZipDirectory.excess(of: place) }
    let offset = number(head[12..<20])
    guard (0...Int.max >> 1).contains(offset) else { throw broken(place) }
    let header = SevenZipHeader(read(start + offset, size))
    try check(header, of: place)
    if header.isPacked {
      guard let folder = header.folders.first else { throw broken(place) }
      if folder.coders.contains(where: \.isEncryption) { return }
      guard folder.size <= ZipDirectory.mostBytes else { throw ZipDirectory.excess(of: place) }
      guard let count = header.packed.first, (0...ZipDirectory.mostBytes).contains(count),
        header.packedAt <= Int.max >> 1
      else { throw broken(place) }
      let bytes = try unpack(folder, read(start + header.packedAt, count), of: place)
      let inner = SevenZipHeader(bytes)
      guard !inner.isPacked else { throw broken(place) }
      try check(inner, of: place)
    }
  }

  private static func check(_ header: SevenZipHeader, of place: SourceEntry) throws(RecordsError) {
    guard header.files <= UnpackingLimit.entries else {
      throw UnpackingLimit.excess(of: place.path, entry: place.entry)
    }
    guard !header.isBroken else { throw broken(place) }
    let most = header.folders.map { folder in
      folder.coders.reduce(0) { $0 + $1.memory(unpacking: folder.size) }
    }.max()
    guard let most, most > UnpackingLimit.dictionary(of: place) else { return }
    throw UnpackingLimit.excess(of: place, entry: place.entry, dictionary: most)
  }

  /// Unpacks the directory itself.
  private static func unpack(
    _ folder: SevenZipHeader.Folder, _ packed: [UInt8], of place: SourceEntry
  ) throws(RecordsError) -> [UInt8] {
    guard let coder = folder.coders.first, folder.coders.count == 1 else { throw broken(place) }
    let archive: Archive
    switch coder.method {
    case [0]: return packed
    case [3, 1, 1]:
      // As a file of LZMA alone begins: the dictionary is as long as any directory, and then comes the size.
      let size = (0..<8).map { UInt8(truncatingIfNeeded: folder.size >> (8 * $0)) }
      let head: [UInt8] = [coder.properties.first ?? 0, 0, 0, 0, 1] + size
      archive = try Archive(lzma: MemoryBytes(head + packed), of: place)
    case [0x21]:
      let file = XZFrames.file(ofLZMA2: packed, size: folder.size)
      archive = try Archive(decompressing: MemoryBytes(file), of: place)
    default: throw broken(place)
    }
    var bytes = [UInt8](repeating: 0, count: folder.size)
    var count = 0
    while count < bytes.count, case let more = try archive.read(into: &bytes, from: count), more > 0 {
      count += more
    }
    return Array(bytes[..<count])
  }

  private static func broken(_ place: SourceEntry) -> RecordsError {
    .brokenArchive(path: place.path, entry: place.entry, reason: "its directory cannot be read")
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(truncatingIfNeeded: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

extension SevenZipHeader.Coder {
  var isEncryption: Bool { method.starts(with: [6, 0xF1]) }

  /// How many bytes of memory it fills, of which a dictionary has no more than what is unpacked.
  func memory(unpacking size: Int) -> Int {
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
    switch method {
    case [3, 1, 1]: return min(size, number(properties.dropFirst().prefix(4)))
    case [0x21]: return min(size, properties.first.flatMap(XZFrames.lzma2Dictionary) ?? 0)
    // PPMd fills what it may with what it learns.
    case [3, 4, 1]: return number(properties.dropFirst().prefix(4))
    // BCJ2 has three other streams unpacked as a whole.
    case [3, 3, 1, 0x1B]: return 3 * min(size, 1 << 40)
    default: return 0
    }
  }
}

/// Bytes in memory as a stream.
private final class MemoryBytes: ByteStream {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = min(buffer.count, rest.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest = rest.dropFirst(count)
    return count
  }
}
