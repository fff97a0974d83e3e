@testable import MigrationEngine

extension LintRuleTests {
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
}
