@testable import MigrationEngine

extension LintRuleTests {
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
}
