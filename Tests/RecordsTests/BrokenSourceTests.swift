import Foundation
import Records
import TestSupport
import Testing

@Suite struct BrokenSourceTests {
  let folder: Scratch

  init() throws { folder = try Scratch() }

  private static let files: [(name: String, bytes: [UInt8])] = [
    ("a.csv", sampleText(1, count: 900)), ("b.csv", sampleText(2, count: 700)),
  ]

  private func archive(_ kind: ArchiveFixture.Kind) throws -> [UInt8] {
    try ArchiveFixture.make(kind, kind.isSingle ? [Self.files[0]] : Self.files)
  }

  /// The error of listing and reading all there is.
  private func failure(_ name: String, _ bytes: [UInt8]) throws -> RecordsError? {
    let path = try folder.write(name, bytes)
    do {
      _ = try contents(path)
      return nil
    } catch let error as RecordsError {
      return error
    }
  }

  @Test(arguments: ArchiveFixture.Kind.allCases)
  func `an archive cut off anywhere is an error or still whole`(kind: ArchiveFixture.Kind) throws {
    let bytes = try archive(kind)
    let path = try folder.write("a.bin", bytes)
    let whole = try contents(path)
    #expect(whole.count == (kind.isSingle ? 1 : 2))
    // Below 600 bytes a tar is not known for one; a compressed file with two bytes is.
    for count in stride(from: bytes.count - 1, through: kind == .tar ? 600 : 6, by: -1) {
      try folder.write("a.bin", Array(bytes[..<count]))
      if let rest = try? contents(path) {
        #expect(rest == whole, "\(count) of \(bytes.count) bytes")
      }
    }
  }

  /// A tar has no checksum for contents, and zstd none unless its writer was asked for it.
  @Test(arguments: [ArchiveFixture.Kind.zip, .storedZip, .zip64, .sevenZip, .tarGzip, .gzip, .bzip2, .xz])
  func `a changed byte of what is compressed is an error or changes nothing`(kind: ArchiveFixture.Kind) throws
  {
    let bytes = try archive(kind)
    let path = try folder.write("a.bin", bytes)
    let whole = try contents(path)
    // A zip's directory has no checksum: a change there can turn a file into a folder.
    let end = bytes.firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound ?? bytes.count
    for place in stride(from: 6, to: end, by: 3) {
      var changed = bytes
      changed[place] ^= 0x10
      try folder.write("a.bin", changed)
      guard let read = try? contents(path) else { continue }
      #expect(Set(read.values) == Set(whole.values), "byte \(place) of \(bytes.count)")
    }
  }

  @Test func `gzip members one after the other are one file, and zeros after them nothing`() throws {
    let members = try Self.files.map { try ArchiveFixture.make(.gzip, [$0]) }
    let path = try folder.write("a.csv.gz", members[0] + members[1] + [0, 0, 0])
    #expect(try contents(path) == ["a.csv": Self.files[0].bytes + Self.files[1].bytes])
    #expect(try failure("b.csv.gz", members[0] + [7])?.description.contains("damaged") == true)
  }

  @Test(arguments: [ArchiveFixture.Kind.gzip, .bzip2, .xz, .zstd])
  func `compressed nothing is an empty archive`(kind: ArchiveFixture.Kind) throws {
    let bytes = try ArchiveFixture.make(kind, [("a", [])])
    #expect(try failure("a.csv.gz", bytes) == .emptyArchive(path: folder.path + "/a.csv.gz"))
  }

  @Test func `a wrong checksum names the archive and the entry`() throws {
    var bytes = try archive(.storedZip)
    let place = try #require(bytes.firstRange(of: Self.files[1].bytes[..<40])).lowerBound
    bytes[place + 10] ^= 1
    let error = try #require(try failure("a.zip", bytes))
    guard case .brokenArchive(let path, let entry, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(path == folder.path + "/a.zip")
    #expect(entry == "b.csv")
    #expect(reason.contains("CRC"))
  }

  @Test func `Deflate64 is named with the way around it`() throws {
    var bytes = try ArchiveFixture.make(.storedZip, [("dir/it's.csv", sampleText(1, count: 50))])
    // The method is 8 bytes into the local header and 10 bytes into the one of the directory.
    bytes[8] = 9
    let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
    bytes[directory + 10] = 9
    let error = try #require(try failure("a.zip", bytes))
    let path = folder.path + "/a.zip"
    #expect(
      error == .unsupportedCompression(path: path, entry: "dir/it's.csv", method: "Deflate64 (method 9)"))
    #expect(error.description.contains("unzip -p \(path) 'dir/it'\\''s.csv' > 'it'\\''s.csv'"))
  }

