@testable import MigrationEngine

extension LintRuleTests {
  static let losses: [[LintCase]] = [
    LintCase.all(
      "destructive-change", "▲DROP TABLE IF EXISTS app.t, app.n CASCADE;",
      "ALTER TABLE app.t ADD z int, ▲DROP COLUMN b;",
      "▲DROP SCHEMA app CASCADE;", "▲TRUNCATE TABLE ONLY app.t, app.ref RESTART IDENTITY;",
      "▲DROP TABLE elsewhere;", "▲DROP TYPE app.kind CASCADE;", "DROP TYPE app.kind;",
      "ALTER TABLE app.t ADD z int;\nALTER TABLE app.t DROP z, ▲DROP b;",
      "CREATE TABLE app.n (a int);\nALTER TABLE app.n DROP a;\nTRUNCATE app.n;\nDROP TABLE app.n;",
      "CREATE TEMP TABLE work (a int);\nDROP TABLE work;",
      "DROP SCHEMA app;\nDROP MATERIALIZED VIEW app.m;\nDROP VIEW app.seen;\nDROP INDEX app.t_v;",
      "CREATE SCHEMA extra;\nDROP SCHEMA extra CASCADE;", "ALTER TABLE app.p DETACH PARTITION app.p1;"),
    LintCase.all(
      "narrowing-type-change",
      [
        "v TYPE varchar(9)", "b TYPE varchar(10)", "id TYPE int", "n TYPE numeric(6,2)",
        "n TYPE numeric(9,1)", "ts TYPE date", "n SET DATA TYPE int USING round(n)",
      ].map { "ALTER TABLE app.t ▲ALTER COLUMN \($0);" }),
    LintCase.all(
      "narrowing-type-change",
      [
        "v TYPE text", "a TYPE bigint", "n TYPE numeric(12,2)", "j TYPE text", "nowhere TYPE smallint",
        "tz TYPE timestamp(3)",
      ].map { "ALTER TABLE app.t ALTER COLUMN \($0);" }),
    LintCase.all(
      "narrowing-type-change", "CREATE TABLE app.x (a bigint);\nALTER TABLE app.x ALTER a TYPE int;"),
  ]
}
