import TestSupport
import Testing

@testable import Records

/// What unpacking goes back to, which is kept in memory: no more of it than there is room for.
@Suite struct DictionarySizeTests {
  let folder: Scratch

  init() throws { folder = try Scratch() }

  /// Rows that are more than is kept of a dictionary, and less than may come out of anything.
  private static let many = rows(49 << 20)
  private static let few = rows(1 << 20)

  private static func rows(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    let block = (0..<1000).flatMap { Array("c\($0),words of \($0 * $0)\n".utf8) }
    while bytes.count < count { bytes += block }
    return bytes
  }

  private static func xz(_ bytes: [UInt8], claims: Bool = false) throws -> [UInt8] {
    let packed = try ArchiveFixture.make(.xz, [("x", bytes)])
    return claims ? try PackedFixture.xz(packed, dictionary: 36) : packed
  }

  private static func zstd(_ bytes: [UInt8], claims: Bool = false) throws -> [UInt8] {
    let packed = try ArchiveFixture.make(.zstd, [("x", bytes)])
    return claims ? PackedFixture.zstd(packed, window: 17 << 3) : packed
  }

  private func read(_ name: String, _ bytes: [UInt8]) throws -> Int {
    let path = try folder.write(name, bytes)
    return try Discovery.entries(of: path).reduce(0) { try $0 + content($1.open()).count }
  }

  private func expectRefusal(_ name: String, _ bytes: [UInt8], saying words: String) {
    #expect {
      _ = try read(name, bytes)
    } throws: { error in
      guard case RecordsError.tooMuch(_, _, let found) = error else { return false }
      return found.contains(words)
    }
  }

  @Test func `a large zip whose directory begins before its file is refused`() throws {
    for first in [Int.min, -1, Int.max] {
      var bytes = try ArchiveFixture.make(.storedZip, [("a.csv", Array("a,b\n".utf8))])
      let (end, start) = (bytes.suffix(22), bytes.count - 22)
      func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
      let record = [0x50, 0x4b, 6, 6] + [UInt8](repeating: 0, count: 44) + number(first)
      let locator = [0x50, 0x4b, 6, 7] + [UInt8](repeating: 0, count: 4) + number(start) + [1, 0, 0, 0]
      bytes = bytes.dropLast(22) + record + locator + end
      expectRefusal("a.zip", bytes, saying: "directory")
    }
  }

  @Test func `as much as is kept is read, whatever dictionary was asked for`() throws {
    #expect(try read("a.csv.xz", Self.xz(Self.many)) == Self.many.count)
    #expect(try read("b.csv.xz", Self.xz(Self.few, claims: true)) == Self.few.count)
    #expect(try read("a.csv.zst", Self.zstd(Self.many)) == Self.many.count)
    #expect(try read("b.csv.zst", Self.zstd(Self.few, claims: true)) == Self.few.count)
    #expect(try read("b.zip", PackedFixture.zipOfLZMA(Self.few)) == Self.few.count)
    let sevenZip = try ArchiveFixture.make(.sevenZip, [("a.csv", Self.many), ("b.csv", Self.few)])
    #expect(try read("a.7z", sevenZip) == Self.many.count + Self.few.count)
  }

  @Test func `more is refused where the dictionary is larger`() throws {
    expectRefusal("a.csv.xz", try Self.xz(Self.many, claims: true), saying: "dictionary of 1024 MiB")
    expectRefusal("a.csv.zst", try Self.zstd(Self.many, claims: true), saying: "dictionary of 128 MiB")
    expectRefusal(
      "a.zip", try PackedFixture.zipOfLZMA(Self.many, hasChecksum: false),
      saying: "more than 48 MiB of memory")
    for coder in [PackedFixture.lzma, PackedFixture.lzma2, PackedFixture.ppmd, PackedFixture.bcj2] {
      expectRefusal("a.7z", PackedFixture.sevenZip(coder: coder), saying: "needs a dictionary of")
    }
  }

  @Test func `a frame behind others is seen, and one behind what may be skipped`() throws {
    expectRefusal("a.csv.xz", try Self.xz(Self.many) + Self.xz(Self.few, claims: true), saying: "1024 MiB")
    let skipped = [0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 0x28, 0xB5, 0x2F] as [UInt8]
    let zstd = try Self.zstd(Self.many) + skipped + Self.zstd(Self.few, claims: true)
    expectRefusal("a.csv.zst", zstd, saying: "128 MiB")
  }

  @Test(arguments: [1, 2, 3, 7, 1000, .max])
  func `frames are followed whatever bytes come at a time`(chunk: Int) throws {
    let text = Array(Self.few[..<70_000])
    let xz = try Self.xz(text) + [0, 0, 0, 0] + Self.xz([]) + Self.xz(text, claims: true) + Self.xz(text)
    let zstd = try Self.zstd(text) + Self.zstd(text, claims: true) + Self.zstd([])
    for (bytes, largest) in [(xz, 1 << 30), (zstd, 128 << 20), (xz.dropLast(40) + [1], 1 << 30)] {
      let watch = DictionaryWatch(MemoryStream(Array(bytes), chunk: chunk))
      try watch.drain()
      #expect(watch.largest == largest)
    }
    for lost in [xz + [1, 2, 3, 4], zstd + [1, 2, 3, 4]] {
      let watch = DictionaryWatch(MemoryStream(lost, chunk: chunk))
      try watch.drain()
      #expect(watch.largest == .max)
    }
  }

  @Test func `less is kept of what is compressed within an archive`() throws {
    let inner = try Self.xz(Self.rows(9 << 20), claims: true)
    expectRefusal(
      "a.zip", try ArchiveFixture.make(.zip, [("a.csv.xz", inner)]), saying: "where 8 MiB is the most")
    expectRefusal("a.csv.xz", try Self.xz(Self.zstd(Self.few)), saying: "more than once")
  }

  @Test func `the directory of a 7z is looked at, also where it is packed`() throws {
    let empty = (0...100_000).map { ("\($0)", [UInt8]()) }
    expectRefusal("a.7z", try ArchiveFixture.make(.sevenZip, empty), saying: "more than 100000 files")
    expectRefusal("b.7z", PackedFixture.sevenZip(files: 1_000_000), saying: "more than 100000 files")
    let many: [UInt8] = [1, 5, 0xF0, 0x40, 0x42, 0x0F, 0] + [UInt8](repeating: 7, count: 9_000)
    expectRefusal("e.7z", try PackedFixture.sevenZip(packing: many), saying: "more than 100000 files")
    expectRefusal(
      "c.7z", PackedFixture.sevenZip(directory: Array(repeating: 0, count: (16 << 20) + 1)),
      saying: "a directory of more than 16 MiB")
    for directory in [[], [1], [0x17], [1, 4, 6, 0xFF], [9, 9], [1, 4, 7, 11, 1, 0, 9]] as [[UInt8]] {
      _ = try? read("d.7z", PackedFixture.sevenZip(directory: directory))
    }
  }
}
