@testable import MigrationEngine

extension LintRuleTests {
  static let locks: [[LintCase]] = [
    LintCase.all(
      "index-without-concurrently",
      "▲CREATE INDEX t_b ON app.t (b);", "SELECT 1;\n  ▲CREATE UNIQUE INDEX ON ONLY app.t USING btree (b);",
      "CREATE INDEX CONCURRENTLY t_b ON app.t (b);",
      "CREATE TABLE app.n (a int); CREATE INDEX n_a ON app.n (a);",
      "CREATE TABLE app.\"T\" (a int);\n▲CREATE INDEX n_a ON app.T (b);",
      "CREATE TABLE IF NOT EXISTS app.t (a int);\n▲CREATE INDEX t_b ON app.t (b);",
      "CREATE TABLE t (b int);\n▲CREATE INDEX t_b ON app.t (b);",
      "CREATE TABLE app.n AS SELECT 1 AS a;\nCREATE INDEX n_a ON app.n (a);",
      "CREATE TEMP TABLE n (a int);\nCREATE INDEX n_a ON n (a);", "▲CREATE INDEX p_k ON app.p (k);",
      "CREATE INDEX p_k ON ONLY app.p (k);",
      "SET search_path TO app;\nCREATE TABLE n (a int);\nCREATE INDEX n_a ON app.n (a);",
      "CREATE TABLE app.n (a int);\nALTER TABLE app.n RENAME TO m2;\nCREATE INDEX m2_a ON app.m2 (a);",
      "DO $$ BEGIN CREATE INDEX t_b ON app.t (b); END $$;"),
    LintCase.all(
      "concurrently-on-partitioned",
      "CREATE INDEX CONCURRENTLY p_k ON ▲app.p (k);", "CREATE INDEX CONCURRENTLY p_k ON app.p1 (k);"),
    LintCase.all(
      "unnamed-concurrent-index",
      "▲CREATE INDEX CONCURRENTLY ON app.t (b);", "CREATE INDEX CONCURRENTLY t_b ON app.t (b);"),
    LintCase.all(
      "concurrently-mixed", "CREATE TABLE app.n (a int);\n▲CREATE INDEX CONCURRENTLY t_b ON app.t (b);",
      "SET lock_timeout = '1s';\nCREATE INDEX CONCURRENTLY t_b ON app.t (b);\nVACUUM app.t;",
      "-- rivulet:up transaction=off\nSELECT 1;\nVACUUM app.t;"),
    LintCase.all(
      "blocks-writers", "▲CLUSTER app.t USING t_key;", "VACUUM (▲FULL, ANALYZE) app.t;",
      "VACUUM (ANALYZE) app.t;", "▲REINDEX TABLE app.t;", "REINDEX TABLE CONCURRENTLY app.t;",
      "REINDEX (CONCURRENTLY) INDEX app.t_v;", "▲REFRESH MATERIALIZED VIEW app.m;",
      "REFRESH MATERIALIZED VIEW CONCURRENTLY app.m;", "REFRESH MATERIALIZED VIEW app.m WITH NO DATA;",
      "▲LOCK TABLE app.t;", "▲LOCK app.t IN SHARE MODE NOWAIT;", "LOCK TABLE app.t IN ROW EXCLUSIVE MODE;",
      "ALTER TABLE app.t ▲SET TABLESPACE fast;", "ALTER TABLE app.t ADD COLUMN z int, ▲SET UNLOGGED;",
      "ALTER TABLE app.t ▲ALTER COLUMN a SET EXPRESSION AS (id + 1);",
      "ALTER TABLE app.t SET (fillfactor = 80), SET SCHEMA app;", "▲ALTER INDEX app.t_v SET TABLESPACE fast;",
      "CREATE TRIGGER moved BEFORE UPDATE ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();",
      "ALTER TABLE app.p ▲ATTACH PARTITION app.loose FOR VALUES IN (2);",
      "ALTER TABLE app.p ATTACH PARTITION app.bound FOR VALUES IN (3);",
      "ALTER TABLE app.d ▲ATTACH PARTITION app.bound FOR VALUES IN (3);",
      "CREATE TABLE app.p4 (k int, x int);\nALTER TABLE app.p ATTACH PARTITION app.p4 FOR VALUES IN (4);"),
    LintCase.all(
      "work-under-lock",
      "ALTER TABLE app.t ADD CONSTRAINT b_there CHECK (b <> '') NOT VALID;\nALTER TABLE app.t ▲VALIDATE CONSTRAINT b_there;",
      "ALTER TABLE app.t VALIDATE CONSTRAINT half_there;",
      "ALTER TABLE app.t ADD COLUMN z int;\n▲UPDATE app.t SET z = a WHERE a > 0;",
      "UPDATE app.t SET b = '' WHERE a > 0;\nALTER TABLE app.t ADD COLUMN z int;",
      "-- rivulet:up transaction=off\nALTER TABLE app.t ADD COLUMN z int;\nUPDATE app.t SET z = a WHERE a > 0;",
      "ALTER TABLE app.t ADD COLUMN z int;\n-- rivulet:batch app.t id 10\nUPDATE app.t SET z = a WHERE {batch};",
      "ALTER TABLE app.t SET (fillfactor = 80);\nUPDATE app.t SET b = '' WHERE a > 0;",
      "CREATE TABLE app.n (a int);\nALTER TABLE app.n ADD COLUMN z int;\nINSERT INTO app.n SELECT a FROM app.t;",
      "ALTER TABLE app.ref ADD COLUMN z int;\n▲INSERT INTO app.ref (id) SELECT id FROM app.t;",
      "ALTER TABLE app.ref ADD COLUMN z int;\nINSERT INTO app.ref (id) VALUES (77);"),
  ]
}