  @Test func `an encrypted entry is listed and refused when opened`() throws {
    let bytes = try ArchiveFixture.make(.zip, Self.files, password: "secret")
    let path = try folder.write("a.zip", bytes)
    let entry = try #require(Discovery.entries(of: path).first)
    #expect(throws: RecordsError.encrypted(path: path, entry: "a.csv")) { try entry.open() }
  }

  @Test func `an entry that is there no more is not taken for another`() throws {
    let path = try folder.write("a.zip", archive(.zip))
    let entry = try Discovery.entries(of: path)[1]
    try folder.write("a.zip", ArchiveFixture.make(.zip, [Self.files[1], Self.files[0]]))
    #expect(throws: RecordsError.entryGone(path: path, entry: "b.csv")) { try entry.open() }
    try folder.write("a.zip", ArchiveFixture.make(.zip, [Self.files[0]]))
    #expect(throws: RecordsError.entryGone(path: path, entry: "b.csv")) { try entry.open() }
  }

  @Test(arguments: [
    ("a.zip", "<!DOCTYPE html>", "a web page or XML"), ("a.7z", "{\"error\":1}", "JSON"),
    ("a.TAR.GZ", "a,b\n", "text"), ("a.zst", "\u{1}", "something else"),
  ])
  func `a file that has only an archive's name is reported as such`(name: String, text: String, found: String)
    throws
  {
    let error = try failure(name, Array(text.utf8))
    #expect(error == .notAnArchive(path: folder.path + "/" + name, found: found))
  }

  @Test func `an archive without a file is empty`() throws {
    for bytes in [[], try ArchiveFixture.make(.zip, []), try ArchiveFixture.make(.zip, [("folder/", [])])] {
      #expect(
        try failure("a.zip", bytes) == .emptyArchive(path: folder.path + "/a.zip"), "\(bytes.count) bytes")
    }
  }

  @Test func `a missing path is missing`() {
    let path = folder.path + "/nothing"
    #expect(throws: RecordsError.missing(path: path)) { try Discovery.entries(of: path) }
    #expect(throws: RecordsError.missing(path: path)) { try SourceEntry(file: path).open() }
  }

  @Test func `a folder cannot be read as a file`() throws {
    let stream = try SourceEntry(file: folder.path).open()
    #expect(throws: RecordsError.unreadable(path: folder.path, reason: "Is a directory")) {
      try content(stream)
    }
  }

  @Test func `an error of the stream is an error of the reader`() throws {
    var bytes = try archive(.storedZip)
    let place = try #require(bytes.firstRange(of: Self.files[0].bytes[..<40])).lowerBound
    bytes[place + 10] = UInt8(ascii: "z")
    let entry = try #require(Discovery.entries(of: folder.write("a.zip", bytes)).first)
    #expect(throws: RecordsError.self) {
      var reader = DelimitedReader(try entry.open())
      while try reader.next() {}
    }
  }

  @Test(arguments: [
    RecordsError.missing(path: "/x"), .unreadable(path: "/x", reason: "r"),
    .brokenArchive(path: "/x", entry: "e", reason: "r"), .emptyArchive(path: "/x"),
    .tooMuch(path: "/x", entry: "e", found: "f"),
    .notAnArchive(path: "/x", found: "text"), .encrypted(path: "/x", entry: nil),
    .unsupportedCompression(path: "/x", entry: "e", method: "m"), .entryGone(path: "/x", entry: "e"),
  ])
  func `every error says where`(error: RecordsError) {
    #expect(error.description.hasPrefix("/x"))
  }
}
