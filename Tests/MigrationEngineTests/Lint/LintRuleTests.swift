import Testing

@testable import MigrationEngine

/// Each rule on SQL that it is for, and on SQL close to it.
@Suite("The rules of the lint")
struct LintRuleTests {
  @Test(
    "name the place of what they find, and nothing beside it",
    arguments: locks + keys + types + columns + others)
  func places(of example: LintCase) throws {
    #expect(try example.found() == example.expected)
  }

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

  static let keys: [LintCase] = [
    LintCase(
      "foreign-key-without-not-valid",
      "ALTER TABLE app.t\n  ADD ▲CONSTRAINT t_ref FOREIGN KEY (a) REFERENCES app.ref (id);"),
    LintCase(
      "foreign-key-without-not-valid",
      "ALTER TABLE app.t ADD CONSTRAINT t_ref FOREIGN KEY (a) REFERENCES app.ref ON DELETE CASCADE NOT VALID;"
    ),
    LintCase(
      "foreign-key-without-not-valid",
      "ALTER TABLE app.t ADD COLUMN z int REFERENCES app.ref ON DELETE SET NULL;"),
    LintCase(
      "foreign-key-without-not-valid",
      "ALTER TABLE app.t ADD COLUMN z int DEFAULT 1 ▲REFERENCES app.ref ON DELETE SET DEFAULT;"),
    LintCase(
      "foreign-key-without-not-valid",
      "CREATE TABLE app.n (a int REFERENCES app.ref);\nALTER TABLE app.n ADD FOREIGN KEY (a) REFERENCES app.ref;"
    ),
    LintCase(
      "check-without-not-valid",
      "ALTER TABLE app.t ADD ▲CHECK (a > 0), ADD ▲CONSTRAINT c CHECK (a IN (1, 2));"),
    LintCase("check-without-not-valid", "ALTER TABLE app.t ADD CONSTRAINT c CHECK (a > 0) NOT VALID;"),
    LintCase("check-without-not-valid", "ALTER TABLE app.t ADD COLUMN z int DEFAULT 1 ▲CHECK (z > 0);"),
    LintCase("key-without-index", "ALTER TABLE app.t ADD ▲CONSTRAINT t_u UNIQUE (b);"),
    LintCase("key-without-index", "ALTER TABLE app.t ADD CONSTRAINT t_u UNIQUE USING INDEX t_a_id;"),
    LintCase("key-without-index", "ALTER TABLE app.loose ADD ▲PRIMARY KEY (k);"),
    LintCase("key-without-index", "ALTER TABLE app.loose ADD COLUMN z int ▲UNIQUE;"),
    LintCase(
      "key-without-index",
      "ALTER TABLE app.t ADD COLUMN exclude boolean, ADD ▲EXCLUDE USING gist (id WITH =);"),
    LintCase(
      "unnamed-constraint",
      "ALTER TABLE app.t ▲ADD CHECK (a > 0) NOT VALID, ADD CONSTRAINT c CHECK (a > 1) NOT VALID;"),
    LintCase("unnamed-constraint", "CREATE TABLE app.n (a int PRIMARY KEY CHECK (a > 0));"),
    LintCase("not-null-without-check", "ALTER TABLE app.t ▲ALTER COLUMN b SET NOT NULL;"),
    LintCase("not-null-without-check", "ALTER TABLE app.t ALTER proven SET NOT NULL, ALTER a SET NOT NULL;"),
    LintCase(
      "not-null-without-check", "ALTER TABLE app.t ▲ALTER either SET NOT NULL, ▲ALTER half SET NOT NULL;"),
    LintCase(
      "not-null-without-check", "ALTER TABLE app.t ALTER half SET NOT NULL;",
      earlier: [LintCase.base, "ALTER TABLE app.t VALIDATE CONSTRAINT half_there;"]),
    LintCase(
      "not-null-without-check", "ALTER TABLE app.t ▲ALTER proven SET NOT NULL;",
      earlier: [LintCase.base, "ALTER TABLE app.t DROP CONSTRAINT proven_there;"]),
    LintCase("not-null-without-check", "ALTER TABLE elsewhere.x ▲ALTER y SET NOT NULL;"),
  ]

