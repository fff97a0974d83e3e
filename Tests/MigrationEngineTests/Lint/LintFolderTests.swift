import SQLText
import TestSupport
import Testing

@testable import MigrationEngine

/// What the lint makes of a whole folder, and of comments that allow a finding.
@Suite("The lint of a folder")
struct LintFolderTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func write(_ name: String, _ up: String, down: String = "SELECT 1;") throws {
    try scratch.write(name, "-- rivulet:up\n\(up)\n-- rivulet:down\n\(down)\n")
  }

  /// `file:line:column rule` of each finding.
  private func findings(_ versions: String...) throws -> [String] {
    try Lint(folder: try MigrationFolder(scratch.path)).findings(in: versions).map {
      "\($0.file.dropFirst(scratch.path.count + 1)):\($0.line):\($0.column) \($0.rule)"
    }
  }

  @Test("reads what breaks off in a body as far as it goes")
  func brokenBody() throws {
    try scratch.write(
      "0001_a.sql", "-- rivulet:up\nCREATE FUNCTION app.f() RETURNS void BEGIN ATOMIC DROP VIEW")
    let lint = Lint(folder: try MigrationFolder(scratch.path), forCitus: true)
    #expect(try lint.findings().map(\.rule) == ["missing-down"])
  }

  @Test(
    "allows a finding where a reason is given on the statement or right above it",
    arguments: [
      ("CREATE INDEX t_b ON t (b); -- rivulet:allow index-without-concurrently small", []),
      ("-- rivulet:allow index-without-concurrently small\nCREATE INDEX t_b ON t (b);", []),
      (
        "-- rivulet:allow index-without-concurrently small\n-- and more of it\nCREATE INDEX t_b ON t (b);", []
      ),
      ("CREATE INDEX t_b\n  -- rivulet:allow index-without-concurrently small\n  ON t (b);", []),
      (
        "-- rivulet:allow rename, key-without-index small\nALTER TABLE t ADD CONSTRAINT u UNIQUE (b), RENAME TO s;",
        []
      ),
      (
        "-- rivulet:allow rename,key-without-index small\nALTER TABLE t ADD CONSTRAINT u UNIQUE (b), RENAME TO s;",
        []
      ),
      (
        "-- rivulet:allow index-without-concurrently small\n\nCREATE INDEX t_b ON t (b);",
        ["2:1 unused-allow", "4:1 index-without-concurrently"]
      ),
      (
        "-- rivulet:allow index-without-concurrently\nCREATE INDEX t_b ON t (b);",
        ["2:1 unused-allow", "3:1 index-without-concurrently"]
      ),
      (
        "-- rivulet:allow index-without small\nCREATE INDEX t_b ON t (b);",
        ["2:1 unused-allow", "3:1 index-without-concurrently"]
      ),
      ("SELECT 1; -- rivulet:allow rename there was one", ["2:11 unused-allow"]),
      ("-- rivulet:allow\nSELECT 1;", ["2:1 unused-allow"]),
      ("-- rivulet:allow citus-merge asked only with --citus\nSELECT 1;", []),
      ("SELECT '-- rivulet:allow rename a string';", []),
      (
        "CREATE INDEX t_b ON t (b); -- rivulet:allow index-without-concurrently small\nCREATE INDEX t_c ON t (c);",
        ["3:1 index-without-concurrently"]
      ),
    ])
  func allowances(sql: String, expected: [String]) throws {
    try write("0001_t.sql", "CREATE TABLE t (b int, c int);")
    try write("0002_next.sql", sql)
    #expect(try findings() == expected.map { "0002_next.sql:" + $0 })
  }

  @Test("is not seen by the checksum of a migration that is given an allowance")
  func checksum() throws {
    try write("0001_t.sql", "CREATE INDEX t_b ON t (b);")
    let before = try MigrationFolder(scratch.path).migrations.map(\.checksum)
    try write("0001_t.sql", "-- rivulet:allow index-without-concurrently small\nCREATE INDEX t_b ON t (b);")
    #expect(try MigrationFolder(scratch.path).migrations.map(\.checksum) == before)
    #expect(try findings() == [])
  }

  @Test("knows of a named migration what those before it made, and looks at no other")
  func versions() throws {
    try write("0002_b.sql", "ALTER TABLE t ALTER c TYPE bigint;\nCREATE INDEX t_c ON t (c);")
    try write("0001_a.sql", "CREATE TABLE t (b int, c int);\nALTER TABLE elsewhere RENAME TO there;")
    try write("0010_c.sql", "ALTER TABLE t ALTER c TYPE bigint;")
    try scratch.write("R_views.sql", "CREATE INDEX t_c ON t (c);")
    #expect(
      try findings("2") == [
        "0002_b.sql:2:15 rewriting-type-change", "0002_b.sql:3:1 index-without-concurrently",
      ])
    // The second change of the type changes nothing any more.
    #expect(try findings("0010") == [])
    #expect(try findings("views") == ["R_views.sql:1:1 index-without-concurrently"])
    #expect(try findings().count == 4)
    #expect(throws: MigrationError.self) { try findings("0003") }
  }

  @Test("looks at the way back for what is wrong there too")
  func down() throws {
    try write(
      "0001_a.sql", "CREATE TABLE s.t (b int);", down: "CREATE INDEX t_b ON s.t (b);\nDROP ROLE clerk;")
    #expect(try findings() == ["0001_a.sql:5:1 drop-role"])
  }

  @Test("says that a name lacks its schema only where most names have one")
  func unqualified() throws {
    try write(
      "0001_a.sql", "CREATE SCHEMA s;\nCREATE TABLE a (b int);\nCREATE TABLE s.b (b int);\nDROP TABLE a;")
    #expect(try findings() == [])
    try write("0002_b.sql", "CREATE TABLE s.c (b int);\nCREATE TABLE s.d (b int);")
    #expect(try findings() == ["0001_a.sql:3:14 unqualified-name", "0001_a.sql:5:12 unqualified-name"])
  }

  @Test("says where a file cannot be read")
  func broken() throws {
    try write("0001_a.sql", "SELECT 'x;")
    #expect(complaint { try findings() }.hasPrefix("0001_a.sql:2:"))
  }

  @Test("has a name, a reason and a fix of its own for every rule")
  func rules() {
    let entries = LintRule.all
    #expect(Set(entries.map(\.name)).count == entries.count)
    #expect(entries.filter { $0.reason.isEmpty || $0.fix.isEmpty || $0.fix.hasSuffix(".") }.isEmpty)
    // Each of them is tried on examples, one that it finds among them.
    let cases = LintRuleTests.cases + LintCitusTests.cases
    let tried = Set(cases.filter { !$0.expected.isEmpty }.map(\.rule))
    #expect(Set(entries.map(\.name)).subtracting(tried) == ["unused-allow"])
  }

  @Test("takes a statement that breaks off anywhere for what it is so far")
  func brokenOff() throws {
    var placed = LintFolder()
    for statement in try SQLScript(LintCitusTests.placed).statements { placed.placement.read(statement) }
    for example in LintRuleTests.cases + LintCitusTests.cases {
      let migration = Migration(
        version: "1", name: "x", up: Migration.Section(sql: example.plain, file: "x.sql"), down: .missing)
      for end in example.plain.indices {
        var section = migration.up
        section.sql = String(example.plain[..<end])
        // A quote that does not end is an error of its own.
        guard let read = try? LintSection(section, of: migration, isDown: false) else { continue }
        let folder = example.isForCitus ? placed : LintFolder()
        var reader = LintReader(rules: LintRule.all, folder: folder, model: SchemaModel())
        reader.read(read)
        #expect(reader.findings.allSatisfy { $0.line > 0 && $0.column > 0 })
      }
    }
  }
}
