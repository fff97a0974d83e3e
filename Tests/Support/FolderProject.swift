import Foundation
import PostgreSQL
import Testing

/// A project with three histories in one database: our own folder, which makes the tenants' schemas; one of goose;
/// and one of Flyway, in two folders, that is run in each of the schemas. All of them count from 1.
public struct FolderProject {
  private let scratch: Scratch
  private let database: TestDatabase
  private let program: Program

  /// Makes it, for a database that is empty.
  public init(_ database: TestDatabase, environment: [String: String] = [:]) throws {
    scratch = try Scratch()
    self.database = database
    program = Program(database: database.url, environment: environment)
    try scratch.write(
      "rivulet.yaml",
      """
      project: tenants
      time_zone: UTC
      migrations:
        - {history: base, dir: Base}
        - {history: goose, dir: Goose}
        - {history: tenants, dir: [Tenants, More], schema: SELECT name FROM base.tenant ORDER BY name}

      """)
    try scratch.write(
      "Base/0001_tenants.sql",
      """
      -- rivulet:up
      CREATE SCHEMA north;
      CREATE SCHEMA south;
      CREATE SCHEMA base;
      CREATE TABLE base.tenant (name text PRIMARY KEY);
      INSERT INTO base.tenant VALUES ('south'), ('north');
      -- rivulet:down
      DROP TABLE base.tenant;
      DROP SCHEMA base;
      DROP SCHEMA south;
      DROP SCHEMA north;

      """)
    try scratch.write(
      "Goose/00001_log.sql",
      """
      -- +goose Up
      CREATE TABLE base.log (tenant text REFERENCES base.tenant);
      -- +goose Down
      DROP TABLE base.log;

      """)
    try scratch.write(
      "Tenants/V1__fee.sql", "CREATE TABLE fee (n int, tenant text REFERENCES base.tenant);")
    try scratch.write("Tenants/U1__fee.sql", "DROP TABLE fee;")
    try scratch.write("More/V2__fee_key.sql", "CREATE UNIQUE INDEX CONCURRENTLY fee_key ON fee (n);")
    try scratch.write("More/U2__fee_key.sql", "DROP INDEX fee_key;")
  }

  private func migrate(_ arguments: String...) throws -> Program.Outcome {
    try program.run(["--project", scratch.path, "migrate"] + arguments)
  }

  private func histories() throws -> String? {
    try database.value(
      """
      SELECT string_agg(entry, ' ') FROM (
        SELECT history || ':' || string_agg(version, ',' ORDER BY position) AS entry
        FROM rivulet.migration GROUP BY history ORDER BY min(position)) h
      """)
  }

  /// Looks, plans, proves, applies, looks again, goes back in one history, and in all.
  public func tell() throws {
    // Nothing is there that the query for schemas could ask.
    let empty = try migrate("status", "--check").failed(5)
    #expect(empty.output.contains("base:\n") && empty.output.contains("there is no schema for tenants\n"))
    let verified = try migrate("verify").succeeded()
    #expect(verified.output.contains("tenants:\n1 fee: up, down, up: ok\n2 fee_key: up, down, up: ok\n"))
    let plan = try migrate("plan", "--format", "json").succeeded()
    #expect(try plan.at("folders/1/migrations/0/name") == "log")
    let dry = try migrate("up", "--dry-run").succeeded()
    #expect(dry.output.contains("goose:\nwould apply 00001 log\n"))
    #expect(try database.value("SELECT to_regnamespace('rivulet')") == nil)

    let up = try migrate("up", "--format", "json").succeeded()
    #expect(try up.at("folders/2/schemas/1/schema") == "south")
    #expect(try histories() == "base:0001 goose:00001 tenants/north:1,2 tenants/south:1,2")
    #expect(
      try database.value(
        "SELECT string_agg(relnamespace::regnamespace::text, ' ' ORDER BY 1) FROM pg_class "
          + "WHERE relname = 'fee_key'") == "north south")
    let status = try migrate("status", "--check").succeeded()
    #expect(status.output.contains("tenants/north:\n") && status.output.contains("tenants/south:\n"))
    try migrate("status", "--check", "--drift", "--here").succeeded()
    #expect(try migrate("plan").succeeded().output.contains("tenants/south:\nnothing to do\n"))
    try program.run("--project", scratch.path, "report", "-o", scratch.path + "/report.html").succeeded()
    let report = try String(contentsOfFile: scratch.path + "/report.html", encoding: .utf8)
    #expect(report.contains("Migrations of tenants/north"))
    try migrate("lint").succeeded()

    // A tenant more, and what there is to do for it.
    try database.connect().execute("CREATE SCHEMA west; INSERT INTO base.tenant VALUES ('west')")
    try migrate("status", "--check").failed(5)
    let night = try program.run("--project", scratch.path, "nightly", "--format", "json").failed(5)
    #expect(night.output.contains("pending: tenants/west: 1 fee, tenants/west: 2 fee_key"))
    let doctor = try program.run("--project", scratch.path, "doctor", "--format", "json")
    #expect(doctor.output.contains("2 pending of tenants/west: 1 fee, 2 fee_key"))
    try migrate("up", "--history", "tenants", "--schema", "west").succeeded()
    try migrate("status", "--check").succeeded()

    // Back in one schema, in one folder, and in all of them.
    try migrate("down").failed(2, saying: "name one with --history, of base, goose, tenants")
    try migrate("down", "--steps", "2", "--history", "tenants/west").succeeded()
    #expect(
      try histories() == "base:0001 goose:00001 tenants/north:1,2 tenants/south:1,2")
    try database.connect().execute("DELETE FROM base.tenant WHERE name = 'west'; DROP SCHEMA west")
    try migrate("redo", "--history", "tenants").succeeded()
    try migrate("down", "--to", "0").succeeded()
    #expect(try histories() == nil)
    #expect(try database.value("SELECT to_regnamespace('north')") == nil)
  }
}
