import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Several folders and several schemas in one database.
@Suite("Histories beside each other")
struct HistoryTests {
  private let database: TestDatabase
  private let scratch: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    scratch = try Scratch()
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program(database: database.url).run(["migrate"] + arguments)
  }

  private func folder(_ name: String) -> String { scratch.path + "/" + name }

  @Test(
    "keep a goose and a Flyway folder apart that have the same versions, each with its status and its way back"
  )
  func twoFolders() throws {
    try scratch.write("goose/1_a.sql", "-- +goose Up\nCREATE TABLE a (n int);\n-- +goose Down\nDROP TABLE a;")
    try scratch.write("flyway/V1__b.sql", "CREATE TABLE b (n int);")
    try scratch.write("flyway/V2__c.sql", "CREATE INDEX CONCURRENTLY c ON b (n);\nSELECT 1/0;")
    let goose = ["--dir", folder("goose"), "--history", "goose"]
    try Program(database: database.url).run(["migrate", "up"] + goose).succeeded()
    try run("up", "--dir", folder("flyway"), "--history", "flyway").failed(1)
    let status = try Program(database: database.url).run(["migrate", "status", "--check"] + goose).succeeded()
    #expect(status.output.contains("applied") && !status.output.contains("partial"))
    try scratch.write("flyway/V2__c.sql", "CREATE INDEX CONCURRENTLY c ON b (n);\nSELECT 1;")
    try run("up", "--dir", folder("flyway"), "--history", "flyway").succeeded()
    let plan = try Program(database: database.url).run(["migrate", "plan"] + goose).succeeded()
    #expect(plan.output == "nothing to do\n")
    try Program(database: database.url).run(["migrate", "down"] + goose).succeeded()
    #expect(try database.value("SELECT concat(to_regclass('a'), ' ', to_regclass('b'))") == " b")
    let histories =
      "SELECT string_agg(history || ':' || version, ' ' ORDER BY position) FROM rivulet.migration"
    #expect(try database.value(histories) == "flyway:1 flyway:2")
    try run("up", "--dir", folder("goose"), "--history", "goose").succeeded()
    // What both have made is what the histories say.
    try run("status", "--dir", folder("flyway"), "--history", "flyway", "--drift", "--here").succeeded()
    try database.connect().execute("CREATE TABLE by_hand (n int)")
    try run("status", "--dir", folder("flyway"), "--history", "flyway", "--drift", "--here").failed(5)
  }

  @Test("run one folder in each of several schemas, named or found by a query, with the status of all")
  func schemas() throws {
    try scratch.write(
      "V1__a.sql", "CREATE TABLE fee (n int);\nCREATE TABLE \"${flyway:defaultSchema}_x\" (n int);")
    try scratch.write("V2__b.sql", "CREATE INDEX CONCURRENTLY fee_n ON fee (n);")
    // What only the server knows is known in each of them.
    try scratch.write(
      "R__v.sql",
      "CREATE OR REPLACE VIEW v AS SELECT n FROM fee WHERE current_database() = '${flyway:database}';")
    try database.connect().execute("CREATE SCHEMA t_a; CREATE SCHEMA \"t B\"; CREATE SCHEMA other")
    let tenants = [
      "--dir", scratch.path, "--schema",
      "SELECT nspname FROM pg_namespace WHERE nspname LIKE 't\\_%' OR nspname = 't B' ORDER BY 1 DESC",
    ]
    let program = Program(database: database.url)
    try run("up", "--dir", scratch.path, "--schema", "t_a", "--to", "1").succeeded()
    let answer = try program.run(["migrate", "up", "--format", "json"] + tenants).succeeded().object()
    let schemas = try #require(answer["schemas"] as? [[String: Any]])
    #expect(schemas.map { $0["schema"] as? String } == ["t_a", "t B"])
    #expect(schemas.map { ($0["steps"] as? [Any])?.count } == [2, 3])
    #expect(
      try database.value(
        "SELECT count(*) FROM pg_class WHERE relname IN ('fee', 'fee_n', 'v', 't_a_x', 't B_x')") == "8")
    #expect(try database.value("SELECT to_regclass('public.fee')") == nil)
    try program.run(["migrate", "status", "--check"] + tenants).succeeded()
    try scratch.write("V3__c.sql", "SELECT 1;")
    let status = try program.run(["migrate", "status", "--check"] + tenants)
    status.failed(5)
    #expect(status.output.contains("t_a:\n") && status.output.contains("t B:\n"))
    try run("up", "--dir", scratch.path, "--schema", "t_a,nowhere").failed(
      2, saying: "there is no schema nowhere")
    try run("up", "--dir", scratch.path, "--schema", "SELECT 'x' WHERE false").failed(
      2, saying: "no schema is named by")
    // A schema's migrations are repeated in it.
    try database.connect().execute("DROP SCHEMA other")
    try run("status", "--dir", scratch.path, "--drift", "--here").succeeded()
  }

  @Test("go back, and are repaired, in the schema that they were run in")
  func wayBack() throws {
    try scratch.write(
      "0001_a.sql", "-- rivulet:up\nCREATE TABLE fee (n int);\n-- rivulet:down\nDROP TABLE fee;\n")
    try database.connect().execute("CREATE SCHEMA t; CREATE TABLE public.fee AS SELECT 1 AS n")
    let dir = ["--dir", scratch.path]
    let program = Program(database: database.url)
    try program.run(["migrate", "up", "--schema", "t"] + dir).succeeded()
    let state = "SELECT concat_ws(' ', to_regclass('t.fee'), (SELECT count(*) FROM public.fee))"
    #expect(try database.value(state) == "t.fee 1")
    try program.run(["migrate", "redo", "--history", "t"] + dir).succeeded()
    #expect(try database.value(state) == "t.fee 1")
    let text = "-- rivulet:up\nCREATE TABLE fee (n  int, m int);\n-- rivulet:down\nDROP TABLE fee;\n"
    try scratch.write("0001_a.sql", text)
    try program.run(["migrate", "repair", "1", "--accept", "--history", "t"] + dir).succeeded()
    let definition = "SELECT definition FROM rivulet.migration"
    #expect(try database.value(definition)?.contains("-- rivulet:down run_in=t") == true)
    try scratch.write("0001_a.sql", text.replacing("m int", with: "o int"))
    try program.run(["migrate", "repair", "1", "--restore", "--history", "t"] + dir).succeeded()
    #expect(try String(contentsOfFile: scratch.path + "/0001_a.sql", encoding: .utf8) == text)
    try program.run(["migrate", "down", "--history", "t"] + dir).succeeded()
    #expect(try database.value(state) == "1")
    // Nothing leads into public.
    try scratch.write("0002_b.sql", "-- rivulet:up\nDROP TABLE t.fee;\nTRUNCATE fee;")
    try program.run(["migrate", "up", "--schema", "t"] + dir).failed(
      1, saying: "0002_b.sql:3:1: ERROR 42P01")
    #expect(try database.value("SELECT count(*) FROM public.fee") == "1")
  }

  @Test("read several folders as one, where their formats are one")
  func severalFolders() throws {
    try scratch.write("common/V1__a.sql", "CREATE TABLE a (n int);")
    try scratch.write("pg/V2__b.sql", "CREATE TABLE b (n int);")
    try scratch.write("goose/3_c.sql", "-- +goose Up\nSELECT 1;")
    try run("up", "--dir", folder("pg"), "--dir", folder("common")).succeeded()
    #expect(
      try database.value("SELECT string_agg(version, ' ' ORDER BY position) FROM rivulet.migration") == "1 2")
    try run("up", "--dir", folder("pg"), "--dir", folder("goose")).failed(
      2, saying: "cannot be read as one with")
    try scratch.write("common/V2__again.sql", "SELECT 1;")
    try run("up", "--dir", folder("pg"), "--dir", folder("common")).failed(
      2, saying: "version 2 is claimed by")
  }

  @Test("are marked, and written as a script that psql runs")
  func marks() throws {
    try scratch.write("V1__a.sql", "CREATE TABLE a (n int);")
    try run("mark", "1", "--dir", scratch.path).failed(2, saying: "name either --applied or --pending")
    try run("mark", "1", "--applied", "--dir", scratch.path).failed(2, saying: "--reason says why")
    let marked = try run("mark", "1", "--applied", "--reason", "by hand", "--dir", scratch.path).succeeded()
    #expect(marked.output == "1 a counts as applied: by hand\n")
    try run("status", "--check", "--dir", scratch.path).succeeded()
    try run("mark", "1", "--pending", "--reason", "restored", "--dir", scratch.path).succeeded()
    // Repeatable ones by their names.
    try scratch.write("R__v.sql", "CREATE VIEW v AS SELECT 1 AS n;")
    try run("mark", "R_x", "--applied", "--reason", "by hand", "--dir", scratch.path).failed(
      2, saying: "there is no migration R_x")
    try run("mark", "R_v", "--applied", "--reason", "by hand", "--dir", scratch.path).succeeded()
    let recorded =
      "SELECT kind || ' ' || version || ' ' || is_baseline FROM rivulet.migration WHERE kind <> 'versioned'"
    #expect(try database.value(recorded) == "repeatable v true")
    try scratch.write("R__v.sql", "CREATE VIEW v AS SELECT 2 AS n;")
    try run("mark", "R_v", "--applied", "--reason", "by hand again", "--dir", scratch.path).succeeded()
    try run("mark", "R_v", "--applied", "--reason", "twice", "--dir", scratch.path).failed(2)
    try run("mark", "R_v", "--pending", "--reason", "restored", "--dir", scratch.path).succeeded()
    #expect(try database.value(recorded) == nil)
    let file = try Scratch().path + ".sql"
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(try run("plan", "--script", "-o", file, "--dir", scratch.path).succeeded().output == file + "\n")
    #expect(
      try run("plan", "--script", "--dir", scratch.path).succeeded().output.contains(
        "CREATE TABLE a (n int);"))
    try run("plan", "-o", file, "--dir", scratch.path).failed(2, saying: "-o goes with --script")
  }
}
