import Foundation
import TestSupport
import Testing

/// A dump that somebody took for a migration.
@Suite("A migration of many megabytes")
struct LongMigrationTests {
  private static let size = 24 << 20

  @Test("needs the memory of its text three times, and nobody's is lost")
  func memory() throws {
    let scratch = try Scratch()
    let row = "INSERT INTO t VALUES (1, 'Zoë', '" + String(repeating: "abcdefgh ", count: 20) + "');\n"
    let script =
      "CREATE TABLE t (n int, a text, b text);\n" + String(repeating: row, count: Self.size / row.utf8.count)
    try Data(("-- rivulet:up\n" + script).utf8).write(to: URL(filePath: scratch.path + "/0001_dump.sql"))
    let database = try TestServer.shared.makeDatabase()
    let run = try Program(database: database.url).start(["migrate", "up", "--dir", scratch.path])
    let (outcome, peak) = try run.waitMeasuring()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(peak > Self.size && peak < 3 * Self.size + 40 << 20, "\(peak >> 20) MB")
    #expect(try database.value("SELECT count(*) FROM t") == "\(Self.size / row.utf8.count)")
    let isKept = try database.value("SELECT up_sql FROM rivulet.migration") == script
    #expect(isKept)
    try database.drop()
  }
}
