import Foundation
import TestSupport
import Testing

@testable import MigrationEngine

/// Migrations of two halves, of which the second waits.
@Suite("Halves that expand and contract")
struct HalvesTests {
  private static let rename = """
    -- rivulet:expand
    ALTER TABLE a ADD COLUMN m int;
    UPDATE a SET m = n;
    -- rivulet:down
    ALTER TABLE a DROP COLUMN m;
    -- rivulet:contract
    ALTER TABLE a DROP COLUMN n;
    -- rivulet:down
    ALTER TABLE a ADD COLUMN n int;
    UPDATE a SET n = m;
    -- rivulet:require
    SELECT count(*) = 0 FROM a WHERE m IS DISTINCT FROM n;
    """

  /// A table with a column to be renamed, and a migration behind that.
  private func folder(_ more: [String: String] = [:]) throws -> OwnMigrations {
    let own = try OwnMigrations(more)
    try own.write(
      "0001_a.sql", up: "CREATE TABLE a (n int); INSERT INTO a VALUES (7);", down: "DROP TABLE a;")
    try own.scratch.write("0002_m.sql", HalvesTests.rename)
    try own.write("0003_b.sql", up: "CREATE TABLE b (n int);", down: "DROP TABLE b;")
    return own
  }

  private func columns(_ own: OwnMigrations) throws -> String? {
    try own.database.value(
      "SELECT string_agg(attname, '' ORDER BY attname) FROM pg_attribute WHERE attrelid = 'a'::regclass AND attnum > 0 AND NOT attisdropped"
    )
  }

  @Test("up stops between them, and what is behind them waits too")
  func stop() throws {
    let own = try folder()
    let sentence = "0002.contract m waits for 'rivulet migrate contract', and so do those behind it: 0003 b"
    #expect(complaint { try own.up() }.hasPrefix(sentence))
    #expect(try own.states() == "0001:applied 0002:applied")
    #expect(try columns(own) == "mn")
    // Nothing is begun, and hooks do not run.
    #expect(complaint { try own.up() }.hasPrefix(sentence))
    #expect(try own.up(.version("2")) == [])
    #expect(try own.up(.steps(1)) == [])
    #expect(complaint { try own.up(.version("0002.contract")) }.hasPrefix("0002.contract m waits"))
    let status = try own.engine().status()
    #expect(status.awaiting?.version == "0002.contract" && !status.isInStep)
    #expect(try own.up { $0.contractHalves = .next } == ["0002.contract"])
    #expect(try own.up { $0.contractHalves = .next } == [])
    #expect(try columns(own) == "m")
    #expect(try own.up() == ["0003"])
    #expect(try own.down(.steps(2)) == ["0003", "0002.contract"])
    #expect(try columns(own) == "mn")
    #expect(try own.database.value("SELECT n FROM a") == "7")
    #expect(try own.down() == ["0002"])
    #expect(try columns(own) == "n")
    #expect(try own.up { $0.contractHalves = .all } == ["0002", "0002.contract", "0003"])
  }

  @Test("a second half that waits is in step, and repeatable ones run beside it")
  func step() throws {
    let own = try folder(["R_v.sql": "SELECT 1;"])
    try FileManager.default.removeItem(atPath: own.scratch.path + "/0003_b.sql")
    #expect(try own.up() == ["0001", "0002", "v"])
    #expect(try own.engine().status().isInStep)
    #expect(try own.up() == [])
    // Its text may be edited until it is run; that of the first half may not.
    try own.scratch.write(
      "0002_m.sql", HalvesTests.rename.replacing("DROP COLUMN n;", with: "DROP COLUMN n; SELECT 1;"))
    #expect(try own.engine().status().isInStep)
    try own.scratch.write("0002_m.sql", HalvesTests.rename.replacing("m = n;", with: "m = n + 1;"))
    #expect(complaint { try own.up() }.hasPrefix("applied migrations were edited since: 0002 m"))
  }

