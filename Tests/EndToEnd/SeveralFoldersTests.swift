import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Folders that rivulet.yaml names, and schemas that every command goes through.
@Suite("Several folders and schemas")
struct SeveralFoldersTests {
  private let database: TestDatabase
  private let scratch: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    scratch = try Scratch()
  }

  private func folder(_ name: String) -> String { scratch.path + "/" + name }

  @Test("are kept by one command each, in their order")
  func project() throws { try FolderProject(database).tell() }

  @Test("are chosen by name, and one that has none by its folder's")
  func choice() throws {
    try scratch.write(
      "rivulet.yaml",
      """
      project: two
      time_zone: UTC
      migrations:
        - dir: Migrations
        - {history: tenants, dir: Tenants, schema: [north, south]}

      """)
    try scratch.write(
      "Migrations/0001_a.sql", "-- rivulet:up\nCREATE TABLE a (n int);\n-- rivulet:down\nDROP TABLE a;\n")
    try scratch.write(
      "Tenants/0001_b.sql", "-- rivulet:up\nCREATE TABLE b (n int);\n-- rivulet:down\nDROP TABLE b;\n")
    let project = ["--project", scratch.path, "migrate"]
    let program = Program(database: database.url)
    for (words, message) in [
      (["up", "--history", "tenant"], "rivulet.yaml names no history 'tenant'; did you mean 'tenants'?"),
      (["up", "--schema", "north"], "--schema goes with --history"),
      (
        ["up", "--to", "1"],
        "--to is about one of the folders of migrations: name it with --history, of Migrations, tenants"
      ),
      (["lint", "1"], "1 is of one of the folders of migrations"),
      (["new", "more"], "name one with --history, of Migrations, tenants"),
      (["up"], "there is no schema north, south"),
    ] {
      try program.run(project + words).failed(2, saying: message)
    }
    // What came before the schemas is done.
    try program.run(project + ["status", "--check", "--history", "Migrations"]).succeeded()
    try program.run(project + ["new", "more", "--history", "tenants"]).succeeded()
    #expect(FileManager.default.fileExists(atPath: folder("Tenants/0002_more.sql")))
    try FileManager.default.removeItem(atPath: folder("Tenants/0002_more.sql"))
    try database.connect().execute("CREATE SCHEMA north; CREATE SCHEMA south")
    try program.run(project + ["up", "--history", "tenants/south"]).succeeded()
    let status = try program.run(project + ["status", "--check"]).failed(5)
    #expect(status.output.contains("tenants/north:\n") && status.output.contains("tenants/south:\n"))
    try program.run(project + ["up"]).succeeded()
    try program.run(project + ["redo", "--history", "Migrations"]).succeeded()
    let tables = "SELECT concat_ws(' ', to_regclass('a'), to_regclass('north.b'), to_regclass('south.b'))"
    #expect(try database.value(tables) == "a north.b south.b")
  }

  @Test("take over, mark, repair, plan and revert in each schema that is named")
  func everySchema() throws {
    try scratch.write("1_a.sql", "-- +goose Up\nCREATE TABLE fee (n int);\n-- +goose Down\nDROP TABLE fee;\n")
    try scratch.write("2_b.sql", "-- +goose Up\nCREATE TABLE cap (n int);\n-- +goose Down\nDROP TABLE cap;\n")
    for schema in ["north", "south"] {
      try database.connect().execute(
        """
        CREATE SCHEMA \(schema);
        CREATE TABLE \(schema).fee (n int);
        CREATE TABLE \(schema).goose_db_version (
          id int GENERATED ALWAYS AS IDENTITY, version_id bigint, is_applied bool, tstamp timestamp);
        INSERT INTO \(schema).goose_db_version (version_id, is_applied) VALUES (0, true), (1, true);
        """)
    }
    let tenants = ["--dir", scratch.path, "--schema", "north,south"]
    let program = Program(database: database.url)
    let taken = try program.run(["migrate", "baseline", "--from", "goose", "--format", "json"] + tenants)
      .succeeded()
    let found = try taken.at("schemas/*/baseline/0/version", "schemas/*/pending")
    #expect(found == "\"1\" \"1\" 1 1")
    let plan = try program.run(["migrate", "plan", "--here"] + tenants).succeeded()
    #expect(plan.output.contains("north:\n2 b\n") && plan.output.contains("south:\n2 b\n"))
    try program.run(["migrate", "plan", "--script"] + tenants).failed(2, saying: "a script is for one schema")
    let reason = ["--reason", "by hand"]
    try program.run(["migrate", "mark", "2", "--applied"] + reason + tenants).succeeded()
    try program.run(["migrate", "status", "--check"] + tenants).succeeded()
    try program.run(["migrate", "mark", "2", "--pending"] + reason + tenants).succeeded()
    try program.run(["migrate", "verify", "--here"] + tenants).succeeded()
    try program.run(["migrate", "up"] + tenants).succeeded()
    try scratch.write("2_b.sql", "-- +goose Up\nCREATE TABLE cap (m int);\n-- +goose Down\nDROP TABLE cap;\n")
    try program.run(["migrate", "repair", "2"] + tenants).failed(5)
    try program.run(["migrate", "repair", "2", "--restore"] + tenants).failed(
      2, saying: "name that with --schema")
    try program.run(["migrate", "repair", "2", "--accept"] + tenants).succeeded()
    try program.run(["migrate", "redo"] + tenants).succeeded()
    #expect(
      try database.value(
        "SELECT count(*) FROM pg_attribute WHERE attname = 'm' AND attrelid IN "
          + "('north.cap'::regclass, 'south.cap'::regclass)") == "2")
    try program.run(["migrate", "down", "--to", "1"] + tenants).succeeded()
    #expect(try database.value("SELECT concat(to_regclass('north.cap'), to_regclass('south.cap'))") == "")
  }
}
