import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Files so large that they are read once where the ledger knows none of their size.
@Suite("Large files")
struct LargeFileTests {
  private static let name = "npidata_pfile_20050523-20251109.csv"

  /// A copy of the file, to be changed.
  private func copy(into scratch: Scratch) throws -> String {
    let path = "\(scratch.path)/\(Self.name)"
    try FileManager.default.copyItem(
      atPath: "\(ProviderFiles.sample.get().path)/sample/\(Self.name)", toPath: path)
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    try #require(size > 16 << 20)
    return path
  }

  private func append(_ text: String, to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  private func digest(of path: String) throws -> String {
    String(try Shell.run("sha256sum", path).prefix(64))
  }

  @Test("are known by their content once they are loaded, and loaded again where they differ by a byte")
  func known() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let path = try copy(into: scratch)
    func run() throws -> String {
      try program.run("run", "nppes", path, "--no-refresh", "--format", "json").succeeded().at("state")
    }
    func digests() throws -> [String] {
      try database.rows("SELECT DISTINCT file_sha256 FROM rivulet.source_file ORDER BY 1")
    }
    #expect(try run() == "published")
    let first = try digest(of: path)
    #expect(try digests() == [first])
    #expect(try run() == "unchanged")
    // Another file of the same size.
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 20 << 20)
    let part = try #require(try file.read(upToCount: 4096))
    let place = try #require(part.firstIndex { (0x41...0x59).contains($0) })
    try file.seek(toOffset: UInt64(20 << 20) + UInt64(place - part.startIndex))
    try file.write(contentsOf: [part[place] + 1])
    try file.close()
    #expect(try run() == "published")
    #expect(try digests() == [first, digest(of: path)].sorted())
    #expect(try run() == "unchanged")
  }

  @Test("are known again by their content where they were refused")
  func refused() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let path = try copy(into: scratch)
    // A record that is cut off, which a run may not refuse.
    try append("\"1234567893\",\"1\"\n", to: path)
    let outcome = try program.run("run", "nppes", path, "--no-refresh", "--max-rejects", "0")
    #expect(outcome.status != 0)
    #expect(
      try database.rows(
        "SELECT r.state, f.file_sha256 FROM rivulet.run r JOIN rivulet.source_file f USING (run)")
        == ["refused|\(digest(of: path))"])
  }

  @Test("are not published where they are written to while they are read")
  func changed() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let path = try copy(into: scratch)
    // The load waits for this lock, after the file was looked at first.
    let other = try database.connect()
    try other.execute("BEGIN; LOCK TABLE directory.provider_identifier IN ACCESS EXCLUSIVE MODE")
    let run = try program.start(["run", "nppes", path, "--no-refresh"])
    try #require(try database.findsWaiter(forTable: "directory.provider_identifier"))
    try append("\n", to: path)
    try other.execute("ROLLBACK")
    let outcome = try run.wait()
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("was changed while it was read"), "\(outcome.errors)")
  }
}