  static let types: [LintCase] =
    [
      "v TYPE text", "v TYPE varchar", "v SET DATA TYPE character varying(20)", "n TYPE numeric(12,2)",
      "n TYPE numeric",
      "\"Odd\" TYPE varchar(6)", "b TYPE varchar", "tz TYPE timestamptz", "v TYPE text USING v::text",
    ].map { LintCase("rewriting-type-change", "ALTER TABLE app.t ALTER COLUMN \($0);") }
    + [
      "a TYPE bigint", "v TYPE varchar(5)", "n TYPE numeric(12,3)", "n TYPE numeric(6,2)",
      "b TYPE varchar(10)",
      "c TYPE text", "ts TYPE timestamptz", "tz TYPE timestamptz(0)", "j TYPE json USING j::json",
      "held TYPE varchar(9)",
      "v TYPE text USING upper(v)", "nowhere TYPE int", "a TYPE app.mood", "odd TYPE varchar(6)",
      "a TYPE int[] USING ARRAY[a]",
    ].map { LintCase("rewriting-type-change", "ALTER TABLE app.t ▲ALTER COLUMN \($0);") }
    + [
      LintCase(
        "rewriting-type-change", "SET LOCAL TIME ZONE 'UTC';\nALTER TABLE app.t ALTER ts TYPE timestamptz;"),
      LintCase(
        "rewriting-type-change", "CREATE TABLE app.n (a int);\nALTER TABLE app.n ALTER a TYPE bigint;"),
      LintCase(
        "rewriting-type-change", "ALTER TABLE app.t ▲ALTER v TYPE varchar(15);",
        earlier: [LintCase.base, "ALTER TABLE app.t ALTER v TYPE varchar(20);"]),
      LintCase(
        "rewriting-type-change", "ALTER TABLE app.t ALTER w TYPE text;",
        earlier: [LintCase.base, "ALTER TABLE app.t RENAME v TO w;"]),
    ]

  static let columns: [LintCase] =
    [
      "int", "int DEFAULT 1", "timestamptz NOT NULL DEFAULT now()", "date DEFAULT current_date",
      "varchar(10) DEFAULT 'x'::varchar(10)", "text DEFAULT lower('A') NOT NULL", "app.plain DEFAULT 1",
      "jsonb DEFAULT '{}'",
      "timestamptz DEFAULT (now() AT TIME ZONE 'UTC')",
    ].map { LintCase("volatile-default", "ALTER TABLE app.t ADD COLUMN z \($0);") }
    + [
      "uuid ▲DEFAULT gen_random_uuid()", "float ▲DEFAULT random() * 2",
      "timestamptz ▲DEFAULT clock_timestamp()",
      "bigint NOT NULL ▲GENERATED BY DEFAULT AS IDENTITY", "int ▲GENERATED ALWAYS AS (a * 2) STORED",
      "int ▲DEFAULT app.unknown_function()", "bigint ▲DEFAULT nextval('app.s')",
    ].map { LintCase("volatile-default", "ALTER TABLE app.t ADD COLUMN z \($0);") }
    + [
      LintCase("volatile-default", "ALTER TABLE app.t ADD COLUMN ▲z bigserial, ADD ▲y app.positive;"),
      LintCase(
        "volatile-default",
        "CREATE TABLE app.n (a uuid DEFAULT gen_random_uuid());\nALTER TABLE app.n ADD b bigserial;"),
      LintCase("volatile-default", "ALTER TABLE app.t ALTER COLUMN a SET DEFAULT random();"),
      LintCase(
        "volatile-default", "ALTER TABLE app.t ADD COLUMN z int DEFAULT app.one();",
        earlier: [LintCase.base, "CREATE FUNCTION app.one() RETURNS int LANGUAGE sql STABLE RETURN 1;"]),
      LintCase("not-null-column-without-default", "ALTER TABLE app.t ADD COLUMN ▲z int NOT NULL, ADD y int;"),
      LintCase(
        "not-null-column-without-default",
        "ALTER TABLE app.t ADD COLUMN z int DEFAULT 0 NOT NULL, ADD y bigserial NOT NULL;"),
      LintCase(
        "not-null-column-without-default",
        "ALTER TABLE app.t ADD COLUMN z bigint NOT NULL GENERATED ALWAYS AS IDENTITY;"),
      LintCase(
        "rename", "ALTER TABLE app.t ▲RENAME COLUMN b TO bb;\nALTER TABLE app.ref ▲RENAME TO reference;"),
      LintCase(
        "rename", "ALTER TABLE app.t RENAME CONSTRAINT t_key TO t_pk;\nALTER INDEX app.t_v RENAME TO t_w;"),
      LintCase("drop-column-in-view", "ALTER TABLE app.t DROP COLUMN v, ▲DROP COLUMN IF EXISTS b CASCADE;"),
      LintCase("drop-column-in-view", "DROP VIEW app.seen;\nALTER TABLE app.t DROP COLUMN b;"),
      LintCase(
        "drop-column-in-view", "ALTER TABLE app.t ▲DROP COLUMN v;\nALTER TABLE app.ref DROP COLUMN id;",
        views: [("mart.sum", "SELECT t.*, count(*) FROM app.t")]),
      LintCase(
        "drop-column-in-view", "ALTER TABLE app.t DROP COLUMN v;",
        views: [("mart.count", "SELECT count(*), 2 * 3 FROM app.t"), ("mart.other", "SELECT v FROM other.t")]),
    ]

