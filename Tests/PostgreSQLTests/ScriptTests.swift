import PostgreSQL
import TestSupport
import Testing

/// Scripts of several statements in one round trip.
@Suite("A script in one round trip")
struct ScriptTests {
  private let database: TestDatabase
  private let connection: Connection

  init() throws {
    database = try TestServer.shared.makeDatabase()
    connection = try database.connect()
    try connection.execute("CREATE TABLE t (n int)")
  }

  private func failure(_ script: String, rows: [Int: String] = [:]) -> ScriptFailure? {
    do throws(ScriptFailure) {
      try connection.run(script: script) { rows[$0].map { Array($0.utf8)[...] } }
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "counts one answer for each statement, whatever rules, procedures and empty statements add or take away",
    arguments: [
      ("", 0), ("-- nothing", 0), (";;", 0), ("SELECT 1", 1), (";SELECT 1;;SELECT 2;", 2),
      ("INSERT INTO t VALUES (1), (2), (3); DELETE FROM t", 2),
      ("CREATE RULE r AS ON INSERT TO t DO INSTEAD NOTHING; INSERT INTO t VALUES (1); SELECT 1", 3),
      ("CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2); INSERT INTO t VALUES (1); SELECT 1", 3),
      ("CREATE RULE r AS ON INSERT TO t DO INSTEAD SELECT 5; INSERT INTO t VALUES (1); SELECT 1", 3),
      (
        "CREATE RULE r AS ON UPDATE TO t DO INSTEAD (DELETE FROM t; NOTIFY a); UPDATE t SET n = 1; SELECT 1",
        3
      ),
      (
        "CREATE PROCEDURE p(INOUT a int) LANGUAGE plpgsql AS $$ BEGIN a := 2; END $$; CALL p(1); SELECT 1; "
          + "DO $$ BEGIN RAISE NOTICE 'n'; END $$", 4
      ), ("EXPLAIN SELECT 1; SHOW search_path; VALUES (1)", 3),
      ("BEGIN; DECLARE c CURSOR FOR SELECT 1; FETCH c; MOVE c; COMMIT", 5),
    ])
  func counts(script: String, count: Int) throws { #expect(try connection.run(script: script) == count) }

  @Test(
    "says which statement has failed",
    arguments: [
      ("SELECT 1; SELECT 2; SELECT 1 / 0; SELECT 3", 2, "22012"), ("SELECT 1 / 0", 0, "22012"),
      (";; SELECT 1;; SELECT 1 / 0", 1, "22012"),
      // A script that cannot be parsed is not begun; the error's place says where.
      ("SELECT 1; SELECT 2; SELEC 3", 0, "42601"),
      (
        "CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2); INSERT INTO t VALUES (1); SELECT 1/0",
        2, "22012"
      ),
      ("COPY t FROM stdin; SELECT 1 / 0", 1, "22012"), ("COPY t FROM stdin; COPY t FROM stdin", 1, "57014"),
      ("SELECT 1; COPY t TO stdout; SELECT 2", 1, "0A000"),
    ])
  func fails(script: String, index: Int, state: String) {
    let found = failure(script, rows: [0: "1\n2\n"])
    #expect(found?.index == index)
    #expect(found?.error.sqlState == state)
    #expect(connection.isUsable)
  }

  @Test("gives each COPY its own rows, between other statements")
  func copies() throws {
    let script = "COPY t FROM stdin; SELECT 1; COPY t FROM stdin (FORMAT csv); DELETE FROM t WHERE n = 4"
    let rows = ["1\n2\n", "", "3\n4\n"].map { Array($0.utf8)[...] }
    #expect(try connection.run(script: script) { rows[$0] } == 4)
    #expect(try database.value("SELECT string_agg(n::text, ',' ORDER BY n) FROM t") == "1,2,3")
  }

  @Test("rolls back the whole script where a row is wrong, however many come after it")
  func wrongRow() throws {
    let rows = "1\n" + "x\n" + String(repeating: "3\n", count: 2_000_000)
    let found = failure("INSERT INTO t VALUES (7); COPY t FROM stdin; SELECT 1", rows: [1: rows])
    #expect(found?.index == 1)
    #expect(found?.error.sqlState == "22P02")
    #expect(connection.isUsable)
    #expect(try database.value("SELECT count(*) FROM t") == "0")
  }

  @Test("reports a connection that is lost on the way, and does not wait for ever")
  func lost() throws {
    let found = failure("SELECT 1; SELECT pg_terminate_backend(pg_backend_pid()); SELECT 2")
    #expect(found?.index == 1)
    #expect(found?.error.sqlState == "57P01")
    #expect(!connection.isUsable)
    guard case .connectionLost? = failure("SELECT 1")?.error else {
      Issue.record("a lost connection has answered")
      return
    }
  }

  @Test("hands over notices as they come")
  func notices() throws {
    var messages: [String] = []
    connection.onNotice { messages.append($0.message) }
    try connection.run(
      script: "DO $$ BEGIN RAISE NOTICE 'one'; END $$; SELECT 1; DO $$ BEGIN RAISE WARNING 'two'; END $$")
    #expect(messages == ["one", "two"])
  }
}
