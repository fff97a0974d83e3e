import TestSupport
import Testing

@testable import MigrationEngine

/// Drafts of migrations that change a column in two halves.
@Suite("Drafts of changed columns")
struct ColumnChangeTests {
  private static let zoo = """
    CREATE SCHEMA app;
    CREATE TABLE app.site (id int PRIMARY KEY);
    INSERT INTO app.site SELECT generate_series(1, 5);
    CREATE TABLE app.visit (
      id int GENERATED ALWAYS AS IDENTITY CONSTRAINT visit_pkey PRIMARY KEY,
      code text NOT NULL DEFAULT '7' CONSTRAINT visit_code_key UNIQUE DEFERRABLE INITIALLY DEFERRED,
      "Site" int CONSTRAINT visit_site_fkey REFERENCES app.site (id),
      doc json, CONSTRAINT code_is_short CHECK (length(code) < 9 AND code <> 'code'));
    COMMENT ON COLUMN app.visit.code IS 'the ''code''';
    GRANT SELECT (code) ON app.visit TO PUBLIC;
    CREATE INDEX visit_lower ON app.visit (lower(code)) WHERE code <> 'x';
    CREATE INDEX visit_site ON app.visit ("Site", id);
    INSERT INTO app.visit (code, "Site", doc) SELECT i, i % 5 + 1, '{"a": 1}' FROM generate_series(1, 100) i;
    CREATE TABLE app.num (n serial PRIMARY KEY, v int);
    INSERT INTO app.num (v) SELECT generate_series(1, 50);
    CREATE TABLE app.part (id int NOT NULL, d date NOT NULL, v varchar(20) DEFAULT 'a',
      CONSTRAINT part_pkey PRIMARY KEY (d, id), CONSTRAINT part_v UNIQUE (d, v)) PARTITION BY RANGE (d);
    CREATE TABLE app.part_1 PARTITION OF app.part FOR VALUES FROM ('2020-01-01') TO ('2030-01-01');
    CREATE INDEX part_i ON app.part (v);
    INSERT INTO app.part SELECT i, '2021-01-01', 'v' || i FROM generate_series(1, 30) i;
    CREATE TABLE app.bare (a point, b text);
    INSERT INTO app.bare VALUES ('(1,2)', 'x'), (NULL, 'y');
    CREATE VIEW app.reader AS SELECT b FROM app.bare;
    """

  private func own() throws -> OwnMigrations {
    let own = try OwnMigrations()
    try own.write("0001_zoo.sql", up: ColumnChangeTests.zoo, down: "DROP SCHEMA app CASCADE;")
    try own.up()
    return own
  }

  private func draft(_ own: OwnMigrations, _ column: String, _ kind: ColumnChange.Kind) throws -> String {
    let text = try ColumnChange(column, kind).draft(on: try own.database.connect())
    try own.scratch.write("0002_change.sql", text)
    return text
  }

  @Test(
    "are proven by verify, and bring all values there and back",
    arguments: [
      ("app.visit.code", ColumnChange.Kind.rename(to: "visit_code")),
      ("app.visit.code", .retype(to: "integer", using: nil, back: nil)),
      ("app.visit.code", .retype(to: "integer", using: "trim(code)::integer * 2", back: "(code / 2)::text")),
      ("app.visit.id", .retype(to: "bigint", using: nil, back: nil)),
      ("app.visit.id", .rename(to: "visit")), ("app.visit.\"Site\"", .rename(to: "\"The site\"")),
      ("app.visit.\"Site\"", .retype(to: "bigint", using: nil, back: nil)),
      ("app.visit.doc", .retype(to: "jsonb", using: nil, back: nil)),
      ("app.visit.doc", .rename(to: "document")), ("app.num.n", .retype(to: "bigint", using: nil, back: nil)),
      ("app.num.n", .rename(to: "number")), ("app.part.id", .retype(to: "bigint", using: nil, back: nil)),
      ("app.part.v", .rename(to: "value")), ("app.bare.a", .rename(to: "place")),
    ])
  func changes(column: String, kind: ColumnChange.Kind) throws {
    let own = try own()
    _ = try draft(own, column, kind)
    var found: [String] = []
    let connection = try own.database.connect()
    _ = try MigrationVerifier(folder: try own.open(), place: .beside(connection)).run {
      found += ["\($0.result)"] + $0.differences + $0.warnings
    }
    #expect(found == ["ok", "ok", "ok"])
    let table = column.prefix { $0 != "." } + "." + column.dropFirst(4).prefix { $0 != "." }
    // Whatever the order of the columns is.
    let rows =
      "SELECT string_agg(r, ' ' ORDER BY r) FROM (SELECT (SELECT string_agg(value #>> '{}', '/' ORDER BY value #>> '{}') FROM jsonb_each(to_jsonb(t))) AS r FROM \(table) t) x"
    let before = try own.database.value(rows)
    let isDoubled = if case .retype(_, .some, _) = kind { true } else { false }
    try own.up { $0.contractHalves = .all }
    #expect(try (own.database.value(rows) == before) == !isDoubled)
    try own.down(.steps(2))
    #expect(try own.database.value(rows) == before)
  }

