@testable import MigrationEngine

extension LintRuleTests {
  static let keys: [[LintCase]] = [
    LintCase.all(
      "foreign-key-without-not-valid",
      "ALTER TABLE app.t\n  ADD ▲CONSTRAINT t_ref FOREIGN KEY (a) REFERENCES app.ref (id);",
      "ALTER TABLE app.t ADD CONSTRAINT t_ref FOREIGN KEY (a) REFERENCES app.ref ON DELETE CASCADE NOT VALID;",
      "ALTER TABLE app.t ADD COLUMN z int REFERENCES app.ref ON DELETE SET NULL;",
      "ALTER TABLE app.t ADD COLUMN z int DEFAULT 1 ▲REFERENCES app.ref ON DELETE SET DEFAULT;",
      "CREATE TABLE app.n (a int REFERENCES app.ref);\nALTER TABLE app.n ADD FOREIGN KEY (a) REFERENCES app.ref;",
      // From version 18 on.
      "ALTER TABLE app.t ADD CONSTRAINT t_ref FOREIGN KEY (a) REFERENCES app.ref NOT ENFORCED;",
      "ALTER TABLE app.t ▲ALTER CONSTRAINT t_ref DEFERRABLE ENFORCED, ALTER CONSTRAINT t_id NOT ENFORCED;",
      "ALTER TABLE app.t ADD ▲CONSTRAINT t_when FOREIGN KEY (a, PERIOD b) REFERENCES app.ref (id, PERIOD b);"
    ),
    LintCase.all(
      "check-without-not-valid",
      "ALTER TABLE app.t ADD ▲CHECK (a > 0), ADD ▲CONSTRAINT c CHECK (a IN (1, 2));",
      "ALTER TABLE app.t ADD CONSTRAINT c CHECK (a > 0) NOT VALID;",
      "ALTER TABLE app.t ADD CONSTRAINT c CHECK (a > 0) NOT ENFORCED;",
      "ALTER TABLE app.t ADD COLUMN z int CHECK (z > 0) NOT ENFORCED, ADD COLUMN y int ▲CHECK (y > 0);",
      "ALTER TABLE app.t ADD COLUMN z int DEFAULT 1 ▲CHECK (z > 0);"),
    LintCase.all(
      "key-without-index", "ALTER TABLE app.t ADD ▲CONSTRAINT t_u UNIQUE (b);",
      "ALTER TABLE app.t ADD CONSTRAINT t_u UNIQUE USING INDEX t_a_id;",
      "ALTER TABLE app.loose ADD ▲PRIMARY KEY (k);", "ALTER TABLE app.loose ADD COLUMN z int ▲UNIQUE;",
      "ALTER TABLE app.t ADD ▲CONSTRAINT t_u UNIQUE (id, b WITHOUT OVERLAPS);",
      "ALTER TABLE app.t ADD COLUMN exclude boolean, ADD ▲EXCLUDE USING gist (id WITH =);"),
    LintCase.all(
      "unnamed-constraint",
      "ALTER TABLE app.t ▲ADD CHECK (a > 0) NOT VALID, ADD CONSTRAINT c CHECK (a > 1) NOT VALID;",
      "CREATE TABLE app.n (a int PRIMARY KEY CHECK (a > 0));"),
    LintCase.all(
      "not-null-without-check", "ALTER TABLE app.t ▲ALTER COLUMN b SET NOT NULL;",
      "ALTER TABLE app.t ALTER proven SET NOT NULL, ALTER a SET NOT NULL;",
      "ALTER TABLE app.t ▲ADD CONSTRAINT b_there NOT NULL b, ADD CONSTRAINT c_there NOT NULL c NOT VALID;",
      "ALTER TABLE app.t ▲ALTER either SET NOT NULL, ▲ALTER half SET NOT NULL;"),
    LintCase.all(
      "not-null-without-check", "ALTER TABLE app.t ALTER half SET NOT NULL;",
      earlier: [LintCase.base, "ALTER TABLE app.t VALIDATE CONSTRAINT half_there;"]),
    LintCase.all(
      "not-null-without-check", "ALTER TABLE app.t ▲ALTER proven SET NOT NULL;",
      earlier: [LintCase.base, "ALTER TABLE app.t DROP CONSTRAINT proven_there;"]),
    // A renamed column keeps its check and its index.
    LintCase.all(
      "not-null-without-check",
      "ALTER TABLE app.t RENAME proven TO p; ALTER TABLE app.t ALTER p SET NOT NULL, ADD CONSTRAINT k PRIMARY KEY USING INDEX t_p, ▲ALTER proven SET NOT NULL;",
      earlier: [LintCase.base, "CREATE UNIQUE INDEX CONCURRENTLY t_p ON app.t (proven);"]),
    LintCase.all("not-null-without-check", "ALTER TABLE elsewhere.x ▲ALTER y SET NOT NULL;"),
  ]
}
