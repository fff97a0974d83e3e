import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// What a migration asks for, and what runs again.
@Suite("A migration's conditions and repeatable files")
struct ConditionTests {
  private let own: OwnMigrations

  init() throws { own = try OwnMigrations() }

  @Test("that are not met keep a migration from starting, with the place", arguments: ["", "VACUUM;"])
  func require(also: String) throws {
    try own.execute("CREATE TABLE old (n int); INSERT INTO old VALUES (1)")
    try own.write(
      "1_a.sql", up: "CREATE TABLE a (n int); \(also)", require: "SELECT 1;\nSELECT count(*) = 0 FROM old;")
    #expect(complaint { try own.up() }.hasPrefix("1_a.sql:3: migration 1 a does not start"))
    #expect(try own.tables() == "old")
    try own.execute("DELETE FROM old")
    #expect(try own.up() == ["1"])
  }

  @Test("that fail or answer nothing are reported with the place")
  func brokenRequire() throws {
    try own.write("1_a.sql", up: "SELECT 1;", require: "SELECT true\nFROM nowhere;")
    #expect(complaint { try own.up() }.contains(".sql:3:"))
    try own.write("1_a.sql", up: "SELECT 1;", require: "SELECT NULL::boolean;")
    #expect(complaint { try own.up() }.contains("does not start"))
    for wrong in ["-- nothing", "SELECT 't'::text;", "SELECT true WHERE false;", "VALUES (true), (true);"] {
      try own.write("1_a.sql", up: "SELECT 1;", require: wrong)
      #expect(complaint { try own.up() }.contains("one boolean"))
    }
  }

  @Test("let repeatable files run after the versioned ones, by name, and again when their content changes")
  func repeatable() throws {
    try own.write("1_a.sql", up: "CREATE TABLE a (n int);", down: "DROP TABLE a CASCADE;")
    try own.scratch.write("R_second.sql", "CREATE OR REPLACE VIEW second AS SELECT n FROM first;")
    try own.scratch.write("R_first.sql", "-- rivulet:up\nCREATE OR REPLACE VIEW first AS SELECT n FROM a;")
    #expect(try own.up() == ["1", "first", "second"])
    #expect(try own.up() == [])
    try own.scratch.write(
      "R_second.sql", "CREATE OR REPLACE VIEW second AS SELECT n -- what changes nothing\n FROM first;")
    #expect(try own.up() == [])
    try own.scratch.write("R_second.sql", "CREATE OR REPLACE VIEW second AS SELECT n, 1 AS one FROM first;")
    #expect(try own.states() == "1:applied first:applied second:changed")
    #expect(try own.engine().status().isInStep == false)
    #expect(try own.up() == ["second"])
    // What they made may go with a table, so they run again.
    #expect(try own.down() == ["1"])
    #expect(try own.up() == ["1", "first", "second"])
  }

  @Test("let repeatable files wait while a versioned one is left")
  func repeatableLater() throws {
    try own.writeThree()
    try own.scratch.write("R_view.sql", "CREATE OR REPLACE VIEW v AS SELECT n FROM c;")
    #expect(try own.up(.steps(2)) == ["0001", "0002"])
    #expect(try own.up() == ["0003", "view"])
  }

  @Test("let a redo run what the file says now")
  func redo() throws {
    try own.writeThree()
    _ = try own.up()
    try own.write("0003_c.sql", up: "CREATE TABLE d (n int);", down: "DROP TABLE d;")
    #expect(try own.done { try own.engine().redo(.natural, $0) } == ["0003", "0003"])
    #expect(try own.tables() == "abd")
    #expect(try own.states() == "0001:applied 0002:applied 0003:applied")
    try own.write("0003_c.sql", up: "CREATE TABLE e (n nothing);", down: "DROP TABLE e;")
    let engine = try own.engine { $0.isSingleTransaction = true }
    #expect(throws: MigrationError.self) { try engine.redo(.steps(2)) { _, _ in } }
    #expect(try own.tables() == "abd")
  }

  @Test("hold for all migrations of a call where it is one transaction")
  func singleTransaction() throws {
    try own.writeThree()
    try own.write("0004_d.sql", up: "CREATE TABLE d (n nothing);")
    let engine = try own.engine { $0.isSingleTransaction = true }
    let reported = own.done { report in
      #expect(throws: MigrationError.self) { try engine.up(.natural, report) }
    }
    #expect(reported == [])
    #expect(try own.tables() == nil)
    try own.write("0004_d.sql", up: "CREATE TABLE d (n int);", down: "DROP TABLE d;")
    #expect(try own.up { $0.isSingleTransaction = true } == ["0001", "0002", "0003", "0004"])
    #expect(
      try own.down(.version("0")) { $0.isSingleTransaction = true } == ["0004", "0003", "0002", "0001"])
    #expect(try own.tables() == nil)
  }

  @Test("let a late file in where it is asked for, and say so")
  func late() throws {
    try own.writeThree()
    #expect(try own.up() == ["0001", "0002", "0003"])
    try own.write("00015_x.sql", up: "SELECT 1;")
    try own.write("0000_early.sql", up: "CREATE TABLE early (n int);", down: "DROP TABLE early;")
    #expect(try own.engine().status().late.map(\.version) == ["0000"])
    #expect(try own.up { $0.allowsLate = true } == ["0000", "00015"])
    #expect(try own.states() == "0000:late 0001:applied 0002:applied 0003:applied 00015:applied")
    #expect(try own.engine().status().isInStep)
  }
}
