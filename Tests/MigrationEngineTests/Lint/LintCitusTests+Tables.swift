/// Tables and what hangs on them.
extension LintCitusTests {
  static let tables = [
    example(
      "alter-table",
      "ALTER TABLE app.visit ▲RENAME CONSTRAINT visit_key TO k;",
      "ALTER TABLE app.visit ▲ALTER n SET STATISTICS 5;",
      "ALTER TABLE app.visit ▲ALTER COLUMN n SET (n_distinct = 5);",
      "ALTER TABLE app.code ▲ALTER COLUMN n RESET (n_distinct);",
      "ALTER TABLE app.ledger ALTER COLUMN t SET (n_distinct = 5);",
      """
      CREATE TABLE app.late (k bigint, n text);
      ALTER TABLE app.late ALTER COLUMN n SET (n_distinct = 5);
      SELECT create_distributed_table('app.late', 'k');
      ALTER TABLE app.late ▲ALTER COLUMN n SET (n_distinct = 9);
      """,
      "ALTER TABLE app.visit ▲ALTER n SET STORAGE EXTERNAL;",
      "ALTER TABLE app.visit ▲ALTER CONSTRAINT visit_key DEFERRABLE;",
      "ALTER TABLE app.visit ▲CLUSTER ON visit_key;", "ALTER TABLE app.visit ▲SET WITHOUT CLUSTER;",
      "ALTER TABLE app.visit ▲SET TABLESPACE pg_default;",
      "ALTER TABLE app.visit ▲ALTER COLUMN n DROP IDENTITY IF EXISTS;",
      "ALTER TABLE app.visit ▲DROP COLUMN source_id;", "ALTER TABLE app.visit ▲ALTER source_id TYPE numeric;",
      "ALTER TABLE app.part DROP COLUMN m;", "ALTER TABLE app.visit ALTER v TYPE bigint;",
      "ALTER TABLE app.visit SET (fillfactor = 90);", "ALTER TABLE app.visit REPLICA IDENTITY FULL;",
      "ALTER TABLE app.visit ALTER n SET COMPRESSION pglz, ALTER n SET DEFAULT 'x', ALTER v DROP NOT NULL;"),
    example(
      "alter-table", "ALTER TABLE app.visit ADD COLUMN z int, ▲ADD CONSTRAINT c CHECK (v > 0) NOT VALID;",
      "ALTER TABLE app.visit ADD COLUMN z int, ▲ADD CONSTRAINT u UNIQUE (source_id, v);",
      "ALTER TABLE app.visit ADD CONSTRAINT c CHECK (v > 0) NOT VALID;\nALTER TABLE app.visit ADD COLUMN z int;",
      "ALTER TABLE app.visit ▲ADD COLUMN z int CHECK (z > 0);",
      "ALTER TABLE app.visit ADD COLUMN z int CONSTRAINT c CHECK (z > 0), ADD COLUMN y int;"),
    anywhere(
      "alter-table",
      "ALTER TABLE app.t ▲RENAME CONSTRAINT t_key TO k;\nALTER TABLE app.t ▲ALTER a SET STATISTICS 5;",
      "CREATE TABLE app.new (a int);\nALTER TABLE app.new ALTER a SET (n_distinct = 5);"),
    anywhere(
      "serial", "CREATE TABLE app.n (▲a serial, b bigserial, ▲c int GENERATED ALWAYS AS IDENTITY, d int);",
      "ALTER TABLE app.t ▲ADD COLUMN z bigserial, ▲ALTER a ADD GENERATED ALWAYS AS IDENTITY, ADD y int;"),
    example(
      "trigger", "▲CREATE TRIGGER x BEFORE UPDATE ON app.visit FOR EACH ROW EXECUTE FUNCTION app.touch();",
      "▲CREATE TRIGGER x BEFORE UPDATE ON app.code FOR EACH ROW EXECUTE FUNCTION app.touch();",
      "CREATE TRIGGER x BEFORE UPDATE ON app.ledger FOR EACH ROW EXECUTE FUNCTION app.touch();",
      """
      SET LOCAL citus.enable_unsafe_triggers = on;
      CREATE TRIGGER x BEFORE UPDATE ON app.visit FOR EACH ROW EXECUTE FUNCTION app.touch();
      """),
    anywhere(
      "partitions", "CREATE TABLE ▲app.p2 PARTITION OF app.p FOR VALUES IN (2) PARTITION BY LIST (x);",
      "CREATE TABLE app.p2 PARTITION OF app.p FOR VALUES IN (2);",
      "ALTER TABLE app.p ▲DETACH PARTITION app.p1 CONCURRENTLY;",
      "ALTER TABLE app.p DETACH PARTITION app.p1;"),
    example("partitions", "CREATE TABLE ▲app.code (a text) PARTITION BY LIST (a);"),
    example(
      "temporary-view", "CREATE TEMP VIEW x AS SELECT 1 AS a;\n▲DROP VIEW pg_temp.x;",
      "CREATE TEMP VIEW x AS SELECT 1 AS a;\nDO ▲$$ BEGIN DROP VIEW pg_temp.x; END $$;",
      "CREATE TEMP VIEW x AS SELECT 1 AS a;\nDROP VIEW x;",
      "CREATE TEMP VIEW x AS SELECT 1 AS a;\nDROP VIEW IF EXISTS pg_temp.x;",
      "CREATE TEMP TABLE x (a int);\nDROP TABLE pg_temp.x;"),
  ].flatMap(\.self)
}