  @Test("keep both columns in step, whichever of them a program writes")
  func inStep() throws {
    let own = try own()
    _ = try draft(own, "app.visit.code", .rename(to: "word"))
    try own.up()
    try own.execute(
      """
      DELETE FROM app.visit WHERE code = '7';
      INSERT INTO app.visit (code) VALUES ('old'); INSERT INTO app.visit (word) VALUES ('new');
      INSERT INTO app.visit (doc) VALUES ('{}');
      UPDATE app.visit SET code = 'old 1' WHERE id = 1; UPDATE app.visit SET word = 'new 2' WHERE id = 2;
      UPDATE app.visit SET doc = NULL WHERE id = 3; UPDATE app.visit SET code = 'x', word = 'both' WHERE id = 4;
      """)
    #expect(try own.database.value("SELECT count(*) FROM app.visit WHERE code IS DISTINCT FROM word") == "0")
    let query = "SELECT string_agg(word, ',' ORDER BY id) FROM app.visit WHERE id < 5 OR id > 100"
    #expect(try own.database.value(query) == "old 1,new 2,3,both,old,new,7")
    #expect(throws: (any Error).self) { try own.execute("UPDATE app.visit SET word = NULL") }
    try own.up { $0.contractHalves = .next }
    #expect(try own.database.value(query) == "old 1,new 2,3,both,old,new,7")
    // The default has come along.
    try own.execute("DELETE FROM app.visit WHERE word = '7'; INSERT INTO app.visit (doc) VALUES ('{}')")
    #expect(try own.database.value("SELECT word FROM app.visit ORDER BY id DESC LIMIT 1") == "7")
  }

  /// What an old program writes where values are equal and not the same, or have a NULL in them.
  @Test(
    "carry over every value, whatever its type takes for equal",
    arguments: [
      ("box", "'(2,2),(1,1)'", "'(9,9),(8,8)'"), ("interval", "'1 month'", "'30 days'"),
      ("numeric", "1", "1.00"), ("float8", "0", "'-0'"), ("json[]", "'{1}'", "'{2}'"),
      ("app.pair", "ROW(1, NULL)", "ROW(2, NULL)"),
      ("text COLLATE app.folded", "'muller'", "'Muller'"), ("jsonb", "'1'", "'1.0'"),
    ])
  func images(type: String, first: String, second: String) throws {
    let own = try OwnMigrations()
    try own.execute(
      """
      CREATE SCHEMA app; CREATE TYPE app.pair AS (x int, y text);
      CREATE COLLATION app.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE app.t (id int PRIMARY KEY, v \(type)); INSERT INTO app.t VALUES (1, \(first)), (2, \(first));
      """)
    let change = try ColumnChange("app.t.v", .rename(to: "w")).draft(on: try own.database.connect())
    try own.scratch.write("0001_change.sql", change)
    try own.up()
    try own.execute("UPDATE app.t SET v = \(second) WHERE id = 1")
    let before = try own.database.value("SELECT string_agg(v::text, ' ' ORDER BY id) FROM app.t")
    try own.up { $0.contractHalves = .next }
    #expect(try own.database.value("SELECT string_agg(w::text, ' ' ORDER BY id) FROM app.t") == before)
  }

