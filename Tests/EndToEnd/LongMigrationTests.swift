import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A dump that somebody took for a migration.
@Suite("A migration of many megabytes")
struct LongMigrationTests {
  private static let size = 24 << 20

  @Test("needs the memory of its text three times, and nobody's is lost")
  func memory() throws {
    let scratch = try Scratch()
    // Neither is the text held here: programs that tests start would seem to take as much.
    let start = "CREATE TABLE t (n int, a text, b text);"
    let row = "INSERT INTO t VALUES (1, 'Zoë', '" + String(repeating: "abcdefgh ", count: 20) + "');"
    let times = Self.size / row.utf8.count
    let path = scratch.path + "/0001_dump.sql"
    try Data("-- rivulet:up\n\(start)\n".utf8).write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    for _ in 0..<times { try file.write(contentsOf: Data((row + "\n").utf8)) }
    try file.close()
    let database = try TestServer.shared.makeDatabase()
    let run = try Program(database: database.url).start(["migrate", "up", "--dir", scratch.path])
    let (outcome, peak) = try run.waitMeasuring()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(peak > Self.size && peak < 3 * Self.size + 40 << 20, "\(peak >> 20) MB")
    #expect(try database.value("SELECT count(*) FROM t") == "\(times)")
    let kept = """
      SELECT up_sql = \(Quote.literal(start + "\n")) || repeat(\(Quote.literal(row + "\n")), \(times))
      FROM rivulet.migration
      """
    #expect(try database.value(kept) == "t")
    try database.drop()
  }
}
