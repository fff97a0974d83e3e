@testable import MigrationEngine

extension LintRuleTests {
  static let types: [[LintCase]] = [
    LintCase.all(
      "rewriting-type-change",
      [
        "v TYPE text", "v TYPE varchar", "v SET DATA TYPE character varying(20)", "n TYPE numeric(12,2)",
        "n TYPE numeric", "\"Odd\" TYPE varchar(6)", "b TYPE varchar", "tz TYPE timestamptz",
        "v TYPE text USING v::text",
      ].map { "ALTER TABLE app.t ALTER COLUMN \($0);" }),
    LintCase.all(
      "rewriting-type-change",
      [
        "a TYPE bigint", "v TYPE varchar(5)", "n TYPE numeric(12,3)", "n TYPE numeric(6,2)",
        "b TYPE varchar(10)", "c TYPE text", "ts TYPE timestamptz", "tz TYPE timestamptz(0)",
        "j TYPE json USING j::json", "held TYPE varchar(9)", "v TYPE text USING upper(v)", "nowhere TYPE int",
        "a TYPE app.mood", "odd TYPE varchar(6)", "a TYPE int[] USING ARRAY[a]",
      ].map { "ALTER TABLE app.t ▲ALTER COLUMN \($0);" }),
    LintCase.all(
      "rewriting-type-change", "SET LOCAL TIME ZONE 'UTC';\nALTER TABLE app.t ALTER ts TYPE timestamptz;",
      "CREATE TABLE app.n (a int);\nALTER TABLE app.n ALTER a TYPE bigint;"),
    LintCase.all(
      "rewriting-type-change", "ALTER TABLE app.t ▲ALTER v TYPE varchar(15);",
      earlier: [LintCase.base, "ALTER TABLE app.t ALTER v TYPE varchar(20);"]),
    LintCase.all(
      "rewriting-type-change", "ALTER TABLE app.t ALTER w TYPE text;",
      earlier: [LintCase.base, "ALTER TABLE app.t RENAME v TO w;"]),
  ]
}
