import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What a DBA sees of `rivulet migrate`.
@Suite("rivulet migrate")
struct MigrateCommandTests {
  private let database: TestDatabase
  private let program: Program
  private let folder: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    program = Program(database: database.url)
    folder = try Scratch()
    try folder.write(
      "0001_a.sql", "-- rivulet:up\nCREATE TABLE public.a (n int);\n-- rivulet:down\nDROP TABLE public.a;\n")
    try folder.write(
      "0002_b.sql", "-- rivulet:up\nCREATE TABLE public.b (n int);\n-- rivulet:down\nDROP TABLE public.b;\n")
  }

  private func migrate(_ words: String...) throws -> Program.Outcome {
    try program.run(["migrate"] + words + ["--dir", folder.path])
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/" + name)
  }

  @Test("names file, line and column of the third statement that fails, and keeps nothing")
  func thirdStatement() throws {
    try folder.write(
      "0003_c.sql",
      "-- rivulet:up\nCREATE TABLE public.c (n int);\nINSERT INTO public.c VALUES (1), (1);\n\n  CREATE UNIQUE INDEX c_key ON public.c (n);\nCREATE TABLE public.d (n int);\n"
    )
    try migrate("up").failed(
      1, saying: "0003_c.sql:5:3: ERROR 23505", "    CREATE UNIQUE INDEX c_key ON public.c (n);\n    ^")
    #expect(try database.value("SELECT to_regclass('public.c')") == nil)
    let error = try #require(try migrate("up", "--format", "json").object()["error"] as? [String: Any])
    #expect(
      error["line"] as? Int == 5 && error["column"] as? Int == 3 && error["sqlstate"] as? String == "23505")
    #expect((error["file"] as? String)?.hasSuffix("0003_c.sql") == true)
  }

  @Test("exits with 5 over an edited, a deleted and a late file, and names it, and reverts it all the same")
  func outOfStep() throws {
    func expectOutOfStep(_ name: String, then words: String...) throws {
      try migrate("up").failed(5, saying: name)
      try migrate("status", "--check").failed(5)
      try migrate("status").succeeded()
      try program.run(["migrate"] + words + ["--dir", folder.path]).succeeded()
    }
    try migrate("up").succeeded()
    try migrate("status", "--check").succeeded()
    try folder.write(
      "0002_b.sql",
      "-- rivulet:up\nCREATE TABLE public.b (n bigint);\n-- rivulet:down\nDROP TABLE public.b;\n")
    try migrate("repair", "0002").failed(5)
    try expectOutOfStep("0002 b", then: "repair", "0002", "--restore")
    try migrate("status", "--check").succeeded()
    try remove("0001_a.sql")
    try expectOutOfStep("0001 a", then: "repair", "0001", "--restore")
    try folder.write("0000_early.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    try expectOutOfStep("0000 early", then: "up", "--allow-late")
    try migrate("status", "--check").succeeded()
    // The folder is empty by now.
    for name in ["0000_early.sql", "0001_a.sql", "0002_b.sql"] { try remove(name) }
    try migrate("status", "--check").failed(5)
    try migrate("repair", "0001", "--restore").succeeded()
    try remove("0001_a.sql")
    try migrate("down", "--to", "0").succeeded()
    #expect(try database.value("SELECT to_regclass('public.a')") == nil)
  }

  @Test(
    "exits with 5 under --check while one is pending, and with 0 without it or in a dry run, which leave no trace"
  )
  func pending() throws {
    try migrate("status", "--check").failed(5)
    try migrate("status").succeeded()
    let outcome = try migrate("up", "--dry-run", "--format", "json").object()
    #expect((outcome["steps"] as? [[String: Any]])?.count == 2)
    #expect(outcome["dry_run"] as? Bool == true)
    #expect(try database.value("SELECT to_regnamespace('rivulet')") == nil)
    try migrate("up").succeeded()
  }

  @Test("exits with 4 in the given time while a table is locked, and says where it waits")
  func busyTable() throws {
    try migrate("up").succeeded()
    try folder.write("0003_wider.sql", "-- rivulet:up\nALTER TABLE public.a ADD m int;\n")
    let holder = try database.connect()
    try holder.execute("BEGIN; SELECT FROM public.a")
    try migrate("up", "--lock-wait", "3").failed(
      4, saying: "0003_wider.sql:2: a lock was not granted in time")
    try holder.execute("COMMIT")
    try migrate("up").succeeded()
  }

  @Test(
    "refuses to work through a pooler in transaction mode, where its lock would be anybody's, and touches nothing"
  )
  func pooler() throws {
    let pooler = try PgBouncer(mode: "transaction", poolSize: 3, roundRobin: false, to: database)
    let behind = Program(database: pooler.target.specification)
    try behind.run("migrate", "up", "--dir", folder.path).failed(1, saying: "pooler")
    #expect(try database.value("SELECT to_regnamespace('rivulet')") == nil)
    #expect(
      try database.rows(
        "SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE locktype = 'advisory' AND datname = current_database()"
      ) == [])
    let session = try PgBouncer(mode: "session", poolSize: 3, roundRobin: false, to: database)
    try Program(database: session.target.specification).run("migrate", "up", "--dir", folder.path).succeeded()
  }

  @Test("writes the next file, numbered as the last one is, however long that is")
  func new() throws {
    let outcome = try migrate("new", "Add", "fee table", "--format", "json")
    #expect(try outcome.object()["file"] as? String == folder.path + "/0003_add_fee_table.sql")
    #expect(try migrate("new", "--repeatable", "grants").output == folder.path + "/R_grants.sql\n")
    try migrate("new", "--repeatable", "grants").failed(2)
    try migrate("new", "é").failed(2)
    let dated = try migrate("new", "--timestamp", "add note").succeeded()
    #expect(dated.output.contains(/\/20[0-9]{12}_add_note\.sql\n/))
    // All of them are valid as they are.
    try migrate("up").succeeded()
    try migrate("status", "--check").succeeded()
    for (last, next) in [
      ("9223372036854775807", "9223372036854775808"), ("999999999999999999999", "1000000000000000000000"),
    ] {
      try folder.write("\(last)_x.sql", "-- rivulet:up\nSELECT 1;\n")
      #expect(try migrate("new", "next").output == "\(folder.path)/\(next)_next.sql\n")
    }
  }

  @Test("writes the file that makes the folder true to a database that was changed by hand")
  func fromDrift() throws {
    try migrate("up").succeeded()
    #expect(try migrate("new", "none", "--from-drift", "--here").output == "no drift: nothing is written\n")
    try database.connect().execute("CREATE INDEX a_n ON public.a (n)")
    try migrate("new", "index of a", "--from-drift", "--here").succeeded()
    let text = try String(contentsOfFile: folder.path + "/0003_index_of_a.sql", encoding: .utf8)
    #expect(text.contains("-- rivulet:up\nCREATE INDEX a_n ON public.a USING btree (n);\n"))
    #expect(text.contains("-- rivulet:down\nDROP INDEX public.a_n;\n"))
    try migrate("new", "x", "--here").failed(2)
  }
}
