import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Plans, made on shadows of a real database.
@Suite("The plan of migrations")
struct MigrationPlannerTests {
  private let own: OwnMigrations

  /// A database with tables of every sort, some of them analysed.
  init() throws {
    own = try OwnMigrations()
    try own.execute(
      """
      CREATE TABLE fee (id int PRIMARY KEY, code varchar(10), amount int);
      INSERT INTO fee SELECT n, n, n FROM generate_series(1, 1234) n;
      CREATE TABLE payer (id int PRIMARY KEY, fee int);
      CREATE INDEX by_fee ON payer (fee);
      INSERT INTO payer VALUES (1, 1);
      ALTER TABLE payer ADD CONSTRAINT unproven CHECK (fee > 0) NOT VALID;
      CREATE TABLE visit (day date, n int) PARTITION BY RANGE (day);
      CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
      CREATE TABLE visit_2 PARTITION OF visit FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
      INSERT INTO visit SELECT '2024-05-01', n FROM generate_series(1, 30) n;
      INSERT INTO visit SELECT '2025-05-01', n FROM generate_series(1, 12) n;
      CREATE VIEW dear AS SELECT id, code FROM fee;
      CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      ANALYZE fee, visit;
      """)
  }

  private func plan(_ goal: MigrationGoal = .natural) throws -> [PlannedMigration] {
    let connection = try own.database.connect()
    return try MigrationPlanner(target: connection, folder: try own.open(), place: .beside(connection))
      .plan(goal)
  }

  private func write(_ name: String, _ up: String, options: String = "") throws {
    try own.scratch.write(name, "-- rivulet:up \(options)\n\(up)\n")
  }

  /// One migration and what it does to tables in schema public, in short.
  struct Case: Sendable, CustomTestStringConvertible {
    let sql: String
    let locks: [String]
    let rewrites: [String]
    let indexes: [String]
    let outside: Int
    var testDescription: String { sql }
  }

  private static func of(
    _ sql: String, _ locks: String..., rewrites: [String] = [], indexes: [String] = [], outside: Int = 0
  ) -> Case {
    Case(sql: sql, locks: locks, rewrites: rewrites, indexes: indexes, outside: outside)
  }

  private static let cases = [
    of("ALTER TABLE fee ADD COLUMN note text", "ACCESS EXCLUSIVE fee 1234"),
    of("ALTER TABLE fee ADD COLUMN at date DEFAULT '2025-01-01'", "ACCESS EXCLUSIVE fee 1234"),
    of(
      "ALTER TABLE fee ADD COLUMN at timestamptz DEFAULT clock_timestamp()", "ACCESS EXCLUSIVE fee 1234",
      rewrites: ["fee"]),
    of("ALTER TABLE fee ALTER COLUMN amount TYPE bigint", "ACCESS EXCLUSIVE fee 1234", rewrites: ["fee"]),
    of(
      "DROP VIEW dear; ALTER TABLE fee ALTER COLUMN code TYPE varchar(20)", "ACCESS EXCLUSIVE dear -",
      "ACCESS EXCLUSIVE fee 1234"),
    of("CREATE INDEX by_code ON fee (code)", "SHARE fee 1234", indexes: ["by_code fee 1234"]),
    of("CREATE INDEX CONCURRENTLY by_code ON fee (code)", "SHARE UPDATE EXCLUSIVE fee 1234", outside: 1),
    of(
      "CREATE UNIQUE INDEX CONCURRENTLY by_code ON ONLY public.fee (code);\nALTER TABLE fee ADD CONSTRAINT code UNIQUE USING INDEX by_code",
      "ACCESS EXCLUSIVE fee 1234", outside: 1),
    of("DROP INDEX CONCURRENTLY IF EXISTS by_fee", "SHARE UPDATE EXCLUSIVE payer -", outside: 1),
    of("REINDEX TABLE CONCURRENTLY payer", "SHARE UPDATE EXCLUSIVE payer -", outside: 1),
    of("REINDEX INDEX by_fee", "ACCESS EXCLUSIVE by_fee -", "SHARE payer -", indexes: ["by_fee payer -"]),
    of(
      "VACUUM (ANALYZE) fee, payer", "SHARE UPDATE EXCLUSIVE fee 1234", "SHARE UPDATE EXCLUSIVE payer -",
      outside: 1),
    of("VACUUM FULL payer", "ACCESS EXCLUSIVE payer -", rewrites: ["payer"], outside: 1),
    of(
      "ALTER TABLE payer ADD FOREIGN KEY (fee) REFERENCES fee", "SHARE ROW EXCLUSIVE fee 1234",
      "SHARE ROW EXCLUSIVE payer -"),
    of("ALTER TABLE payer ADD CHECK (id > 0) NOT VALID", "ACCESS EXCLUSIVE payer -"),
    of("ALTER TABLE payer VALIDATE CONSTRAINT unproven", "SHARE UPDATE EXCLUSIVE payer -"),
    of(
      "CREATE TRIGGER kept BEFORE INSERT ON fee FOR EACH ROW EXECUTE FUNCTION keep()",
      "SHARE ROW EXCLUSIVE fee 1234"),
    of(
      "ALTER TABLE visit ADD COLUMN x int", "ACCESS EXCLUSIVE visit 42", "ACCESS EXCLUSIVE visit_1 30",
      "ACCESS EXCLUSIVE visit_2 12"),
    of(
      "ALTER TABLE visit DETACH PARTITION visit_1 CONCURRENTLY", "ACCESS EXCLUSIVE visit_1 30",
      "SHARE UPDATE EXCLUSIVE visit 42", outside: 1),
    of("UPDATE fee SET amount = 0", "ROW EXCLUSIVE fee 1234"),
    of("CREATE VIEW seen AS SELECT id FROM dear", "ACCESS SHARE dear -"),
    of("CREATE TABLE fresh (n int); ALTER TABLE fresh ADD COLUMN m int; CREATE INDEX ON fresh (n)"),
    of("DROP TABLE fee CASCADE", "ACCESS EXCLUSIVE dear -", "ACCESS EXCLUSIVE fee 1234"),
    of("CREATE TYPE mood AS ENUM ('a'); ALTER TYPE mood ADD VALUE 'b'"),
  ]