  static let others: [LintCase] = [
    LintCase(
      "data-change-without-where",
      "▲UPDATE app.t SET b = (SELECT 'x' WHERE true);\n▲DELETE FROM app.ref;\n▲TRUNCATE app.t;"),
    LintCase(
      "data-change-without-where",
      "UPDATE app.t SET b = '' WHERE a = 1;\nCREATE TABLE app.n (a int);\nDELETE FROM app.n;"),
    LintCase(
      "enum-value-in-transaction",
      "ALTER TYPE app.mood ADD VALUE IF NOT EXISTS 'glad' AFTER 'calm';\nSELECT ▲'glad'::app.mood;"),
    LintCase("enum-value-in-transaction", "ALTER TYPE app.mood ADD VALUE 'glad';\nSELECT 'calm'::app.mood;"),
    LintCase(
      "enum-value-in-transaction",
      "CREATE TYPE app.e AS ENUM ();\nALTER TYPE app.e ADD VALUE 'glad';\nSELECT 'glad'::app.e;"),
    LintCase(
      "enum-value-in-transaction",
      "-- rivulet:up transaction=off\nALTER TYPE app.mood ADD VALUE 'glad';\nSELECT 'glad'::app.mood;"),
    LintCase("missing-down", "▲SELECT 1;"),
    LintCase("missing-down", "SELECT 1;\n-- rivulet:down irreversible \"nothing to take back\""),
    LintCase("drop-role", "SELECT 1;\n▲DROP ROLE IF EXISTS clerk;\nDO ▲$$ BEGIN DROP USER clerk; END $$;"),
    LintCase(
      "drop-role", "SELECT 'DROP ROLE clerk';\nDROP USER MAPPING FOR clerk SERVER s;\nREVOKE clerk FROM boss;"
    ),
    LintCase("create-role", "▲CREATE ROLE clerk;\nCREATE USER MAPPING FOR clerk SERVER s;"),
    LintCase("create-role", "DO $$ BEGIN CREATE ROLE clerk; END $$;"),
    LintCase(
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
    LintCase(
      "unqualified-name",
      """
      CREATE TABLE app.n (a int); CREATE INDEX n_a ON app.n (a); COMMENT ON COLUMN app.n.a IS 'x';
      CREATE TEMP TABLE work (a int); INSERT INTO work VALUES (1); DROP TABLE work; DROP INDEX app.n_a;
      CREATE ROLE clerk; CREATE EXTENSION hstore; COMMENT ON SCHEMA app IS 'x'; ALTER SCHEMA app OWNER TO clerk;
      CREATE TRIGGER x BEFORE UPDATE ON app.n FOR EACH ROW EXECUTE FUNCTION app.f(); COPY (SELECT 1) TO stdout;
      """),
    LintCase("unqualified-name", "SET LOCAL search_path = app;\nCREATE TABLE n (a int);"),
    LintCase("unqualified-name", "CREATE TABLE n (a int);", earlier: []),
  ]
}
