/// Functions, and statements together.
extension LintCitusTests {
  static let routines = [
    example(
      "sql-function",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS ▲$$ SELECT count(*) FROM app.visit WHERE id = k $$;",
      "CREATE FUNCTION app.f(bigint) RETURNS bigint LANGUAGE sql STABLE AS ▲$$ SELECT count(*) FROM app.visit WHERE id = $1 $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS ▲$$ SELECT count(*) FROM app.visit v JOIN app.part p USING (source_id, id) WHERE v.source_id = k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS ▲$$ SELECT count(*) FROM app.visit WHERE source_id = k OR v = 1 $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS ▲$$ SELECT count(*) FROM (SELECT FROM app.visit WHERE source_id = k) x $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM app.visit WHERE source_id = k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM app.visit v WHERE f.k = v.source_id AND (v.v = 1 OR v.v = 2) $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM app.visit $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM app.ledger WHERE id = k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM app.code WHERE n = k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS void LANGUAGE sql AS $$ UPDATE app.visit SET v = 7 WHERE id = k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS void LANGUAGE sql AS $$ INSERT INTO app.visit (source_id, id) VALUES (k, 1001) $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS void LANGUAGE sql AS ▲$$ INSERT INTO app.visit (source_id, id) SELECT k, 1 $$;",
      "CREATE FUNCTION app.f(k text) RETURNS void LANGUAGE sql AS ▲$$ INSERT INTO app.code (code) SELECT k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS ▲$$ SELECT id FROM app.visit WHERE source_id = k $$;",
      "CREATE FUNCTION app.f() RETURNS TABLE (a bigint) LANGUAGE sql STABLE AS ▲$$ SELECT id FROM app.visit $$;",
      "CREATE FUNCTION app.f() RETURNS SETOF text LANGUAGE sql STABLE AS ▲$$ SELECT code FROM app.code $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS SETOF bigint LANGUAGE sql STABLE STRICT AS $$ SELECT id FROM app.visit WHERE source_id = k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS SETOF bigint LANGUAGE sql AS $$ SELECT id FROM app.visit WHERE source_id = k $$;",
      "CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM app.visit WHERE id = k); END $$;",
      """
      CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql BEGIN ATOMIC
        SELECT 1;
        ▲SELECT count(*) FROM app.visit WHERE id = k;
      END;
      """,
      """
      CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql
      RETURN ▲(SELECT count(*) FROM app.visit WHERE source_id = k);
      """,
      """
      CREATE FUNCTION app.f(k bigint) RETURNS bigint LANGUAGE sql BEGIN ATOMIC
        SELECT count(*) FROM app.visit WHERE source_id = k;
      END;
      """),
    example(
      "several-statements",
      "DO ▲$$ BEGIN EXECUTE 'CREATE INDEX a ON app.visit (v); CREATE INDEX b ON app.visit (n)'; END $$;",
      "DO ▲$$ BEGIN EXECUTE format('DROP INDEX app.visit_v; SELECT %L', 1); END $$;",
      "DO ▲$$ BEGIN EXECUTE 'ALTER TABLE app.visit RENAME v TO w; SELECT 1'; END $$;",
      "DO ▲$$ BEGIN EXECUTE 'ALTER TABLE app.code ADD CONSTRAINT c CHECK (n > 0); SELECT 1'; END $$;",
      """
      CREATE FUNCTION app.f() RETURNS int LANGUAGE sql AS ▲'CREATE INDEX a ON app.visit (v); SELECT 1';
      SELECT app.f();
      """,
      "DO $$ BEGIN EXECUTE 'CREATE INDEX a ON app.visit (v)'; EXECUTE 'DROP INDEX app.a'; END $$;",
      "DO $$ BEGIN CREATE INDEX a ON app.visit (v); ALTER TABLE app.visit RENAME v TO w; END $$;",
      "DO $$ BEGIN EXECUTE 'ALTER TABLE app.visit ADD COLUMN y int; SELECT 1'; END $$;",
      "DO $$ BEGIN EXECUTE 'CREATE INDEX a ON app.ledger (t); DROP INDEX app.a'; END $$;",
      "DO $$ BEGIN EXECUTE 'UPDATE app.visit SET v = 1; UPDATE app.visit SET v = 2'; END $$;",
      "CREATE INDEX a ON app.visit (v);\nDROP INDEX app.a;"),
    example(
      "sequential",
      "UPDATE app.visit SET v = 3 WHERE id = 3;\n▲CREATE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 1';",
      "SELECT count(*) FROM app.visit;\n▲CREATE TYPE app.y AS (a int);",
      "ALTER TABLE app.visit ADD COLUMN y int;\n▲CREATE SCHEMA s9;\nDROP TABLE app.ledger;",
      """
      CREATE INDEX a ON app.visit (v);
      ▲ALTER TABLE app.part ADD CONSTRAINT f FOREIGN KEY (m) REFERENCES app.code (code);
      """,
      """
      CREATE TABLE app.c (source_id bigint);
      SELECT create_distributed_table('app.c', 'source_id');
      ▲CREATE DOMAIN app.d AS int;
      """,
      "UPDATE app.visit SET v = 3 WHERE source_id = 3;\nCREATE TYPE app.y AS (a int);",
      "INSERT INTO app.visit (source_id, id) VALUES (8, 1008);\nCREATE TYPE app.y AS (a int);",
      "CREATE TYPE app.y AS (a int);\nUPDATE app.visit SET v = 3;",
      "UPDATE app.ledger SET t = 'x';\nCREATE TYPE app.y AS (a int);",
      "UPDATE app.visit SET v = 3;\nCREATE TABLE app.new (a int);\nCREATE VIEW app.w AS SELECT * FROM app.visit;",
      """
      SET LOCAL citus.multi_shard_modify_mode = 'sequential';
      UPDATE app.visit SET v = 3;
      CREATE TYPE app.y AS (a int);
      """,
      "-- rivulet:up transaction=off\nUPDATE app.visit SET v = 3;\nCREATE TYPE app.y AS (a int);"),
  ].flatMap(\.self)
}
