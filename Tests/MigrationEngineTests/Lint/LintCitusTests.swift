import Testing

@testable import MigrationEngine

/// What Citus 13 refuses, as the text alone shows.
@Suite("The rules of the lint for Citus")
struct LintCitusTests {
  /// Tables that are placed, and one that is not.
  static let placed = """
    CREATE SCHEMA app;
    CREATE TABLE app.visit (
      source_id bigint, id bigint, n text, v int, CONSTRAINT visit_key PRIMARY KEY (source_id, id));
    CREATE TABLE app.part (
      source_id bigint, id bigint, m text, CONSTRAINT part_key PRIMARY KEY (source_id, id));
    DO $$ BEGIN
      IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        PERFORM create_distributed_table('app.visit', 'source_id');
        PERFORM create_distributed_table('app.part', 'source_id', colocate_with => 'app.visit');
      END IF;
    END $$;
    CREATE TABLE app.code (code text CONSTRAINT code_key PRIMARY KEY, n int, s bigint, i bigint);
    SELECT create_reference_table('app.code');
    CREATE TABLE app.ledger (id bigint CONSTRAINT ledger_key PRIMARY KEY, t text);
    CREATE INDEX visit_v ON app.visit (v);
    INSERT INTO app.visit SELECT i % 10, i, 'n' || i, i FROM generate_series(1, 100) i;
    INSERT INTO app.code SELECT 'n' || i, i FROM generate_series(1, 100) i;
    CREATE FUNCTION app.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE ROLE citus_reader;
    CREATE ROLE citus_account;
    ALTER ROLE citus_account WITH LOGIN;
    GRANT USAGE, CREATE ON SCHEMA app TO citus_reader, citus_account;
    GRANT SELECT ON app.visit, app.code, app.ledger TO citus_reader, citus_account;
    """

  static func example(_ rule: String, _ sql: String...) -> [LintCase] {
    LintCase.all("citus-" + rule, sql, earlier: [placed])
  }

  static func anywhere(_ rule: String, _ sql: String...) -> [LintCase] {
    LintCase.all("citus-" + rule, sql)
  }

  static let cases = tables + constraints + queries + changes + routines + roles

  @Test("name the place of what they find, and nothing beside it", arguments: cases)
  func places(of example: LintCase) throws {
    #expect(try example.found() == example.expected)
  }

  @Test("are asked only where Citus is meant", arguments: cases)
  func asked(of example: LintCase) throws {
    var plain = example
    plain.isForCitus = false
    #expect(try plain.found() == [])
  }

  @Test("know the place of a table that is declared at its CREATE TABLE", arguments: [true, false])
  func declared(isAlike: Bool) throws {
    var folder = LintFolder()
    folder.placement.distribute("app.a", by: "k", isDeclared: true)
    folder.placement.distribute("app.b", by: "k", with: "app.a", isDeclared: true)
    let sql = """
      CREATE TABLE app.a (k text COLLATE "C");
      CREATE TABLE app.b (k text\(isAlike ? " COLLATE \"C\"" : ""), CONSTRAINT u UNIQUE (k));
      ALTER TABLE app.b ALTER COLUMN k SET (n_distinct = 9);
      """
    let section = Migration.Section(sql: sql, file: "x.sql")
    let migration = Migration(version: "1", name: "x", up: section, down: .missing)
    var reader = LintReader(
      rules: LintRule.all.filter(\.isForCitus), folder: folder, model: SchemaModel())
    try reader.read(LintSection(section, of: migration, isDown: false))
    #expect(
      reader.findings.map { "\($0.line):\($0.column) \($0.rule)" }
        == (isAlike ? [] : ["2:21 citus-colocation"]))
    reader.model.current = 1
    let later = Migration.Section(
      sql: "ALTER TABLE app.b ALTER COLUMN k SET (n_distinct = 9), DROP COLUMN k;", file: "x.sql")
    try reader.read(LintSection(later, of: migration, isDown: false))
    #expect(reader.findings.suffix(2).map(\.rule) == ["citus-alter-table", "citus-alter-table"])
  }
}