  @Test("knows the locks, the rewrites and the indexes of each statement", arguments: cases)
  func effects(_ expected: Case) throws {
    try write("0001_it.sql", expected.sql + ";")
    let planned = try #require(try plan().first)
    let rows = { (rows: Int?) in rows.map(String.init) ?? "-" }
    let locks = planned.locks.map { "\($0.mode.rawValue) \($0.table) \(rows($0.rows))" }
    let indexes = planned.indexes.map { "\($0.index) \($0.table) \(rows($0.rows))" }
    let short = { (names: [String]) in names.map { $0.replacing("public.", with: "") } }
    #expect(short(locks) == expected.locks)
    #expect(short(planned.rewrites) == expected.rewrites)
    #expect(short(indexes) == expected.indexes)
    #expect(planned.statementsOutside.count == expected.outside)
    #expect(planned.isTransaction == (expected.outside == 0))
  }

  @Test("looks at each statement's own transaction where a file asks for that")
  func statementwise() throws {
    try write(
      "0001_it.sql", "ALTER TABLE fee ADD COLUMN n int;\nCREATE INDEX by_n ON fee (n);",
      options: "transaction=off")
    let planned = try #require(try plan().first)
    #expect(!planned.isTransaction)
    #expect(planned.locks.map(\.mode) == [.accessExclusive])
    #expect(planned.indexes.map(\.index) == ["public.by_n"])
  }

  @Test("knows a statement of which only the server knows that no transaction holds it")
  func aloneBySurprise() throws {
    try write("0001_it.sql", "REINDEX TABLE visit;", options: "transaction=off")
    let planned = try #require(try plan().first)
    #expect(planned.statementsOutside == ["REINDEX TABLE visit"])
    #expect(planned.locks.map(\.table) == ["public.visit", "public.visit_1", "public.visit_2"])
    #expect(planned.locks.allSatisfy { $0.mode == .share })
  }