  @Test("give the default, the sequence and its options as --using and the new type want them")
  func along() throws {
    let own = try OwnMigrations()
    try own.execute(
      """
      CREATE TABLE t (id serial PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY (INCREMENT BY 10 START 7 CYCLE),
        amount numeric DEFAULT 5, last text, EXCLUDE USING btree (last WITH =));
      CREATE INDEX i ON t (last DESC NULLS LAST); INSERT INTO t (last) VALUES ('a');
      """)
    for (number, (column, kind)) in [
      ("t.id", ColumnChange.Kind.retype(to: "bigint", using: nil, back: nil)),
      ("t.n", .retype(to: "bigint", using: nil, back: nil)),
      ("t.amount", .retype(to: "bigint", using: "amount * 100", back: "amount / 100.0")),
    ].enumerated() {
      let text = try ColumnChange(column, kind).draft(on: try own.database.connect())
      try own.scratch.write("000\(number + 1)_change.sql", text)
      try own.up { $0.contractHalves = .all }
    }
    try own.execute("SELECT setval('t_id_seq', 2147483647); INSERT INTO t (last) VALUES ('b')")
    #expect(
      try own.database.value("SELECT string_agg(concat_ws('/', id, n, amount), ' ' ORDER BY id) FROM t")
        == "1/7/500 2147483648/17/500")
    // What would go with the column without a word stops the second half.
    let text = try ColumnChange("t.last", .rename(to: "final")).draft(on: try own.database.connect())
    #expect(text.contains("final DESC NULLS LAST"))
    try own.scratch.write("0004_change.sql", text)
    #expect(
      complaint { try own.up { $0.contractHalves = .all } }.contains("see to what depends on the old column"))
  }

  @Test("hide no row that policies hide from who copies")
  func policies() throws {
    let own = try OwnMigrations()
    try own.execute(
      "CREATE TABLE t (id int PRIMARY KEY, v text); ALTER TABLE t ENABLE ROW LEVEL SECURITY")
    let text = try ColumnChange("t.v", .rename(to: "w")).draft(on: try own.database.connect())
    #expect(text.matches(of: /SET row_security = off;\n/).count == 3)
  }

  @Test("an identity goes on counting, in the larger type")
  func identity() throws {
    let own = try own()
    _ = try draft(own, "app.visit.id", .retype(to: "bigint", using: nil, back: nil))
    try own.up()
    try own.execute("INSERT INTO app.visit (code) VALUES ('between')")
    try own.up { $0.contractHalves = .next }
    try own.execute("INSERT INTO app.visit (code) VALUES ('after')")
    #expect(
      try own.database.value("SELECT max(id) || '/' || count(*) || pg_typeof(max(id))::text FROM app.visit")
        == "102/102bigint")
    try own.down()
    try own.execute("INSERT INTO app.visit (code) VALUES ('back')")
    #expect(
      try own.database.value("SELECT max(id) || pg_typeof(max(id))::text FROM app.visit") == "103integer")
  }

  @Test("are free of what the lint finds, but on a table with partitions")
  func lint() throws {
    let own = try own()
    for (column, kind) in [
      ("app.visit.code", ColumnChange.Kind.rename(to: "word")),
      ("app.visit.id", .retype(to: "bigint", using: nil, back: nil)),
    ] {
      _ = try draft(own, column, kind)
      let findings = try Lint(folder: try own.open()).findings().filter {
        $0.file.hasSuffix("0002_change.sql")
      }
      #expect(findings.map { "\($0)" } == [])
    }
  }

  @Test("name what has to be seen to by hand")
  func others() throws {
    let own = try own()
    let text = try draft(own, "app.bare.b", .rename(to: "words"))
    #expect(text.contains("-- rule _RETURN on view app.reader: give it words here"))
    #expect(text.contains("-- No key tells the rows apart: all of them are copied at once."))
    #expect(
      try draft(own, "app.site.id", .rename(to: "site")).contains(
        "-- constraint visit_site_fkey on table app.visit: give it"))
    #expect(
      try draft(own, "app.visit.code", .retype(to: "integer", using: nil, back: nil))
        .contains("-- code_is_short is about values of the old type"))
  }

  @Test(
    "are refused where the change cannot be made so",
    arguments: [
      ("app.part.d", ColumnChange.Kind.rename(to: "day"), "its table is partitioned by it"),
      ("app.part_1.v", .rename(to: "w"), "its table is a partition: name the table that it is a part of"),
      ("app.nope.d", .rename(to: "day"), "there is no table app.nope"),
      ("app.visit.nope", .rename(to: "day"), "the table has no column nope"),
      ("app.visit.code", .rename(to: "doc"), "there is a column doc already"),
      ("app.reader.b", .rename(to: "c"), "it is no column of a table"),
      ("app.visit.code", .retype(to: "nonsense", using: nil, back: nil), "'nonsense' is no type"),
      ("app.visit.co de", .rename(to: "c"), "string is not a valid identifier"),
    ])
  func refusals(column: String, kind: ColumnChange.Kind, sentence: String) throws {
    let own = try own()
    #expect(complaint { try draft(own, column, kind) }.contains("'\(column)' cannot be changed: \(sentence)"))
  }
}
