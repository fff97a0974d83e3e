import Foundation
import Records
import TestSupport
import Testing

@Suite struct DiscoveryTests {
  let folder: Scratch

  init() throws { folder = try Scratch() }

  static let files: [(name: String, bytes: [UInt8])] = [
    ("first.csv", sampleText(1, count: 5000)), ("folder/second.txt", sampleText(2, count: 7)),
    ("empty.txt", []), ("folder/third.csv", sampleText(3, count: 3000)),
  ]

  @Test(arguments: [ArchiveFixture.Kind.zip, .storedZip, .zip64, .sevenZip, .tar, .tarGzip, .tarZstd])
  func `an archive lists its files whatever its name, and each can be read`(kind: ArchiveFixture.Kind) throws
  {
    var files = Self.files
    files.insert(("folder/", []), at: 1)
    let path = try folder.write("bundle.bin", ArchiveFixture.make(kind, files))
    let entries = try Discovery.entries(of: path)
    #expect(entries.map(\.entry).sorted { ($0 ?? "") < ($1 ?? "") } == Self.files.map(\.name).sorted())
    for file in Self.files {
      let entry = try #require(entries.first { $0.entry == file.name })
      #expect(try content(entry.open()) == file.bytes)
      #expect(entry.size == file.bytes.count)
      #expect(entry.path == path)
      #expect(entry.name == file.name.split(separator: "/").last.map(String.init))
    }
  }

  @Test(arguments: [ArchiveFixture.Kind.gzip, .bzip2, .xz, .zstd])
  func `a compressed file lists its content under its name without the last extension`(
    kind: ArchiveFixture.Kind
  ) throws {
    let bytes = sampleText(4, count: 5000)
    let path = try folder.write("06-Practitioner.ndjson.zst", ArchiveFixture.make(kind, [("x", bytes)]))
    let entries = try Discovery.entries(of: path)
    #expect(entries.map(\.entry) == ["06-Practitioner.ndjson"])
    #expect(try content(try #require(entries.first).open()) == bytes)
  }

  @Test func `a folder lists its files and those of its sub-folders by path`() throws {
    for name in ["b.csv", "a/z.csv", "a/b/y.csv", "c/x.xlsx", "A.txt"] {
      try folder.write(name, Array("x".utf8))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/a/loop", withDestinationPath: folder.path)
    let entries = try Discovery.entries(of: folder.path)
    #expect(
      entries.map { String($0.path.dropFirst(folder.path.count + 1)) }
        == ["A.txt", "a/b/y.csv", "a/z.csv", "b.csv", "c/x.xlsx"])
    #expect(entries.map(\.index) == [0, 1, 2, 3, 4])
    #expect(entries.allSatisfy { $0.entry == nil && $0.size == 1 })
  }

  @Test func `what systems leave behind is listed of no folder and no archive, and read where it is named`()
    throws
  {
    let left = ["__MACOSX/b.csv", "._a.csv", ".DS_Store", "c/Thumbs.db", "c/desktop.ini", "~$a.xlsx"]
    let files = (left + ["c/a.csv"]).map { (name: $0, bytes: Array("x".utf8)) }
    for (name, bytes) in files { try folder.write("in/" + name, bytes) }
    #expect(try Discovery.entries(of: folder.path + "/in").map(\.name) == ["a.csv"])
    let zip = try folder.write("a.zip", ArchiveFixture.make(.zip, files))
    #expect(try Discovery.entries(of: zip).map(\.entry) == ["c/a.csv"])
    let empty = try folder.write("b.zip", ArchiveFixture.make(.zip, Array(files.dropLast())))
    #expect(throws: RecordsError.emptyArchive(path: empty)) { try Discovery.entries(of: empty) }
    #expect(try Discovery.entries(of: folder.path + "/in/._a.csv").map(\.name) == ["._a.csv"])
  }

  @Test func `a plain file lists itself`() throws {
    let path = try folder.write("a.csv", Array("a,b\n".utf8))
    let entry = try #require(Discovery.entries(of: path).first)
    #expect(entry.entry == nil)
    #expect(entry.size == 4)
    #expect(try content(entry.open()) == Array("a,b\n".utf8))
  }

  @Test func `an office document is a file, not an archive`() throws {
    let path = try folder.write(
      "a.xlsx", ArchiveFixture.make(.zip, [("[Content_Types].xml", [1]), ("xl/workbook.xml", [2])]))
    #expect(try Discovery.entries(of: path).map(\.entry) == [nil])
  }

  @Test func `an entry is opened without inflating those before it, and a list looks at beginnings only`()
    throws
  {
    var bytes = try ArchiveFixture.make(.zip, Self.files)
    // The first entry's data begin somewhat behind the first header and are spoiled here.
    for place in 100..<200 { bytes[place] = 0xFF }
    let entries = try Discovery.entries(of: try folder.write("a.zip", bytes))
    #expect(entries.count == 4)
    #expect(throws: RecordsError.self) { try content(entries[0].open()) }
    #expect(try content(entries[3].open()) == Self.files[3].bytes)
  }

  @Test func `a stream stays at its end`() throws {
    let path = try folder.write("a.zip", ArchiveFixture.make(.zip, Self.files))
    let stream = try Discovery.entries(of: path)[0].open()
    #expect(try content(stream) == Self.files[0].bytes)
    #expect(try content(stream) == [])
  }

  @Test func `bytes and digest are kept as they pass`() throws {
    let path = try folder.write("a.zip", ArchiveFixture.make(.zip, Self.files))
    let stream = HashingStream(try Discovery.entries(of: path)[0].open())
    try stream.drain()
    let plain = HashingStream(MemoryStream(Self.files[0].bytes, chunk: 7))
    try plain.drain()
    #expect(stream.byteCount == 5000)
    #expect(stream.sha256 == plain.sha256)
    #expect(stream.sha256.count == 64)
  }
}
