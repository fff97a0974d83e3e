@testable import MigrationEngine

extension LintRuleTests {
  static let locks: [LintCase] = [
    LintCase("index-without-concurrently", "▲CREATE INDEX t_b ON app.t (b);"),
    LintCase(
      "index-without-concurrently", "SELECT 1;\n  ▲CREATE UNIQUE INDEX ON ONLY app.t USING btree (b);"),
    LintCase("index-without-concurrently", "CREATE INDEX CONCURRENTLY t_b ON app.t (b);"),
    LintCase("index-without-concurrently", "CREATE TABLE app.n (a int); CREATE INDEX n_a ON app.n (a);"),
    LintCase(
      "index-without-concurrently", "CREATE TABLE app.\"T\" (a int);\n▲CREATE INDEX n_a ON app.T (b);"),
    LintCase(
      "index-without-concurrently",
      "CREATE TABLE IF NOT EXISTS app.t (a int);\n▲CREATE INDEX t_b ON app.t (b);"),
    LintCase("index-without-concurrently", "CREATE TABLE t (b int);\n▲CREATE INDEX t_b ON app.t (b);"),
    LintCase(
      "index-without-concurrently", "CREATE TABLE app.n AS SELECT 1 AS a;\nCREATE INDEX n_a ON app.n (a);"),
    LintCase("index-without-concurrently", "CREATE TEMP TABLE n (a int);\nCREATE INDEX n_a ON n (a);"),
    LintCase("index-without-concurrently", "▲CREATE INDEX p_k ON app.p (k);"),
    LintCase("index-without-concurrently", "CREATE INDEX p_k ON ONLY app.p (k);"),
    LintCase(
      "index-without-concurrently",
      "SET search_path TO app;\nCREATE TABLE n (a int);\nCREATE INDEX n_a ON app.n (a);"),
    LintCase(
      "index-without-concurrently",
      "CREATE TABLE app.n (a int);\nALTER TABLE app.n RENAME TO m2;\nCREATE INDEX m2_a ON app.m2 (a);"),
    LintCase("index-without-concurrently", "DO $$ BEGIN CREATE INDEX t_b ON app.t (b); END $$;"),
    LintCase("concurrently-on-partitioned", "CREATE INDEX CONCURRENTLY p_k ON ▲app.p (k);"),
    LintCase("concurrently-on-partitioned", "CREATE INDEX CONCURRENTLY p_k ON app.p1 (k);"),
    LintCase("unnamed-concurrent-index", "▲CREATE INDEX CONCURRENTLY ON app.t (b);"),
    LintCase("unnamed-concurrent-index", "CREATE INDEX CONCURRENTLY t_b ON app.t (b);"),
    LintCase(
      "concurrently-mixed", "CREATE TABLE app.n (a int);\n▲CREATE INDEX CONCURRENTLY t_b ON app.t (b);"),
    LintCase(
      "concurrently-mixed",
      "SET lock_timeout = '1s';\nCREATE INDEX CONCURRENTLY t_b ON app.t (b);\nVACUUM app.t;"),
    LintCase("concurrently-mixed", "-- rivulet:up transaction=off\nSELECT 1;\nVACUUM app.t;"),
    LintCase("blocks-writers", "▲CLUSTER app.t USING t_key;"),
    LintCase("blocks-writers", "VACUUM (▲FULL, ANALYZE) app.t;"),
    LintCase("blocks-writers", "VACUUM (ANALYZE) app.t;"),
    LintCase("blocks-writers", "▲REINDEX TABLE app.t;"),
    LintCase("blocks-writers", "REINDEX TABLE CONCURRENTLY app.t;"),
    LintCase("blocks-writers", "REINDEX (CONCURRENTLY) INDEX app.t_v;"),
    LintCase("blocks-writers", "▲REFRESH MATERIALIZED VIEW app.m;"),
    LintCase("blocks-writers", "REFRESH MATERIALIZED VIEW CONCURRENTLY app.m;"),
    LintCase("blocks-writers", "REFRESH MATERIALIZED VIEW app.m WITH NO DATA;"),
    LintCase("blocks-writers", "▲LOCK TABLE app.t;"),
    LintCase("blocks-writers", "▲LOCK app.t IN SHARE MODE NOWAIT;"),
    LintCase("blocks-writers", "LOCK TABLE app.t IN ROW EXCLUSIVE MODE;"),
    LintCase("blocks-writers", "ALTER TABLE app.t ▲SET TABLESPACE fast;"),
    LintCase("blocks-writers", "ALTER TABLE app.t ADD COLUMN z int, ▲SET UNLOGGED;"),
    LintCase("blocks-writers", "ALTER TABLE app.t ▲ALTER COLUMN a SET EXPRESSION AS (id + 1);"),
    LintCase("blocks-writers", "ALTER TABLE app.t SET (fillfactor = 80), SET SCHEMA app;"),
    LintCase("blocks-writers", "▲ALTER INDEX app.t_v SET TABLESPACE fast;"),
    LintCase(
      "blocks-writers", "CREATE TRIGGER moved BEFORE UPDATE ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"),
    LintCase("blocks-writers", "ALTER TABLE app.p ▲ATTACH PARTITION app.loose FOR VALUES IN (2);"),
    LintCase("blocks-writers", "ALTER TABLE app.p ATTACH PARTITION app.bound FOR VALUES IN (3);"),
    LintCase("blocks-writers", "ALTER TABLE app.d ▲ATTACH PARTITION app.bound FOR VALUES IN (3);"),
    LintCase(
      "blocks-writers",
      "CREATE TABLE app.p4 (k int, x int);\nALTER TABLE app.p ATTACH PARTITION app.p4 FOR VALUES IN (4);"),
    LintCase(
      "work-under-lock",
      "ALTER TABLE app.t ADD CONSTRAINT b_there CHECK (b <> '') NOT VALID;\nALTER TABLE app.t ▲VALIDATE CONSTRAINT b_there;"
    ),
    LintCase("work-under-lock", "ALTER TABLE app.t VALIDATE CONSTRAINT half_there;"),
    LintCase("work-under-lock", "ALTER TABLE app.t ADD COLUMN z int;\n▲UPDATE app.t SET z = a WHERE a > 0;"),
    LintCase("work-under-lock", "UPDATE app.t SET b = '' WHERE a > 0;\nALTER TABLE app.t ADD COLUMN z int;"),
    LintCase(
      "work-under-lock",
      "-- rivulet:up transaction=off\nALTER TABLE app.t ADD COLUMN z int;\nUPDATE app.t SET z = a WHERE a > 0;"
    ),
    LintCase(
      "work-under-lock", "ALTER TABLE app.t SET (fillfactor = 80);\nUPDATE app.t SET b = '' WHERE a > 0;"),
    LintCase(
      "work-under-lock",
      "CREATE TABLE app.n (a int);\nALTER TABLE app.n ADD COLUMN z int;\nINSERT INTO app.n SELECT a FROM app.t;"
    ),
    LintCase(
      "work-under-lock",
      "ALTER TABLE app.ref ADD COLUMN z int;\n▲INSERT INTO app.ref (id) SELECT id FROM app.t;"),
    LintCase(
      "work-under-lock", "ALTER TABLE app.ref ADD COLUMN z int;\nINSERT INTO app.ref (id) VALUES (77);"),
  ]
}
