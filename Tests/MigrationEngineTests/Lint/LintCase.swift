import TestSupport
import Testing

@testable import MigrationEngine

/// SQL in which a mark `▲` is in front of each place that a rule is to name; without a mark, it is to name
/// none.
struct LintCase: Sendable, CustomTestStringConvertible {
  let rule: String
  let sql: String
  /// Migrations before the one that is looked at.
  var earlier: [String] = [LintCase.base]
  var views: [(name: String, sql: String)] = []
  var isForCitus = false

  /// A rule on several examples.
  static func all(
    _ rule: String, _ examples: [String], earlier: [String] = [base],
    views: [(name: String, sql: String)] = []
  ) -> [LintCase] {
    let isForCitus = rule.hasPrefix("citus-")
    return examples.map {
      LintCase(rule: rule, sql: $0, earlier: earlier, views: views, isForCitus: isForCitus)
    }
  }

  /// The same, one by one.
  static func all(
    _ rule: String, _ examples: String..., earlier: [String] = [base],
    views: [(name: String, sql: String)] = []
  ) -> [LintCase] {
    all(rule, examples, earlier: earlier, views: views)
  }

  var testDescription: String { rule + ": " + sql }

  /// Tables that are there before.
  static let base = """
    CREATE SCHEMA app;
    CREATE TABLE app.ref (id int CONSTRAINT ref_key PRIMARY KEY);
    CREATE TABLE app.t (
      id bigint CONSTRAINT t_key PRIMARY KEY, a int NOT NULL, b text, v varchar(10), n numeric(8,2), ts timestamp,
      tz timestamptz(3), c char(3), j jsonb, "Odd" varchar(5), held varchar(5), proven int, half int, either int,
      CONSTRAINT held_length CHECK (length(held) > 0),
      CONSTRAINT proven_there CHECK (proven IS NOT NULL AND proven > 0),
      CONSTRAINT either_there CHECK (either IS NOT NULL OR a > 0)
    );
    ALTER TABLE app.t ADD CONSTRAINT half_there CHECK (half IS NOT NULL) NOT VALID;
    INSERT INTO app.ref SELECT generate_series(1, 50);
    INSERT INTO app.t
    SELECT i, 1, 'b', 'v', 1.5, now(), now(), 'c', '{}', 'o', 'h', 1, 1, 1 FROM generate_series(1, 50) i;
    CREATE TABLE app.p (k int NOT NULL, x int) PARTITION BY LIST (k);
    CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES IN (1);
    CREATE TABLE app.d (k int NOT NULL, x int) PARTITION BY LIST (k);
    CREATE TABLE app.d_rest PARTITION OF app.d DEFAULT;
    CREATE TABLE app.loose (k int NOT NULL, x int);
    CREATE TABLE app.bound (k int NOT NULL, x int, CONSTRAINT bound_k CHECK (k = 3));
    INSERT INTO app.p VALUES (1, 1);
    INSERT INTO app.d VALUES (7, 1);
    INSERT INTO app.loose VALUES (2, 1);
    INSERT INTO app.bound VALUES (3, 1);
    CREATE MATERIALIZED VIEW app.m AS SELECT a, count(*) AS rows FROM app.t GROUP BY a;
    CREATE UNIQUE INDEX m_a ON app.m (a);
    CREATE INDEX t_v ON app.t (v);
    CREATE UNIQUE INDEX t_a_id ON app.t (a, id);
    CREATE VIEW app.seen AS SELECT t.b FROM app.t;
    CREATE TYPE app.mood AS ENUM ('calm');
    CREATE DOMAIN app.positive AS int CHECK (VALUE > 0);
    CREATE DOMAIN app.plain AS int;
    CREATE TABLE app.shelf (x app.plain, words varchar(10)[]);
    INSERT INTO app.shelf VALUES (1, '{w}');
    CREATE UNIQUE INDEX loose_k_x ON app.loose (k, x);
    CREATE UNIQUE INDEX loose_k ON app.loose (k);
    """

  /// The SQL without its marks.
  var plain: String { sql.filter { $0 != "▲" } }

  /// `line:column` of each mark, counted in the SQL from 1.
  var expected: [String] {
    var found: [String] = []
    var (line, column) = (1, 1)
    for character in sql {
      switch character {
      case "▲": found.append("\(line):\(column)")
      case "\n": (line, column) = (line + 1, 1)
      default: column += 1
      }
    }
    return found
  }

  /// What is found in the SQL.
  func findings() throws -> [LintFinding] {
    let scratch = try Scratch()
    for (number, text) in (earlier + [plain]).enumerated() {
      let isLast = number == earlier.count
      let down = isLast && rule == "missing-down" ? "" : "\n-- rivulet:down\nSELECT 1;"
      let begin = text.hasPrefix("-- rivulet:up") ? "" : "-- rivulet:up\n"
      try scratch.write("000\(number + 1)_step.sql", begin + text + down)
    }
    let lint = Lint(folder: try MigrationFolder(scratch.path), views: views, forCitus: isForCitus)
    return try lint.findings(in: ["\(earlier.count + 1)"])
  }

  /// `line:column` of what the rule finds, counted in the SQL from 1.
  func found() throws -> [String] {
    let offset = plain.hasPrefix("-- rivulet:up") ? 0 : 1
    return try findings().filter { $0.rule == rule }.map { "\($0.line - offset):\($0.column)" }
  }
}