  @Test("the second half does not start while what it requires is not true")
  func requirement() throws {
    let own = try folder()
    _ = complaint { try own.up() }
    try own.execute("INSERT INTO a (n) VALUES (8)")
    #expect(
      complaint { try own.up { $0.contractHalves = .next } }
        .contains("what its section 'require' asks for is not true"))
    #expect(try columns(own) == "mn")
  }

  @Test("verify proves each of the three states, and tells which way back is faulty")
  func verify() throws {
    let own = try folder()
    func verified() throws -> [String] {
      var found: [String] = []
      let verifier = MigrationVerifier(folder: try own.open(), place: .beside(try own.database.connect()))
      _ = try verifier.run { found.append("\($0.label): \($0.result)") }
      return found
    }
    #expect(try verified() == ["0001 a: ok", "0002 m: ok", "0002.contract m: ok", "0003 b: ok"])
    try own.scratch.write(
      "0002_m.sql", HalvesTests.rename.replacing("ADD COLUMN n int", with: "ADD COLUMN n text"))
    #expect(try verified()[2] == "0002.contract m: differs")
    try own.scratch.write(
      "0002_m.sql", HalvesTests.rename.replacing("ALTER TABLE a DROP COLUMN m;", with: ""))
    #expect(try verified()[1] == "0002 m: differs")
  }

  @Test("plan and the script go as far as up would")
  func plan() throws {
    let own = try folder()
    let connection = try own.database.connect()
    var planner = MigrationPlanner(target: connection, folder: try own.open(), place: .beside(connection))
    #expect(try planner.plan(.natural).map(\.migration.version) == ["0001", "0002"])
    planner.contractHalves = .all
    #expect(try planner.plan(.natural).map(\.migration.version) == ["0001", "0002", "0002.contract", "0003"])
    let script = try own.engine().script(.natural)
    #expect(
      script.contains("-- Not in it: 0002.contract m waits") && !script.contains("-- 0002.contract m\n"))
    #expect(try own.engine { $0.contractHalves = .all }.script(.natural).contains("-- 0002.contract m\n"))
  }

  @Test("repair writes both halves, whichever is restored and whether or not the file is there")
  func repair() throws {
    let own = try folder()
    _ = complaint { try own.up() }
    let path = own.scratch.path + "/0002_m.sql"
    let edited = HalvesTests.rename.replacing("m = n;", with: "m = 9;")
      .replacing("DROP COLUMN n;", with: "DROP COLUMN n; SELECT 5;")
    try own.scratch.write("0002_m.sql", edited)
    _ = try own.engine().repair("0002", .restoreFile)
    // What waits stays as it was edited.
    #expect(
      try String(contentsOfFile: path, encoding: .utf8).contains("UPDATE a SET m = n;")
        && own.open().migration("0002.contract")?.up.sql.contains("SELECT 5;") == true)
    #expect(try own.engine().finding("0002").row.state == .applied)
    try FileManager.default.removeItem(atPath: path)
    _ = try own.engine().repair("0002", .restoreFile)
    #expect(try own.engine().status().awaiting?.version == "0002.contract")
    try own.up { $0.contractHalves = .all }
    try FileManager.default.removeItem(atPath: path)
    _ = try own.engine().repair("0002.contract", .restoreFile)
    #expect(try own.engine().status().isInStep)
    #expect(try own.states() == "0001:applied 0002:applied 0002.contract:applied 0003:applied")
  }

  @Test("marks keep their order, and a second half is never late")
  func marks() throws {
    let own = try folder()
    #expect(
      complaint { try own.engine().mark("0002.contract", .applied, reason: "x") }
        .hasPrefix("0002.contract m cannot be applied while its first half is not"))
    try own.up { $0.contractHalves = .all }
    #expect(
      complaint { try own.engine().mark("0002", .pending, reason: "x") }
        .hasPrefix("0002 m cannot be pending while its second half is applied"))
    try own.execute("ALTER TABLE a ADD COLUMN n int; UPDATE a SET n = m")
    _ = try own.engine().mark("0002.contract", .pending, reason: "done again by hand")
    #expect(try own.up { $0.contractHalves = .next } == ["0002.contract"])
  }

  @Test("another tool's file with such a section is refused, and not run as one")
  func foreign() throws {
    let own = try OwnMigrations([
      "V1__a.sql": "-- rivulet:expand\nCREATE TABLE a (n int);\n-- rivulet:contract\nDROP TABLE a;"
    ])
    #expect(complaint { try own.up() }.hasPrefix("V1__a.sql:3: only files of rivulet's own have halves"))
  }

  @Test("the next new migration is numbered after the file")
  func number() throws {
    let own = try folder()
    try FileManager.default.removeItem(atPath: own.scratch.path + "/0003_b.sql")
    #expect(try own.open().writeNew("next").hasSuffix("/0003_next.sql"))
  }

  @Test(
    "a file without one of them, or with a section of neither, is refused",
    arguments: [
      ("-- rivulet:expand\nSELECT 1;", "0001_a.sql:1: a section 'expand' without the other half"),
      ("-- rivulet:contract\nSELECT 1;", "0001_a.sql:1: a section 'contract' without the other half"),
      (
        "-- rivulet:contract\nSELECT 1;\n-- rivulet:expand\nSELECT 1;",
        "0001_a.sql:1: a section 'contract' without the other half"
      ),
      (
        "-- rivulet:expand\nSELECT 1;\n-- rivulet:up\nSELECT 1;\n-- rivulet:contract\nSELECT 1;",
        "0001_a.sql:3: unknown section 'up': the sections are expand, down, require and verify"
      ),
      (
        "-- rivulet:expand\nSELECT 1;\n-- rivulet:contract\nSELECT 1;\n-- rivulet:contract\nSELECT 1;",
        "0001_a.sql:5: a second section 'contract'"
      ),
    ])
  func refusals(text: String, sentence: String) throws {
    let own = try OwnMigrations(["0001_a.sql": text])
    #expect(complaint { try own.up() }.hasPrefix(sentence))
  }
}
