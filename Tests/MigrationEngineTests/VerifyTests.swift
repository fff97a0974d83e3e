import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Migrations proven on a shadow beside a real database.
@Suite("Verifying migrations") struct VerifyTests {
  private let own: OwnMigrations
  private var scratch: Scratch { own.scratch }

  init() throws {
    own = try OwnMigrations()
    try write(
      "0001_base.sql",
      up: "CREATE TABLE t (a int, b text); CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      down: "DROP TABLE t; DROP FUNCTION f()")
  }

  private func write(_ name: String, up: String, down: String?) throws {
    try own.write(name, up: up + ";", down: down.map { $0 + ";" })
  }

  private func verify(to version: String? = nil) throws -> [VerifiedMigration] {
    let connection = try own.database.connect()
    try connection.execute(SchemaSnapshotTests.roles)
    let verifier = MigrationVerifier(
      folder: try own.open(mayBeEmpty: true), place: .beside(connection))
    var found: [VerifiedMigration] = []
    let isPassed = try verifier.run(to: version) { found.append($0) }
    #expect(isPassed == found.allSatisfy(\.isPassed))
    return found
  }

  @Test("what runs after all of an up does not run between its migrations")
  func afterAll() throws {
    try scratch.write("H_after_all.sql", "CREATE OR REPLACE VIEW v AS SELECT n FROM late;")
    try write("0002_late.sql", up: "CREATE TABLE late (n int)", down: "DROP TABLE late")
    #expect(try verify().map(\.isPassed) == [true, true])
  }

  @Test(
    "a way back that forgets something is reported with what it forgets",
    arguments: [
      ("CREATE INDEX t_a_idx ON t (a)", "index public.t_a_idx: is left over"),
      ("ALTER TABLE t ALTER a SET DEFAULT 5", "table public.t: column a: default: was none, now 5"),
      (
        "GRANT SELECT ON t TO snapshot_reader",
        "table public.t: grants to snapshot_reader: was none, now SELECT"
      ),
      ("COMMENT ON TABLE t IS 'x'", "table public.t: comment: was none, now 'x'"),
      (
        "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 2'",
        "function public.f(): definition: line 4 was 'AS $function$SELECT 1$function$', now 'AS $function$SELECT 2$function$'"
      ),
      (
        "CREATE TRIGGER z BEFORE UPDATE ON t EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "trigger z on public.t: is left over"
      ),
      ("CREATE POLICY p ON t", "policy p on public.t: is left over"),
      ("ALTER TABLE t DROP b", "table public.t: column b: is not put back"),
    ])
  func forgetful(up: String, line: String) throws {
    try write("0002_change.sql", up: up, down: "SELECT 1")
    try write("0003_later.sql", up: "CREATE TABLE later (a int)", down: "DROP TABLE later")
    let found = try verify()
    #expect(found.map(\.migration.version) == ["0001", "0002", "0003"])
    #expect(found.map(\.result) == [.ok, .differs, .ok])
    #expect(found[1].differences.first == line)
  }

  @Test("a column that is dropped and put back at the end counts as put back")
  func columnPlace() throws {
    try write("0002_drop.sql", up: "ALTER TABLE t DROP a", down: "ALTER TABLE t ADD a int")
    #expect(try verify().map(\.result) == [.ok, .ok])
  }

  @Test("a second up that gives something else is reported")
  func secondTime() throws {
    try write(
      "0002_if.sql",
      up:
        "DO $$ BEGIN IF to_regclass('mark') IS NULL THEN CREATE TABLE once (a int); END IF; END $$; CREATE TABLE IF NOT EXISTS mark ()",
      down: "DROP TABLE once")
    let found = try verify()
    #expect(found[1].result == .differs)
    #expect(
      found[1].differences == [
        "table public.mark: is left over", "table public.once: is not there the second time",
      ])
  }

  @Test(
    "a way back that fails is reported with its place, and the migrations after it are tried all the same")
  func brokenDown() throws {
    try write("0002_broken.sql", up: "CREATE TABLE u (a int)", down: "DROP TABLE nowhere")
    try write("0003_later.sql", up: "ALTER TABLE u ADD b int", down: "ALTER TABLE u DROP b")
    let found = try verify()
    #expect(found.map(\.result) == [.ok, .failed, .ok])
    let line = try #require(found[1].differences.first)
    #expect(line.hasPrefix("down: \(scratch.path)/0002_broken.sql:4:"))
    #expect(line.contains("table \"nowhere\" does not exist"))
  }

  @Test(
    "a migration that leaves half of itself outside a transaction is tried no further; the next start afresh")
  func brokenStatementwise() throws {
    try write(
      "0002_half.sql", up: "CREATE INDEX CONCURRENTLY i ON t (a)",
      down: "DROP INDEX CONCURRENTLY i;\nDROP INDEX CONCURRENTLY nowhere")
    try write("0003_later.sql", up: "COMMENT ON INDEX i IS 'x'", down: "COMMENT ON INDEX i IS NULL")
    let found = try verify()
    #expect(found.map(\.result) == [.ok, .failed, .ok])
  }

