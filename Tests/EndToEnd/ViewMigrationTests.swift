import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Migrations of tables that stored views are computed from.
@Suite("Migrations and stored views")
struct ViewMigrationTests {
  private let views: OwnViews
  private var own: OwnDataset { views.own }

  private static let byDay = """
    /* rivulet view
    strategy: incremental
    description: Notes by day
    key: [day]
    sources:
      own.note: {capture: [day], keys: SELECT day FROM changed}
    grants: {pg_monitor: select}
    indexes: [[notes]]
    */
    SELECT day, count(*) AS notes FROM {keys} k JOIN own.note n USING (day) GROUP BY 1
    """

  init() throws {
    views = try OwnViews()
    try migration(
      "0002_note",
      "CREATE TABLE own.note (id int PRIMARY KEY, day date NOT NULL); CREATE INDEX ON own.note (day);",
      down: "DROP TABLE own.note;")
    try views.write("own.by_day", Self.byDay)
    try views.make()
    try views.database.connect().execute(
      "INSERT INTO own.note SELECT i, DATE '2025-01-01' + i % 5 FROM generate_series(1, 20) i")
    let refresh = try own.command("refresh")
    try #require(refresh.status == 0, "\(refresh.errors)")
  }

  private func migration(_ name: String, _ up: String, down: String) throws {
    try own.scratch.write("Migrations/\(name).sql", "-- rivulet:up\n\(up)\n-- rivulet:down\n\(down)\n")
  }

  private func value(_ sql: String) throws -> String? { try views.database.value(sql) }

  @Test("leave no trace of the views in a dump, and none in the drift")
  func dump() throws {
    let dump = try own.command("migrate", "dump")
    #expect(dump.status == 0 && dump.errors.contains("left out") == false, "\(dump.errors)")
    #expect(!dump.output.contains("by_day") && !dump.output.contains("rivulet"), "\(dump.output)")
    #expect(dump.output.contains("CREATE TABLE own.note"))
    let drift = try own.command("migrate", "status", "--drift")
    #expect(drift.status == 0, "\(drift.output) \(drift.errors)")
    try views.database.connect().execute("CREATE INDEX ON own.note (id, day)")
    #expect(try own.command("migrate", "status", "--drift").status == 5)
  }

