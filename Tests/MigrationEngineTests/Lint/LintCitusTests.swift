import Testing

@testable import MigrationEngine

/// What Citus 13 refuses, as the text alone shows.
@Suite("The rules of the lint for Citus")
struct LintCitusTests {
  private static let placed = """
    CREATE TABLE app.visit (source_id bigint, id bigint, CONSTRAINT visit_key PRIMARY KEY (source_id, id));
    DO $$ BEGIN
      IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        PERFORM create_distributed_table('app.visit', 'source_id');
        PERFORM create_reference_table('app.code');
      END IF;
    END $$;
    CREATE TABLE app.code (code text CONSTRAINT code_key PRIMARY KEY);
    CREATE TABLE app.ledger (id int CONSTRAINT ledger_key PRIMARY KEY);
    """

  private static func example(_ rule: String, _ sql: String...) -> [LintCase] {
    LintCase.all("citus-" + rule, sql, earlier: [placed])
  }

  private static func anywhere(_ rule: String, _ sql: String...) -> [LintCase] {
    LintCase.all("citus-" + rule, sql)
  }

  static let cases = [
    example(
      "unique-without-key", "ALTER TABLE app.visit ADD ▲CONSTRAINT u UNIQUE (id), ADD COLUMN z int ▲UNIQUE;",
      "ALTER TABLE app.visit ADD CONSTRAINT u UNIQUE (id, source_id);",
      "ALTER TABLE app.code ADD CONSTRAINT u UNIQUE (z);",
      "CREATE UNIQUE INDEX CONCURRENTLY u ON ▲app.visit (id);",
      "CREATE UNIQUE INDEX CONCURRENTLY u ON app.visit (id, source_id);"),
    anywhere("unique-without-key", "ALTER TABLE app.t ADD CONSTRAINT u UNIQUE (b);"),
    example(
      "foreign-key", "ALTER TABLE app.code ADD ▲CONSTRAINT f FOREIGN KEY (code) REFERENCES app.visit (id);",
      "ALTER TABLE app.visit ADD ▲CONSTRAINT f FOREIGN KEY (id) REFERENCES app.ledger (id);",
      "ALTER TABLE app.visit ADD CONSTRAINT f FOREIGN KEY (code) REFERENCES app.code (code);"),
    example(
      "unnamed-constraint",
      "CREATE TABLE app.visit (id bigint ▲PRIMARY KEY, a int NOT NULL, ▲CHECK (a > 0));",
      "CREATE TABLE app.other (id bigint PRIMARY KEY);"),
    anywhere(
      "unnamed-constraint",
      "CREATE TABLE app.other (id bigint ▲PRIMARY KEY, CONSTRAINT c CHECK (id > 0));"),
    anywhere(
      "serial", "CREATE TABLE app.n (▲a serial, b bigserial, ▲c int GENERATED ALWAYS AS IDENTITY, d int);",
      "ALTER TABLE app.t ▲ADD COLUMN z bigserial, ▲ALTER a ADD GENERATED ALWAYS AS IDENTITY, ADD y int;"),
    example(
      "trigger", "▲CREATE TRIGGER x BEFORE UPDATE ON app.visit FOR EACH ROW EXECUTE FUNCTION app.f();",
      "CREATE TRIGGER x BEFORE UPDATE ON app.ledger FOR EACH ROW EXECUTE FUNCTION app.f();"),
    example(
      "merge", "▲MERGE INTO app.visit v USING app.ledger l ON v.id = l.id WHEN MATCHED THEN DELETE;",
      "MERGE INTO app.ledger l USING app.ledger m ON m.id = l.id WHEN MATCHED THEN DELETE;"),
    anywhere(
      "partitions", "CREATE TABLE ▲app.p2 PARTITION OF app.p FOR VALUES IN (2) PARTITION BY LIST (x);",
      "CREATE TABLE app.p2 PARTITION OF app.p FOR VALUES IN (2);",
      "ALTER TABLE app.p ▲DETACH PARTITION app.p1 CONCURRENTLY;",
      "ALTER TABLE app.p DETACH PARTITION app.p1;"),
    example("partitions", "CREATE TABLE ▲app.code (a text) PARTITION BY LIST (a);"),
    anywhere(
      "alter-table",
      "ALTER TABLE app.t ▲RENAME CONSTRAINT t_key TO k;\nALTER TABLE app.t ▲ALTER a SET STATISTICS 5;",
      "ALTER TABLE app.t ADD COLUMN z int, ▲ADD CONSTRAINT c CHECK (a > 0) NOT VALID;",
      "ALTER TABLE app.t ADD CONSTRAINT c CHECK (a > 0) NOT VALID;\nALTER TABLE app.t ADD COLUMN z int;"),
    anywhere(
      "query", "CREATE VIEW app.w AS SELECT a FROM app.t GROUP BY ▲ROLLUP (a);",
      "CREATE VIEW app.w AS ▲WITH RECURSIVE r AS (SELECT 1) SELECT * FROM r;",
      "CREATE VIEW app.w AS WITH r AS (SELECT 1 AS cube) SELECT count(DISTINCT cube) FROM r;"),
    anywhere(
      "policy", "CREATE POLICY own ON app.t FOR SELECT USING (a IN (▲SELECT id FROM app.ref));",
      "CREATE POLICY own ON app.t FOR SELECT USING (b = current_user);"),
    example(
      "copy-where", "COPY app.visit FROM '/file' (FORMAT csv) ▲WHERE id > 1;",
      "COPY app.ledger FROM '/file' WHERE id > 1;\nCOPY app.visit FROM '/file';"),
  ].flatMap(\.self)

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
