import Foundation
import Records
import TestSupport
import Testing
import Values

/// Archives in archives and in folders.
@Suite struct NestedArchiveTests {
  let folder: Scratch

  init() throws { folder = try Scratch() }

  private static let files: [(name: String, bytes: [UInt8])] = [
    ("b.csv", sampleText(1, count: 4000)), ("x/c.txt", sampleText(2, count: 700)),
  ]
  private static let outerKinds: [ArchiveFixture.Kind] = [
    .zip, .storedZip, .zip64, .sevenZip, .tar, .tarGzip, .tarZstd,
  ]

  @Test(arguments: outerKinds)
  func `a zip in an archive is replaced by its entries`(kind: ArchiveFixture.Kind) throws {
    let inner = try ArchiveFixture.make(.zip, [("folder/", [])] + Self.files)
    let bytes = try ArchiveFixture.make(
      kind, [("readme.txt", Self.files[1].bytes), ("in/inner.zip", inner), ("last.csv", Self.files[0].bytes)])
    let path = try folder.write("a.bin", bytes)
    let entries = try Discovery.entries(of: path)
    #expect(
      entries.map(\.entry) == ["readme.txt", "in/inner.zip!/b.csv", "in/inner.zip!/x/c.txt", "last.csv"])
    #expect(entries.map(\.name) == ["readme.txt", "b.csv", "c.txt", "last.csv"])
    #expect(entries.allSatisfy { $0.path == path })
    #expect(entries[2].description == "\(path), entry in/inner.zip, entry x/c.txt")
    #expect(entries[2].size == 700)
    #expect(try content(entries[1].open()) == Self.files[0].bytes)
    #expect(try content(entries[2].open()) == Self.files[1].bytes)
    #expect(try content(entries[3].open()) == Self.files[0].bytes)
  }

  @Test(arguments: ArchiveFixture.Kind.allCases)
  func `any archive in a zip is replaced by its entries`(kind: ArchiveFixture.Kind) throws {
    let files = kind.isSingle ? [Self.files[0]] : Self.files
    let bytes = try ArchiveFixture.make(.zip, [("in.b.csv.gz", ArchiveFixture.make(kind, files))])
    let entries = try Discovery.entries(of: folder.write("a.zip", bytes))
    #expect(entries.count == files.count)
    if kind.isSingle { #expect(entries[0].entry == "in.b.csv.gz!/in.b.csv") }
    for (entry, file) in zip(entries, files) {
      var reader = try RecordReader(entry, format: .delimited(DelimitedFormat()))
      while try reader.next() {}
      let (count, digest) = (reader.byteCount, reader.sha256)
      #expect(count == file.bytes.count)
      #expect(digest == SHA256.hex(of: file.bytes))
    }
  }

  @Test func `an archive in a folder is replaced by its entries, with what is in it`() throws {
    let inner = try ArchiveFixture.make(.zip, [Self.files[1]])
    try folder.write("m/a.zip", ArchiveFixture.make(.zip, [("i.zip", inner), Self.files[0]]))
    try folder.write("m/b.csv.gz", ArchiveFixture.make(.gzip, [Self.files[0]]))
    try folder.write("m/z.csv", Self.files[0].bytes)
    let entries = try Discovery.entries(of: folder.path)
    #expect(
      entries.map { String($0.description.dropFirst(folder.path.count + 3)) }
        == ["a.zip, entry i.zip, entry x/c.txt", "a.zip, entry b.csv", "b.csv.gz, entry b.csv", "z.csv"])
    for (entry, file) in zip(entries, [1, 0, 0, 0]) {
      #expect(try content(entry.open()) == Self.files[file].bytes)
    }
  }

  @Test func `an archive two levels down is a file`() throws {
    let lowest = try ArchiveFixture.make(.zip, [Self.files[0]])
    let middle = try ArchiveFixture.make(.zip, [("low.zip", lowest)])
    let path = try folder.write("a.zip", ArchiveFixture.make(.zip, [("mid.zip", middle)]))
    let entries = try Discovery.entries(of: path)
    #expect(entries.map(\.entry) == ["mid.zip!/low.zip"])
    #expect(try content(entries[0].open()) == lowest)
  }

  @Test func `documents in archives stay documents, and are read in an archive in an archive`() throws {
    let workbook = try XLSXFixture(rows: XLSXFixture.lines(["x"])).bytes()
    let inner = try ArchiveFixture.make(.zip, [("a.xlsx", workbook)])
    let bytes = try ArchiveFixture.make(
      .zip, [("a.xlsx", workbook), ("unnamed", workbook), ("inner.zip", inner)])
    let entries = try Discovery.entries(of: folder.write("a.zip", bytes))
    #expect(entries.map(\.entry) == ["a.xlsx", "unnamed", "inner.zip!/a.xlsx"])
    for entry in entries {
      var reader = try RecordReader(entry, format: .xlsx(XLSXFormat()))
      #expect(try records(&reader).map(\.fields) == [["x"]])
      let digest = reader.sha256
      #expect(digest == SHA256.hex(of: workbook))
    }
  }

  @Test func `a large archive in an archive is read from a temporary file`() throws {
    let large = [UInt8](repeating: 0x20, count: 17 << 20)
    let inner = try ArchiveFixture.make(.storedZip, [("large.txt", large), Self.files[0]])
    let path = try folder.write("a.zip", ArchiveFixture.make(.zip, [("inner.zip", inner)]))
    let entries = try Discovery.entries(of: path)
    #expect(entries.map(\.name) == ["large.txt", "b.csv"])
    #expect(try content(entries[1].open()) == Self.files[0].bytes)
    let stream = HashingStream(try entries[0].open())
    try stream.drain()
    #expect(stream.sha256 == SHA256.hex(of: large))
  }

  @Test func `what is broken inside is reported with both names`() throws {
    var inner = try ArchiveFixture.make(.storedZip, Self.files)
    let place = try #require(inner.firstRange(of: Self.files[0].bytes[..<40])).lowerBound
    inner[place + 10] ^= 1
    let path = try folder.write("a.zip", ArchiveFixture.make(.zip, [("i.zip", inner)]))
    let entry = try Discovery.entries(of: path)[0]
    do {
      _ = try content(entry.open())
      Issue.record("no error")
    } catch let error as RecordsError {
      guard case .brokenArchive(path, "i.zip!/b.csv", let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.contains("CRC"))
      #expect(error.description.hasPrefix("\(path), entry i.zip, entry b.csv: the archive is damaged"))
    }
  }

  @Test
  func `an archive inside that is none, empty, locked or cut off is reported when it is listed or opened`()
    throws
  {
    let path = folder.path + "/a.zip"
    func failure(_ name: String, _ bytes: [UInt8]) throws -> RecordsError? {
      try folder.write("a.zip", ArchiveFixture.make(.zip, [(name, bytes)]))
      do {
        _ = try contents(path)
        return nil
      } catch let error as RecordsError {
        return error
      }
    }
    let page = Array("<html>".utf8)
    #expect(
      try failure("i.zip", page) == .notAnArchive(path: "\(path), entry i.zip", found: "a web page or XML"))
    #expect(try failure("i.zip", []) == .emptyArchive(path: "\(path), entry i.zip"))
    #expect(
      try failure("i.zip", ArchiveFixture.make(.zip, [])) == .emptyArchive(path: "\(path), entry i.zip"))
    let locked = try ArchiveFixture.make(.zip, Self.files, password: "secret")
    #expect(try failure("i.zip", locked) == .encrypted(path: path, entry: "i.zip!/b.csv"))
    let whole = try ArchiveFixture.make(.zip, Self.files)
    guard case .brokenArchive(path, "i.zip", _) = try failure("i.zip", Array(whole.dropLast(30))) else {
      Issue.record("not broken")
      return
    }
    for kind in [ArchiveFixture.Kind.gzip, .xz] {
      let stream = try ArchiveFixture.make(kind, [Self.files[0]])
      guard case .brokenArchive(path, _?, _) = try failure("i.gz", Array(stream.dropLast(9))) else {
        Issue.record("not broken: \(kind)")
        return
      }
    }
  }

  @Test func `an entry that has gone from an archive inside is not taken for another`() throws {
    func bundle(_ files: [(name: String, bytes: [UInt8])]) throws -> [UInt8] {
      try ArchiveFixture.make(.zip, [("i.zip", ArchiveFixture.make(.zip, files))])
    }
    let path = try folder.write("a.zip", bundle(Self.files))
    let entry = try Discovery.entries(of: path)[1]
    try folder.write("a.zip", bundle([Self.files[0]]))
    #expect(throws: RecordsError.entryGone(path: path, entry: "i.zip!/x/c.txt")) { try entry.open() }
  }

  @Test func `the way around Deflate64 unpacks both`() {
    let error = RecordsError.unsupportedCompression(path: "a.zip", entry: "in/i.zip!/x/c.txt", method: "m")
    #expect(error.description.contains("unzip -p a.zip in/i.zip > i.zip && unzip -p i.zip x/c.txt > c.txt"))
  }
}
