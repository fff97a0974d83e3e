import TestSupport
import Testing

@testable import MigrationEngine

/// Sections of several megabytes, which the server is given piece by piece.
@Suite("A long migration")
struct LongScriptTests {
  /// 3 MB with characters of two bytes, rows of a COPY, and another encoding of the session on the way; what
  /// the server holds of it at its end.
  private static func script(end: String) -> String {
    let row = "INSERT INTO t VALUES ('é', repeat('ü', 3));\n"
    return "CREATE TABLE t (a text, b text);\nSET client_encoding = 'LATIN1';\n"
      + String(repeating: row, count: 30_000)
      + "COPY t FROM stdin;\n" + String(repeating: "a\tb\n", count: 150_000) + "\\.\n"
      + "/* between */\n" + String(repeating: row, count: 10_000)
      + "CREATE TABLE held AS SELECT sum(total_bytes)::int AS bytes FROM pg_backend_memory_contexts;\n" + end
  }

  @Test("is one transaction, and the server holds a piece of it at a time")
  func pieces() throws {
    let script = Self.script(end: "")
    let folder = try OwnMigrations(["1_a.up.sql": script])
    #expect(try folder.labelsUp() == ["1 a"])
    let database = folder.database
    let rows = "SELECT count(*), min(a || b), max(a || b), count(DISTINCT xmin::text) FROM t"
    #expect(try database.connect().lines(rows) == ["190000|ab|éüüü|1"])
    #expect(try database.value("SELECT up_sql FROM rivulet.migration") == script)
    let whole = """
      SELECT definition LIKE '%\nCREATE TABLE t (%bytes FROM pg_backend_memory_contexts;%' FROM rivulet.migration
      """
    #expect(try database.value(whole) == "t")
    let held = try database.connect().lines("SELECT bytes FROM held").compactMap { Int($0) }
    #expect(held.allSatisfy { $0 < 30_000_000 } && held.count == 1, "\(held)")
  }

  @Test("that fails at its end leaves nothing, and names the line")
  func failing() throws {
    let folder = try OwnMigrations(["1_a.up.sql": Self.script(end: "SELECT 'é', nothing;")])
    #expect(complaint { try folder.labelsUp() }.hasPrefix("1_a.up.sql:190007:13: ERROR 42703"))
    #expect(try folder.tables() == nil)
  }

  @Test("that is repeatable replaces what the history had of it, its datasets included")
  func repeatable() throws {
    let script = { (value: Int) in
      "-- rivulet:up\nCREATE OR REPLACE VIEW v AS SELECT \(value) AS n;\n"
        + String(repeating: "-- \\ a\tb\n", count: 150_000) + "SELECT 1;\n"
    }
    let folder = try OwnMigrations(["R_v.sql": script(1)])
    #expect(try folder.labelsUp() == ["R v"])
    try folder.scratch.write("R_v.sql", script(2))
    #expect(try folder.labelsUp() == ["R v"])
    let rows = try folder.database.connect().lines(
      "SELECT kind, version, datasets IS NULL, length(up_sql), definition FROM rivulet.migration")
    let section = script(2).dropFirst("-- rivulet:up\n".count)
    #expect(rows == ["repeatable|v|t|\(section.count)|\(script(2))"])
    #expect(try folder.labelsUp() == [])
  }
}