  @Test("goes on from what is applied, and counts only tables that are there now")
  func pending() throws {
    try write("0001_a.sql", "CREATE TABLE a (n int);")
    try own.up()
    try write("0002_b.sql", "ALTER TABLE a ADD COLUMN m int; CREATE TABLE b (n int);")
    try write("0003_c.sql", "ALTER TABLE b ADD COLUMN m int; ALTER TABLE a RENAME TO z;")
    try write("0004_d.sql", "ALTER TABLE z DROP COLUMN m;")
    try own.scratch.write("R_view.sql", "CREATE OR REPLACE VIEW v AS SELECT n FROM z;")
    #expect(try plan().map(\.migration.version) == ["0002", "0003", "0004", "view"])
    #expect(
      try plan().map { $0.locks.map(\.table) } == [["public.a"], ["public.a"], ["public.a"], ["public.a"]])
    #expect(try plan(.steps(1)).count == 1)
    #expect(try plan(.version("0003")).count == 2)
  }

  @Test("asks no rows of a shadow that has none")
  func withoutRows() throws {
    try own.execute(
      """
      CREATE MATERIALIZED VIEW a_top AS SELECT 1 AS id;
      CREATE MATERIALIZED VIEW kept AS SELECT id FROM fee;
      CREATE UNIQUE INDEX kept_key ON kept (id);
      DROP MATERIALIZED VIEW a_top;
      CREATE MATERIALIZED VIEW a_top AS SELECT id FROM kept;
      """)
    try own.scratch.write(
      "0001_it.sql",
      """
      -- rivulet:up
      REFRESH MATERIALIZED VIEW CONCURRENTLY kept;
      REFRESH MATERIALIZED VIEW a_top;
      -- rivulet:require
      SELECT count(*) > 0 FROM fee;
      -- rivulet:verify
      SELECT 1 / count(*) FROM fee;
      """)
    let locks = try #require(try plan().first).locks
    #expect(locks.first?.table == "public.a_top")
    #expect(locks.first?.mode == .accessExclusive)
    #expect(locks.first { $0.table == "public.kept" }?.mode == .exclusive)
  }

  @Test("says what up would say of a migration that fails")
  func failure() throws {
    try write("0001_it.sql", "CREATE TABLE x (n int);\nALTER TABLE missing ADD COLUMN n int;")
    let found = complaint { try plan() }
    #expect(found.hasPrefix("0001_it.sql:3:") && found.contains("relation \"missing\" does not exist"))
    #expect(try own.database.value("SELECT to_regclass('rivulet.migration')") == nil)
  }

  @Test("refuses with --here what would change the server")
  func clusterWide() throws {
    try write("0001_it.sql", "ALTER SYSTEM SET work_mem = '5MB';")
    let run = try Program(database: own.database.url).run(
      "migrate", "plan", "--here", "--dir", own.scratch.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("ALTER SYSTEM would change the server itself"))
  }

  @Test("changes nothing and waits for nobody, though every table is locked against all but readers")
  func untouched() throws {
    try write(
      "0001_it.sql", "ALTER TABLE fee ADD COLUMN n int; CREATE INDEX ON payer (id); DROP TABLE visit;")
    let before = try SchemaDump(of: try own.database.connect())
    let other = try own.database.connect()
    try other.execute("BEGIN; LOCK TABLE fee, payer, visit, dear IN EXCLUSIVE MODE")
    let readOnly =
      own.database.url + (own.database.url.contains("?") ? "&" : "?")
      + "options=-c%20default_transaction_read_only%3Don"
    let run = try Program(database: readOnly).run(
      "migrate", "plan", "--dir", own.scratch.path, "--format", "json")
    #expect(run.status == 0)
    try other.execute("ROLLBACK")
    #expect(try SchemaDump(of: try own.database.connect()).sql == before.sql)
    #expect(try own.database.value("SELECT to_regnamespace('rivulet')") == nil)
    let planned = try #require((try run.object()["migrations"] as? [[String: Any]])?.first)
    #expect(planned["version"] as? String == "0001")
    #expect(planned["transaction"] as? Bool == true)
    #expect((planned["sql"] as? String)?.contains("DROP TABLE visit") == true)
    let locks = try #require(planned["locks"] as? [[String: Any]])
    #expect(locks.first?["blocks"] as? String == "readers and writers")
    #expect(locks.last?["table"] as? String == "public.payer")
    #expect(locks.last?["rows"] is NSNull)
    #expect(locks.last?["blocks"] as? String == "writers")
    let indexes = try #require(planned["indexes"] as? [[String: Any]])
    #expect(indexes.first?["index"] as? String == "public.payer_id_idx")
  }

  @Test("is read in ten seconds")
  func text() throws {
    try write("0001_it.sql", "ALTER TABLE visit ADD COLUMN x int;\nCREATE INDEX by_code ON fee (code);")
    let run = try Program(database: own.database.url).run(
      "migrate", "plan", "--here", "--dir", own.scratch.path)
    #expect(
      run.output == """
        0001 it
          ACCESS EXCLUSIVE on public.visit and 2 partitions (about 42 rows): blocks readers and writers
          SHARE on public.fee (about 1,234 rows): blocks writers
          builds public.by_code without CONCURRENTLY on public.fee (about 1,234 rows)

            ALTER TABLE visit ADD COLUMN x int;
            CREATE INDEX by_code ON fee (code);

        """)
  }

  @Test("plans this project's own migrations on a database that has views and releases")
  func project() throws {
    let program = Program(database: own.database.url)
    try #require(try program.run("migrate", "up").status == 0)
    try #require(try program.run("migrate", "down", "--to", "0005").status == 0)
    let run = try program.run("migrate", "plan", "--format", "json")
    #expect(run.status == 0)
    let planned = try #require(try run.object()["migrations"] as? [[String: Any]])
    let versions = planned.compactMap { $0["version"] as? String }
    #expect(versions.starts(with: ["0006", "0007", "0008", "0009", "0010"]))
    #expect(try program.run("migrate", "up").status == 0)
  }
}
