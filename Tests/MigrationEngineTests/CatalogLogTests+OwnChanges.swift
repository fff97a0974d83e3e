extension CatalogLogTests {
  /// What is there, and what changes only how that itself is described.
  static let ownChanges = [
    ("CREATE TABLE t (a int)", "ALTER TABLE t ADD b int DEFAULT 0 CHECK (b >= 0), ADD c serial"),
    (
      "CREATE TABLE t (a int PRIMARY KEY); CREATE VIEW v AS SELECT a FROM t",
      "CREATE TABLE u (a int REFERENCES t)"
    ),
    ("CREATE TABLE t (a int, b text)", "ALTER TABLE t ALTER a SET NOT NULL, ALTER b SET STATISTICS 7"),
    ("CREATE TABLE t (a int); CREATE TABLE u (b int) INHERITS (t)", "ALTER TABLE t ADD c int"),
    (
      "CREATE TABLE t (a int)",
      "GRANT SELECT ON t TO snapshot_reader; ALTER TABLE t ENABLE ROW LEVEL SECURITY"
    ),
    (
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 2'"
    ),
    (
      "CREATE TABLE t (a int, b int); CREATE VIEW v AS SELECT a FROM t; CREATE VIEW w AS SELECT * FROM v",
      "CREATE OR REPLACE VIEW v AS SELECT a, b FROM t WHERE a > 0"
    ),
    ("CREATE TABLE t (a int, CONSTRAINT k CHECK (a > 0) NOT VALID)", "ALTER TABLE t VALIDATE CONSTRAINT k"),
    ("CREATE TABLE t (a int); COMMENT ON COLUMN t.a IS 'x'", "COMMENT ON COLUMN t.a IS 'y'"),
    (
      "CREATE TABLE t (a int)",
      "CREATE TRIGGER g BEFORE UPDATE ON t EXECUTE FUNCTION suppress_redundant_updates_trigger()"
    ),
    ("CREATE SEQUENCE q", "ALTER SEQUENCE q INCREMENT 5"),
    ("CREATE TABLE t (a int)", "ALTER TABLE t ADD b int; ALTER TABLE t DROP b; ALTER TABLE t ADD b text"),
  ]
}
