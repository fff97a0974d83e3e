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

  @Test("names file, line and column of the third statement that fails, and keeps nothing")
  func thirdStatement() throws {
    try folder.write(
      "0003_c.sql",
      "-- rivulet:up\nCREATE TABLE public.c (n int);\nINSERT INTO public.c VALUES (1), (1);\n\n  CREATE UNIQUE INDEX c_key ON public.c (n);\nCREATE TABLE public.d (n int);\n"
    )
    let outcome = try migrate("up")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("0003_c.sql:5:3: ERROR 23505"), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("    CREATE UNIQUE INDEX c_key ON public.c (n);\n    ^"), "\(outcome.errors)")
    #expect(try database.value("SELECT to_regclass('public.c')") == nil)
    let error = try #require(try migrate("up", "--format", "json").object()["error"] as? [String: Any])
    #expect(
      error["line"] as? Int == 5 && error["column"] as? Int == 3 && error["sqlstate"] as? String == "23505")
    #expect((error["file"] as? String)?.hasSuffix("0003_c.sql") == true)
  }

  @Test("exits with 5 over an edited, a deleted and a late file, and names it")
  func outOfStep() throws {
    #expect(try migrate("up").status == 0)
    #expect(try migrate("status", "--check").status == 0)
    try folder.write(
      "0002_b.sql",
      "-- rivulet:up\nCREATE TABLE public.b (n bigint);\n-- rivulet:down\nDROP TABLE public.b;\n")
    try expectOutOfStep(naming: "0002 b")
    #expect(try migrate("repair", "0002").status == 5)
    #expect(try migrate("repair", "0002", "--restore").status == 0)
    #expect(try migrate("status", "--check").status == 0)
    try FileManager.default.removeItem(atPath: folder.path + "/0001_a.sql")
    try expectOutOfStep(naming: "0001 a")
    #expect(try migrate("repair", "0001", "--restore").status == 0)
    try folder.write("0000_early.sql", "-- rivulet:up\nSELECT 1;\n")
    try expectOutOfStep(naming: "0000 early")
    #expect(try migrate("up", "--allow-late").status == 0)
    #expect(try migrate("status", "--check").status == 0)
  }

  private func expectOutOfStep(naming name: String) throws {
    let outcome = try migrate("up")
    #expect(outcome.status == 5)
    #expect(outcome.errors.contains(name), "\(outcome.errors)")
    #expect(try migrate("status", "--check").status == 5)
    #expect(try migrate("status").status == 0)
  }

  @Test("exits with 5 under --check while one is pending, and with 0 without it")
  func pending() throws {
    #expect(try migrate("status", "--check").status == 5)
    #expect(try migrate("status").status == 0)
    #expect(try database.value("SELECT to_regnamespace('rivulet')") == nil)
  }

  @Test("exits with 4 in the given time while a table is locked, and says where it waits")
  func busyTable() throws {
    #expect(try migrate("up").status == 0)
    try folder.write("0003_wider.sql", "-- rivulet:up\nALTER TABLE public.a ADD m int;\n")
    let holder = try database.connect()
    try holder.execute("BEGIN; SELECT FROM public.a")
    let outcome = try migrate("up", "--lock-wait", "3")
    #expect(outcome.status == 4, "\(outcome.errors)")
    #expect(outcome.errors.contains("0003_wider.sql:2: a lock was not granted in time"), "\(outcome.errors)")
    try holder.execute("COMMIT")
    #expect(try migrate("up").status == 0)
  }

  @Test(
    "refuses to work through a pooler in transaction mode, where its lock would be anybody's, and touches nothing"
  )
  func pooler() throws {
    let pooler = try PgBouncer(mode: "transaction", poolSize: 3, roundRobin: false, to: database)
    let behind = Program(database: pooler.target.specification)
    let outcome = try behind.run("migrate", "up", "--dir", folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("pooler"), "\(outcome.errors)")
    #expect(try database.value("SELECT to_regnamespace('rivulet')") == nil)
    #expect(
      try database.value(
        "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE locktype = 'advisory' AND datname = current_database()"
      ) == "0")
    let session = try PgBouncer(mode: "session", poolSize: 3, roundRobin: false, to: database)
    let through = try Program(database: session.target.specification).run(
      "migrate", "up", "--dir", folder.path)
    #expect(through.status == 0, "\(through.errors)")
  }

  @Test("writes the next file, numbered as the last one is")
  func new() throws {
    let outcome = try migrate("new", "Add", "fee table", "--format", "json")
    #expect(try outcome.object()["file"] as? String == folder.path + "/0003_add_fee_table.sql")
    #expect(try migrate("new", "--repeatable", "grants").output == folder.path + "/R_grants.sql\n")
    #expect(try migrate("new", "--repeatable", "grants").status == 2)
    #expect(try migrate("new", "é").status == 2)
    // Both are valid as they are.
    #expect(try migrate("up").status == 0)
    #expect(try migrate("status", "--check").status == 0)
  }

  @Test("writes a number after the last, however long that is")
  func longNumber() throws {
    try folder.write("9223372036854775807_x.sql", "-- rivulet:up\nSELECT 1;\n")
    #expect(try migrate("new", "next").output.hasSuffix("/9223372036854775808_next.sql\n"))
    try folder.write("999999999999999999999_y.sql", "-- rivulet:up\nSELECT 1;\n")
    #expect(try migrate("new", "more").output.hasSuffix("/1000000000000000000000_more.sql\n"))
  }

  @Test("reverts what was applied although the folder is empty by now")
  func emptyFolder() throws {
    #expect(try migrate("up").status == 0)
    for name in ["0001_a.sql", "0002_b.sql"] {
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    }
    #expect(try migrate("status", "--check").status == 5)
    #expect(try migrate("repair", "0001", "--restore").status == 0)
    try FileManager.default.removeItem(atPath: folder.path + "/0001_a.sql")
    #expect(try migrate("down", "--to", "0").status == 0)
    #expect(try database.value("SELECT to_regclass('public.a')") == nil)
  }

  @Test("tries all in a dry run and leaves no trace")
  func dryRun() throws {
    let outcome = try migrate("up", "--dry-run", "--format", "json").object()
    #expect((outcome["steps"] as? [[String: Any]])?.count == 2)
    #expect(outcome["dry_run"] as? Bool == true)
    #expect(try database.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'rivulet'") == "0")
    #expect(try migrate("up").status == 0)
  }
}
