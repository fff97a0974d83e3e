@testable import MigrationEngine

extension LintRuleTests {
  static let others: [[LintCase]] = [
    LintCase.all(
      "data-change-without-where",
      "▲UPDATE app.t SET b = (SELECT 'x' WHERE true);\n▲DELETE FROM app.ref;\nTRUNCATE app.t;",
      "UPDATE app.t SET b = '' WHERE a = 1;\nCREATE TABLE app.n (a int);\nDELETE FROM app.n;"),
    LintCase.all(
      "enum-value-in-transaction",
      "ALTER TYPE app.mood ADD VALUE IF NOT EXISTS 'glad' AFTER 'calm';\nSELECT ▲'glad'::app.mood;",
      "ALTER TYPE app.mood ADD VALUE 'glad';\nSELECT 'calm'::app.mood;",
      "CREATE TYPE app.e AS ENUM ();\nALTER TYPE app.e ADD VALUE 'glad';\nSELECT 'glad'::app.e;",
      "-- rivulet:up transaction=off\nALTER TYPE app.mood ADD VALUE 'glad';\nSELECT 'glad'::app.mood;"),
    LintCase.all(
      "domain-constraint", "ALTER DOMAIN app.plain ▲ADD CONSTRAINT c CHECK (VALUE > 0);",
      "ALTER DOMAIN app.plain ▲VALIDATE CONSTRAINT c;\nALTER DOMAIN app.plain ▲SET NOT NULL;",
      "CREATE DOMAIN app.n AS int;\nALTER DOMAIN app.n SET NOT NULL;\nALTER DOMAIN app.plain DROP NOT NULL;"),
    LintCase.all(
      "missing-down",
      "▲SELECT 1;", "SELECT 1;\n-- rivulet:down irreversible \"nothing to revert\""),
    LintCase.all(
      "drop-role", "SELECT 1;\n▲DROP ROLE IF EXISTS clerk;\nDO ▲$$ BEGIN DROP USER clerk; END $$;",
      "SELECT 'DROP ROLE clerk';\nDROP USER MAPPING FOR clerk SERVER s;\nREVOKE clerk FROM boss;"),
    LintCase.all(
      "create-role", "▲CREATE ROLE clerk;\nCREATE USER MAPPING FOR clerk SERVER s;",
      "DO $$ BEGIN CREATE ROLE clerk; END $$;"),
    LintCase.all(
      "unqualified-name",
      """
      CREATE TABLE ▲n (a int); CREATE INDEX n_a ON ▲n (a); COMMENT ON COLUMN ▲n.a IS 'x';
      CREATE OR REPLACE FUNCTION ▲f() RETURNS int LANGUAGE sql RETURN 1; INSERT INTO ▲n VALUES (1);
      CREATE TRIGGER x BEFORE UPDATE ON ▲n FOR EACH ROW EXECUTE FUNCTION app.f(); DROP VIEW app.v, ▲w;
      ALTER TABLE ▲n ADD b int; UPDATE ONLY ▲n SET a = 1 WHERE true; COPY ▲n (a) FROM stdin;
      1
      \\.
      DELETE FROM ▲n WHERE true; TRUNCATE TABLE ▲n;
      """),
    LintCase.all(
      "unqualified-name",
      """
      CREATE TABLE app.n (a int); CREATE INDEX n_a ON app.n (a); COMMENT ON COLUMN app.n.a IS 'x';
      CREATE TEMP TABLE work (a int); INSERT INTO work VALUES (1); DROP TABLE work; DROP INDEX app.n_a;
      CREATE ROLE clerk; CREATE EXTENSION hstore; COMMENT ON SCHEMA app IS 'x'; ALTER SCHEMA app OWNER TO clerk;
      CREATE TRIGGER x BEFORE UPDATE ON app.n FOR EACH ROW EXECUTE FUNCTION app.f(); COPY (SELECT 1) TO stdout;
      """),
    LintCase.all("unqualified-name", "SET LOCAL search_path = app;\nCREATE TABLE n (a int);"),
    LintCase.all("unqualified-name", "CREATE TABLE n (a int);", earlier: []),
  ]
}