  @Test("are planned on a shadow without the views' triggers")
  func plan() throws {
    try migration(
      "0003_more", "ALTER TABLE own.note ADD COLUMN more text;",
      down: "ALTER TABLE own.note DROP COLUMN more;")
    let plan = try own.command("migrate", "plan", "--format", "json")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("\"own.note\""))
  }

  @Test("that rename a captured column leave writers at work, and make the view from its new definition")
  func rename() throws {
    try migration(
      "0003_rename", "ALTER TABLE own.note RENAME COLUMN day TO seen_on;",
      down: "ALTER TABLE own.note RENAME COLUMN seen_on TO day;")
    try views.write(
      "own.by_day",
      """
      /* rivulet view
      strategy: incremental
      description: Notes by day
      key: [day]
      sources:
        own.note: {capture: [seen_on], keys: SELECT seen_on FROM changed}
      grants: {pg_monitor: select}
      indexes: [[notes]]
      */
      SELECT k.day, count(*) AS notes FROM {keys} k JOIN own.note n ON n.seen_on = k.day GROUP BY 1
      """)
    try views.make()
    let connection = try views.database.connect()
    try connection.execute("INSERT INTO own.note VALUES (100, '2026-01-01')")
    #expect(try own.command("refresh").status == 0)
    #expect(try value("SELECT notes FROM own.by_day WHERE day = '2026-01-01'") == "1")
    #expect(try views.wrong().joined(separator: " ") == "")
    #expect(try value("SELECT has_table_privilege('pg_monitor', 'own.by_day', 'SELECT')") == "t")
  }

  @Test(
    "that rename a captured column leave writers at work and the view out, where its definition was forgotten"
  )
  func forgotten() throws {
    try migration(
      "0003_rename", "ALTER TABLE own.note RENAME COLUMN day TO seen_on;",
      down: "ALTER TABLE own.note RENAME COLUMN seen_on TO day;")
    let up = try own.command("migrate", "up")
    #expect(up.status != 0 && up.errors.contains("own.by_day"), "\(up.errors)")
    #expect(try value("SELECT version FROM rivulet.migration WHERE version = '0003'") == "0003")
    try views.database.connect().execute(
      "INSERT INTO own.note VALUES (100, '2026-01-01'); UPDATE own.note SET seen_on = seen_on + 1; DELETE FROM own.note WHERE id = 1"
    )
    #expect(try value("SELECT to_regclass('own.by_day')") == nil)
    #expect(
      try value("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'own.note'::regclass AND NOT tgisinternal")
        == "0")
    #expect(try value("SELECT count(*) FROM rivulet.view_source WHERE view = 'own.by_day'") == "0")
    // And back: the view is as it was.
    #expect(try own.command("migrate", "down").status == 0)
    #expect(try value("SELECT count(*) FROM own.by_day") != "0")
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test(
    "that drop a column or change its type meet the views in their way, which are there again afterwards")
  func altered() throws {
    try migration(
      "0003_type",
      "ALTER TABLE own.note ALTER COLUMN day TYPE timestamp; ALTER TABLE own.note ALTER COLUMN day TYPE date;",
      down: "SELECT 1;")
    try views.make()
    try views.database.connect().execute("INSERT INTO own.note VALUES (100, '2026-01-01')")
    #expect(try own.command("refresh").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
    let indexes = try value("SELECT count(*) FROM pg_index WHERE indrelid = 'own.by_day'::regclass")
    #expect(indexes == "2")
  }

  @Test("that drop a table with all that hangs on it, and make it again, have its views watch the new one")
  func recreated() throws {
    try migration(
      "0003_again",
      "DROP TABLE own.note CASCADE; CREATE TABLE own.note (id int PRIMARY KEY, day date NOT NULL); CREATE INDEX ON own.note (day);",
      down: "SELECT 1;")
    try views.make()
    try views.database.connect().execute("INSERT INTO own.note VALUES (100, '2026-01-01')")
    #expect(try own.command("refresh").status == 0)
    #expect(try value("SELECT string_agg(day || ' ' || notes, ',') FROM own.by_day") == "2026-01-01 1")
  }

  @Test(
    "that rename a captured column and share a commit with others leave writers at work, and are rolled back as any"
  )
  func shared() throws {
    try migration("0003_one", "CREATE TABLE own.one (n int);", down: "DROP TABLE own.one;")
    try migration(
      "0004_rename", "ALTER TABLE own.note RENAME COLUMN day TO seen_on;",
      down: "ALTER TABLE own.note RENAME COLUMN seen_on TO day;")
    try migration("0005_two", "CREATE TABLE own.two (n int);", down: "DROP TABLE own.two;")
    #expect(try own.command("migrate", "up").status != 0, "the view's definition was forgotten")
    try views.database.connect().execute("INSERT INTO own.note VALUES (100, '2026-01-01')")
    #expect(try own.command("migrate", "down", "--steps", "3").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
    #expect(try value("SELECT notes FROM own.by_day WHERE day = '2026-01-01'") == "1")
  }

  @Test("that rename a table leave writers at work")
  func renamedTable() throws {
    try migration(
      "0003_rename", "ALTER TABLE own.note RENAME TO remark;", down: "ALTER TABLE own.remark RENAME TO note;")
    #expect(try own.command("migrate", "up").status != 0, "the view's definition was forgotten")
    try views.database.connect().execute("INSERT INTO own.remark VALUES (100, '2026-01-01')")
    #expect(try own.command("migrate", "down").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test("that take the whole schema away leave nothing of its views")
  func schema() throws {
    #expect(try own.command("migrate", "down", "--to", "0").status == 0)
    let left = """
      SELECT string_agg(oid::regclass::text, ' ') FROM pg_class
      WHERE relnamespace = 'rivulet'::regnamespace AND relname ~ '^(queue|view)_[0-9]'
      """
    #expect(try value(left) == nil)
    #expect(try value("SELECT count(*) FROM pg_proc WHERE proname ~ '^capture_'") == "0")
    #expect(try value("SELECT count(*) FROM rivulet.view") == "0")
    #expect(try value("SELECT count(*) FROM rivulet.view_mark") == "0")
    #expect(try own.command("migrate", "up").status == 0)
  }
}