  @Test("a way back that releases the lock of the migrations fails, and the next one has it again")
  func unlockingDown() throws {
    try write(
      "0002_unlock.sql", up: "CREATE TABLE u (a int)", down: "SELECT pg_advisory_unlock_all(); DROP TABLE u")
    try write("0003_later.sql", up: "ALTER TABLE u ADD b int", down: "ALTER TABLE u DROP b")
    let found = try verify()
    #expect(found.map(\.result) == [.ok, .failed, .ok])
    #expect(found[1].differences[0].contains("migration 0002 releases all advisory locks"))
  }

  @Test("a migration that cannot be applied ends it, since those after it depend on it")
  func brokenUp() throws {
    try write("0002_broken.sql", up: "CREATE TABLE u (a nonsense)", down: "DROP TABLE u")
    try write("0003_later.sql", up: "ALTER TABLE u ADD b int", down: "ALTER TABLE u DROP b")
    let found = try verify()
    #expect(found.map(\.result) == [.ok, .failed])
    #expect(found[1].differences[0].contains("0002_broken.sql:2:19: ERROR 42704"))
    #expect(found[1].differences[1] == "those after it were not tried, since they depend on it")
  }

  @Test("one that says there is no way back goes up only; one that says nothing fails")
  func withoutDown() throws {
    try scratch.write(
      "0002_final.sql", "-- rivulet:up\nDROP TABLE t;\n-- rivulet:down irreversible \"rows are gone\"\n")
    try write("0003_silent.sql", up: "CREATE TABLE s (a int)", down: nil)
    let found = try verify()
    #expect(found.map(\.result) == [.ok, .irreversible, .failed])
    #expect(found[2].differences[0].hasPrefix("there is no section 'down'"))
  }

  @Test("repeatable ones are run twice, and must not mind")
  func repeatables() throws {
    try scratch.write("R_a.sql", "-- rivulet:up\nCREATE OR REPLACE VIEW v AS SELECT a FROM t;\n")
    try scratch.write("R_b.sql", "-- rivulet:up\nCREATE VIEW w AS SELECT a FROM t;\n")
    try scratch.write(
      "R_c.sql",
      "-- rivulet:up\nDO $$ BEGIN EXECUTE 'CREATE TABLE c_' || (SELECT count(*) FROM pg_class WHERE relname ~ '^c_') || ' (a int)'; END $$;\n"
    )
    let found = try verify()
    #expect(found.map(\.result) == [.ok, .ok, .failed, .differs])
    #expect(found.map(\.migration.kind) == [.versioned, .repeatable, .repeatable, .repeatable])
    #expect(found[2].differences[0].hasPrefix("the second run: "))
    #expect(found[3].differences == ["table public.c_1: is there only the second time"])
  }

  @Test("repeatable ones are tried also where the last migration cannot be reverted, or there is none")
  func repeatablesAlone() throws {
    try scratch.write("R_a.sql", "-- rivulet:up\nCREATE OR REPLACE VIEW v AS SELECT 1 AS n;\n")
    try write("0002_forgets.sql", up: "CREATE TABLE u (a int)", down: "SELECT 1")
    #expect(try verify().map(\.result) == [.ok, .differs, .ok])
    for name in ["0001_base.sql", "0002_forgets.sql"] {
      try FileManager.default.removeItem(atPath: scratch.path + "/" + name)
    }
    #expect(try verify().map(\.label) == ["R a"])
  }

  @Test("up to a version means no further, and no repeatable ones")
  func upTo() throws {
    try write("0002_broken.sql", up: "nonsense", down: "nonsense")
    try scratch.write("R_a.sql", "-- rivulet:up\nnonsense;\n")
    #expect(try verify(to: "1").map(\.migration.version) == ["0001"])
    #expect(throws: MigrationError.self) { try verify(to: "7") }
  }

  @Test(
    "what would reach beyond a shadow database is refused beside one that is in use",
    arguments: [
      "DROP ROLE x", "ALTER ROLE x SET search_path = a", "DROP USER x", "ALTER SYSTEM SET work_mem = '1MB'",
      "CREATE DATABASE x", "DROP DATABASE x", "ALTER DATABASE x SET work_mem = '1MB'", "DROP OWNED BY x",
      "REVOKE a FROM b",
    ])
  func beyond(statement: String) throws {
    try write("0002_wide.sql", up: "SELECT 1", down: "\n\(statement)")
    let error = #expect(throws: ShadowError.self) { try verify() }
    #expect(error?.description.contains("0002_wide.sql:5") == true)
  }
}
