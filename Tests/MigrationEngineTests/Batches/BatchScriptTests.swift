import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Batches in a script that psql runs.
@Suite("A script with batches")
struct BatchScriptTests {
  @Test("leaves rows and history as up does, in as many transactions", arguments: ["id", "(site, id)"])
  func same(key: String) throws {
    let (columns, primary) =
      key == "id" ? ("id timestamptz", "id") : ("site text, id timestamptz", "site, id")
    let rows =
      "SELECT \(key == "id" ? "" : "'it''s ' || n % 3, ")'2025-01-01'::timestamptz + n * interval '1 day 3.000007 s' FROM generate_series(1, 100) n"
    let settings = "SET datestyle = 'German, DMY'; SET ROLE batch_owner;"
    var found: [[String?]] = []
    for isScript in [true, false] {
      let visits = try OwnBatches(key: columns, primary: primary, rows: rows)
      try visits.own.execute(
        """
        DO $$ BEGIN CREATE ROLE batch_owner; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
        GRANT USAGE ON SCHEMA app TO batch_owner; GRANT SELECT, UPDATE ON app.visit TO batch_owner;
        GRANT ALL ON touch TO batch_owner;
        """)
      try visits.write("app.visit \(key) 30 pause=1ms", head: settings)
      if isScript {
        let run = try visits.runScript()
        #expect(run.status == 0, "\(run.output)")
      } else {
        try visits.own.up()
      }
      #expect(try visits.own.engine().status().isInStep)
      found.append([
        try visits.outcome(), try visits.sizes(),
        try visits.own.database.value("SELECT count(*) FROM rivulet.migration_statement"),
      ])
    }
    #expect(found == [["100/100 100/100", "30 30 30 10", "0"], ["100/100 100/100", "30 30 30 10", "0"]])
  }

  @Test(
    "goes along keys whose columns have no variable of their own",
    arguments: [
      ("id app_key", "id", "SELECT generate_series(1, 100)"),
      ("id app_pair", "id", "SELECT ROW('it''s', n)::app_pair FROM generate_series(1, 100) n"),
      ("\"k'2\" int", "\"k'2\"", "SELECT generate_series(1, 100)"),
      ("id text COLLATE german", "id", "SELECT concat('ä''\\', n) FROM generate_series(1, 100) n"),
    ])
  func types(columns: String, primary: String, rows: String) throws {
    let visits = try OwnBatches(key: columns, primary: primary, rows: rows)
    try visits.write("app.visit \(primary) 30")
    let run = try visits.runScript()
    #expect(run.status == 0, "\(run.output)")
    #expect(try visits.outcome() == "100/100 100/100")
    #expect(try visits.sizes() == "30 30 30 10")
  }

  @Test("is followed by up, and follows it, where it stops in the middle")
  func resumed() throws {
    let visits = try OwnBatches()
    try visits.own.execute("ALTER TABLE app.visit ADD CHECK (id <> 77 OR norm IS NULL)")
    try visits.write()
    let first = try visits.runScript()
    #expect(first.status == 3 && first.output.contains("visit_check"), "\(first.output)")
    let batch = try #require(visits.own.engine().status().applied.first?.batch)
    #expect(batch.batches == 3 && batch.rows == 60 && batch.totalRows == 100)
    // It goes on from there, and fails again.
    #expect(complaint { try visits.own.up() }.contains("23514"))
    try visits.own.execute("ALTER TABLE app.visit DROP CONSTRAINT visit_check")
    let second = try visits.runScript()
    #expect(second.status == 0, "\(second.output)")
    #expect(try visits.outcome() == "100/100 100/100")
    #expect(try visits.sizes() == "20 20 20 20 20")
    #expect(try visits.own.states() == "1:applied")
  }

  @Test("refuses a key that has no index, and is written before its table is there")
  func refused() throws {
    let visits = try OwnBatches()
    try visits.own.write(
      "1_a.sql",
      up: "CREATE TABLE b (n int NOT NULL, m int);\n-- rivulet:batch b n 5\nDELETE FROM b WHERE {batch};")
    let run = try visits.runScript()
    #expect(run.status == 3 && run.output.contains("batches cannot go along this key"), "\(run.output)")
  }
}
