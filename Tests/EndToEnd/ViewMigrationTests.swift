import PostgreSQL
import TestSupport
import Testing

/// Migrations of tables that stored views are computed from.
@Suite("Migrations and stored views")
struct ViewMigrationTests {
  private let views: OwnViews
  private var own: OwnDataset { views.own }

  /// The notes of each day, which a column of a table says.
  private static func byDay(_ column: String) -> String {
    """
    /* rivulet view
    strategy: incremental
    description: Notes by day
    key: [day]
    sources:
      own.note: {capture: [\(column)], keys: SELECT \(column) FROM changed}
    grants: {pg_monitor: select}
    indexes: [[notes]]
    */
    SELECT k.day, count(*) AS notes FROM {keys} k JOIN own.note n ON n.\(column) = k.day GROUP BY 1
    """
  }

  private static let table =
    "CREATE TABLE own.note (id int PRIMARY KEY, day date NOT NULL); CREATE INDEX ON own.note (day);"
  private static let rename = (
    up: "ALTER TABLE own.note RENAME COLUMN day TO seen_on;",
    down: "ALTER TABLE own.note RENAME COLUMN seen_on TO day;"
  )

  init() throws {
    views = try OwnViews()
    try migration("0002_note", (Self.table, "DROP TABLE own.note;"))
    try views.write("own.by_day", Self.byDay("day"))
    try views.make()
    try views.database.connect().execute(
      "INSERT INTO own.note SELECT i, DATE '2025-01-01' + i % 5 FROM generate_series(1, 20) i")
    try own.command("refresh").succeeded()
  }

  private func migration(_ name: String, _ sections: (up: String, down: String)) throws {
    try own.scratch.write(
      "Migrations/\(name).sql", "-- rivulet:up\n\(sections.up)\n-- rivulet:down\n\(sections.down)\n")
  }

  private func value(_ sql: String) throws -> String? { try views.database.value(sql) }

  private func write(_ sql: String = "INSERT INTO own.note VALUES (100, '2026-01-01')") throws {
    try views.database.connect().execute(sql)
  }

  @Test(
    "leave no trace of the views in a dump, none in the drift, and are planned on a shadow without the views' triggers"
  )
  func dump() throws {
    let dump = try own.command("migrate", "dump").succeeded()
    #expect(!dump.errors.contains("left out"), "\(dump.errors)")
    #expect(!dump.output.contains("by_day") && !dump.output.contains("rivulet"), "\(dump.output)")
    #expect(dump.output.contains("CREATE TABLE own.note"))
    try own.command("migrate", "status", "--drift").succeeded()
    try write("CREATE INDEX ON own.note (id, day)")
    try own.command("migrate", "status", "--drift").failed(5)
    try migration(
      "0003_more", ("ALTER TABLE own.note ADD COLUMN more text;", "ALTER TABLE own.note DROP COLUMN more;"))
    let plan = try own.command("migrate", "plan", "--format", "json").succeeded()
    #expect(plan.output.contains("\"own.note\""))
  }

  @Test("that rename a captured column leave writers at work, and make the view from its new definition")
  func rename() throws {
    try migration("0003_rename", Self.rename)
    try views.write("own.by_day", Self.byDay("seen_on"))
    try views.make()
    try write()
    try own.command("refresh").succeeded()
    #expect(try value("SELECT notes FROM own.by_day WHERE day = '2026-01-01'") == "1")
    try views.expectExact()
    #expect(try value("SELECT has_table_privilege('pg_monitor', 'own.by_day', 'SELECT')") == "t")
  }

  @Test(
    "that rename a captured column leave writers at work and the view out, where its definition was forgotten, also where they share a commit, and are rolled back as any",
    arguments: [false, true])
  func forgotten(isShared: Bool) throws {
    if isShared { try migration("0003_one", ("CREATE TABLE own.one (n int);", "DROP TABLE own.one;")) }
    try migration("0004_rename", Self.rename)
    if isShared { try migration("0005_two", ("CREATE TABLE own.two (n int);", "DROP TABLE own.two;")) }
    let up = try own.command("migrate", "up")
    #expect(up.status != 0 && up.errors.contains("own.by_day"), "\(up.errors)")
    #expect(try value("SELECT version FROM rivulet.migration WHERE version = '0004'") == "0004")
    try write()
    try write("UPDATE own.note SET seen_on = seen_on + 1 WHERE id < 100; DELETE FROM own.note WHERE id = 1")
    #expect(try value("SELECT to_regclass('own.by_day')") == nil)
    #expect(
      try value("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'own.note'::regclass AND NOT tgisinternal")
        == "0")
    #expect(try value("SELECT count(*) FROM rivulet.view_source WHERE view = 'own.by_day'") == "0")
    // And back: the view is as it was.
    try own.command("migrate", "down", "--steps", isShared ? "3" : "1").succeeded()
    try views.expectExact()
    #expect(try value("SELECT notes FROM own.by_day WHERE day = '2026-01-01'") == "1")
  }

  @Test("that rename a table leave writers at work")
  func renamedTable() throws {
    try migration(
      "0003_rename", ("ALTER TABLE own.note RENAME TO remark;", "ALTER TABLE own.remark RENAME TO note;"))
    #expect(try own.command("migrate", "up").status != 0, "the view's definition was forgotten")
    try write("INSERT INTO own.remark VALUES (100, '2026-01-01')")
    try own.command("migrate", "down").succeeded()
    try views.expectExact()
  }

  @Test(
    "that change a column's type, or drop a table with all that hangs on it and make it again, meet the views in their way, which watch what is there afterwards",
    arguments: [
      (
        "ALTER TABLE own.note ALTER COLUMN day TYPE timestamp; ALTER TABLE own.note ALTER COLUMN day TYPE date;",
        "6"
      ),
      ("DROP TABLE own.note CASCADE; " + table, "1"),
    ])
  func altered(up: String, days: String) throws {
    try migration("0003_note", (up, "SELECT 1;"))
    try views.make()
    try write()
    try own.command("refresh").succeeded()
    try views.expectExact()
    #expect(try value("SELECT count(*) FROM own.by_day") == days)
    #expect(try value("SELECT notes FROM own.by_day WHERE day = '2026-01-01'") == "1")
    #expect(try value("SELECT count(*) FROM pg_index WHERE indrelid = 'own.by_day'::regclass") == "2")
  }

  @Test("that take the whole schema away leave nothing of its views")
  func schema() throws {
    try own.command("migrate", "down", "--to", "0").succeeded()
    for left in [
      "pg_class WHERE relnamespace = 'rivulet'::regnamespace AND relname ~ '^(queue|view)_[0-9]'",
      "pg_proc WHERE proname ~ '^capture_'", "rivulet.view", "rivulet.view_mark",
    ] { #expect(try value("SELECT count(*) FROM \(left)") == "0", "\(left)") }
    try own.command("migrate", "up").succeeded()
  }
}
