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
}
