import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// The keys that batches go along.
@Suite("The key of a batch")
struct BatchKeyTests {
  struct Key: CustomTestStringConvertible {
    let columns: String
    let primary: String
    let rows: String
    var settings = ""
    var testDescription: String { columns + settings }
  }

  private static let keys = [
    Key(
      columns: "id int", primary: "id",
      rows: "SELECT n FROM generate_series(-50, 60) n WHERE n NOT BETWEEN -3 AND 8"),
    Key(columns: "id uuid", primary: "id", rows: "SELECT md5(n::text)::uuid FROM generate_series(1, 100) n"),
    Key(
      columns: "id text COLLATE german", primary: "id",
      rows:
        "SELECT concat(chr(65 + n % 60), 'ä''\\', chr(225 + n % 30), n / 7) FROM generate_series(1, 100) n"),
    Key(
      columns: "id text COLLATE loose", primary: "id",
      rows: "SELECT concat(chr(65 + n % 26), n) FROM generate_series(1, 100) n"),
    Key(
      columns: "site text, id int", primary: "site, id",
      rows: "SELECT 'site ' || n % 3, n FROM generate_series(1, 100) n"),
    Key(
      columns: "id timestamptz", primary: "id",
      rows:
        "SELECT '1890-06-05 12:00:00.123456+00'::timestamptz + n * interval '1 year 1 day 3.000007 s' FROM generate_series(1, 100) n UNION ALL SELECT '-infinity' UNION ALL SELECT '0044-03-15 BC'",
      settings: "SET datestyle = 'German, DMY'; SET timezone = 'Europe/Berlin';"),
    Key(
      columns: "id float8", primary: "id",
      rows: "SELECT n / 3.0::float8 + 0.1 FROM generate_series(-50, 50) n UNION ALL SELECT 'NaN'",
      settings: "SET extra_float_digits = -5;"),
    Key(
      columns: "id bytea", primary: "id",
      rows: "SELECT sha256(n::text::bytea) FROM generate_series(1, 100) n",
      settings: "SET bytea_output = 'escape';"),
    Key(
      columns: "id interval", primary: "id",
      rows: "SELECT n * interval '-1 mon 3 days -4:05:06.7' FROM generate_series(1, 100) n",
      settings: "SET intervalstyle = 'sql_standard';"),
    Key(columns: "id char(4)", primary: "id", rows: "SELECT n::text FROM generate_series(1, 100) n"),
    Key(
      columns: "\"Na\"\"me\" app_mood", primary: "\"Na\"\"me\"", rows: "VALUES ('sad'::app_mood), ('glad')"),
  ]

  @Test("is followed by ranges that leave what one UPDATE would, each row changed once", arguments: keys)
  func same(key: Key) throws {
    let visits = try OwnBatches(key: key.columns, primary: key.primary, rows: key.rows)
    let name = key.primary.contains(",") ? "(\(key.primary))" : key.primary
    try visits.write("app.visit \(name) 7", head: key.settings)
    let count = try #require(Int(visits.own.database.value("SELECT count(*) FROM app.visit") ?? ""))
    #expect(try visits.own.up() == ["1"])
    #expect(try visits.outcome() == "\(count)/\(count) \(count)/\(count)")
    let batches = try #require(
      Int(visits.own.database.value("SELECT count(DISTINCT xmin::text) FROM touch") ?? ""))
    #expect(batches >= count / 7 && batches <= count / 7 + 1)
    #expect(try visits.own.down() == ["1"])
    #expect(try visits.own.database.value("SELECT count(norm) FROM app.visit") == "0")
  }

  @Test(
    "is refused where rows would be left out or each batch would sort them",
    arguments: [
      ("app.visit note 20", "app.visit.note may be null"), ("app.visit other 20", "has no column other"),
      ("app.visit late 20", "has no index that begins with late"),
      ("app.visit (id, late) 20", "has no index that begins with id, late"),
      ("app.visit (late, id) 20", "has no index that begins with late, id"),
      ("app.visit part 20", "has no index that begins with part"),
      ("app.visit odd 20", "has no index that begins with odd"),
      ("app.visits id 20", "there is no table app.visits"), ("app.seen id 20", "there is no table app.seen"),
    ])
  func refused(mark: String, sentence: String) throws {
    let visits = try OwnBatches()
    try visits.own.execute(
      """
      ALTER TABLE app.visit ADD note text, ADD late int NOT NULL DEFAULT 1, ADD part int NOT NULL DEFAULT 1,
        ADD odd text NOT NULL DEFAULT '';
      CREATE VIEW app.seen AS SELECT * FROM app.visit;
      CREATE INDEX ON app.visit (id DESC, late);
      CREATE INDEX ON app.visit (late) WHERE late > 3;
      CREATE INDEX ON app.visit USING hash (part);
      CREATE INDEX ON app.visit (odd COLLATE "C");
      CREATE INDEX ON app.visit (odd text_pattern_ops);
      """)
    try visits.write(mark)
    let found = complaint { try visits.own.up() }
    #expect(found.hasPrefix("1_norm.sql:3:1: ") && found.contains(sentence), "\(found)")
    #expect(try visits.outcome() == "0/100 0/0")
  }

  @Test("is refused where the section would have it sent in another encoding")
  func encoding() throws {
    let visits = try OwnBatches()
    try visits.write(head: "SET client_encoding = 'LATIN1';")
    #expect(complaint { try visits.own.up() }.contains("1_norm.sql:3:1: the section has set client_encoding"))
    #expect(try visits.outcome() == "0/100 0/0")
  }

  @Test("may be one that has been covered, goes down, or is of a partitioned table")
  func partitioned() throws {
    let visits = try OwnBatches()
    try visits.own.execute(
      """
      CREATE TABLE app.part (id int NOT NULL, day date NOT NULL, n int) PARTITION BY RANGE (day);
      CREATE TABLE app.part_1 PARTITION OF app.part FOR VALUES FROM ('2025-01-01') TO ('2025-07-01');
      CREATE TABLE app.part_2 PARTITION OF app.part FOR VALUES FROM ('2025-07-01') TO ('2026-01-01');
      CREATE INDEX ON app.part (id DESC, day DESC) INCLUDE (n);
      INSERT INTO app.part SELECT i, '2025-01-01'::date + i % 365, 0 FROM generate_series(1, 1000) i;
      """)
    try visits.own.write(
      "1_part.sql",
      up: "-- rivulet:batch app.part (id, day) 99\nUPDATE app.part AS p SET n = n + 1 WHERE {batch p};")
    #expect(try visits.own.up() == ["1"])
    #expect(
      try visits.own.database.value("SELECT concat(min(n), max(n), count(*)) FROM app.part") == "111000")
  }
}
