import Definitions
import Host
import PostgreSQL
import Store
import TestSupport
import Testing
import ViewEngine

/// Stored views over releases that Citus distributes, which learn of changes by marks alone.
@Suite("Views of distributed releases", .needsCitus)
struct MarkedReleasesTests {
  private var views: StoredViews

  /// Two releases of prices that are staged on the workers, and views over the table that they are attached to.
  init() throws {
    views = try StoredViews(
      """
      CREATE TABLE app.price (release text NOT NULL, code text NOT NULL, amount numeric(8, 2)) PARTITION BY LIST (release);
      INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('p', 'published', '', '')
      """, in: CitusServer.shared.makeDatabase())
    try views.connection.execute("SELECT create_distributed_table('app.price', 'code')")
    for release in 1...2 {
      for statement in [
        "CREATE TABLE app.price_\(release) (release text NOT NULL, code text NOT NULL, amount numeric(8, 2))",
        "SELECT create_distributed_table('app.price_\(release)', 'code', colocate_with => 'app.price')",
        """
        INSERT INTO app.price_\(release) SELECT '\(release)', 'c' || g % \(11 - release), g
        FROM generate_series(1, 200) g
        """,
        "INSERT INTO rivulet.release (pipeline, release, revision, state, run) VALUES ('p', '\(release)', 1, 'staged', 1)",
        "INSERT INTO rivulet.release_table VALUES ('p', '\(release)', 1, 'app.price', 'app.price_\(release)', 0)",
      ] { try views.connection.execute(statement) }
    }
    try views.define(
      "mart.by_code", by: "code", of: "app.price",
      "SELECT k.code, count(*) AS n, sum(p.amount) AS amount FROM {keys} k JOIN app.price p ON p.code = k.code GROUP BY 1"
    )
    try views.define(
      "mart.whole", fullBy: "release", "SELECT release, sum(amount) AS amount FROM app.price GROUP BY release"
    )
    try views.make()
  }

  /// Attaches or detaches a release as publishing does, with its marks.
  private func publish(_ release: Int, _ verb: String = "ATTACH") throws {
    try views.connection.transaction {
      try views.connection.execute(
        "ALTER TABLE app.price \(verb) PARTITION app.price_\(release)"
          + (verb == "ATTACH" ? " FOR VALUES IN ('\(release)')" : ""))
      try views.connection.query(
        ViewMarks.ofTables("'changed'", where: "t.release = $1"), [.text(String(release))])
    }
  }

  private func expectExact(_ kind: ViewRefresh.Kind) throws {
    #expect(try views.refresh(of: "mart.by_code").kind == kind)
    for (stored, fresh) in [
      ("code, n, amount) FROM mart.by_code", "code, count(*), sum(amount)) FROM app.price GROUP BY code"),
      ("release, amount) FROM mart.whole", "release, sum(amount)) FROM app.price GROUP BY release"),
    ] { #expect(try lines(stored) == lines(fresh)) }
  }

  private func lines(_ query: String) throws -> [String] {
    try views.connection.query("SELECT concat_ws('|', \(query)").rows.compactMap { $0[0] }.sorted()
  }

  @Test("are exact after releases came and went, and after a merge; without a trigger")
  func marks() throws {
    #expect(try views.value("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'rivulet%'") == "0")
    #expect(try views.value("SELECT string_agg(DISTINCT placed, ' ') FROM rivulet.view_source") == "marks")
    try publish(1)
    try expectExact(.full)
    try publish(2)
    try expectExact(.incremental)
    try publish(1, "DETACH")
    try expectExact(.incremental)
    try views.connection.transaction {
      try views.connection.execute("UPDATE app.price SET amount = amount + 1 WHERE code < 'c4'")
      try views.connection.query(ViewMarks.ofMerge, [.textArray(["app.price"])])
    }
    try expectExact(.full)
    #expect(try views.refresh(of: "mart.by_code").kind == nil)
    #expect(try views.engine.compare(on: views.connection).allSatisfy { $0.outcome == .exact })
  }

  @Test("are computed without compiling, on the workers too, which know nothing of the session's settings")
  func settings() throws {
    let jit = "SELECT DISTINCT current_setting('jit', code IS NULL) FROM app.price_1"
    #expect(try views.value(jit) == "on")
    #expect(try views.connection.transaction { try views.value(jit) } == "off")
    #expect(try views.value("SHOW citus.propagate_set_commands") == "none")
    #expect(throws: PostgreSQLError.self) { try views.connection.transaction(settings: "no SQL") {} }
    #expect(views.connection.isUsable)
  }

  @Test("are of tables whose size is that of all their shards")
  func sizes() throws {
    let largest = try #require(try StoredTables(connection: views.connection).releases().first)
    let shards = try views.value(
      """
      SELECT sum(result::bigint) FROM (SELECT logicalrelid FROM pg_dist_partition WHERE logicalrelid::text ~ 'price_') t,
        run_command_on_shards(t.logicalrelid, 'SELECT pg_total_relation_size(''%s'')')
      """)
    #expect(largest.name == "app.price" && largest.bytes > 0)
    #expect(String(largest.bytes) == shards)
  }

  @Test("are not refreshed while a transaction is at work whose mark may be seen before its rows")
  func waiting() throws {
    try publish(1)
    let other = try views.database.connect()
    try other.execute("BEGIN; UPDATE app.price SET amount = 0")
    let (isDone, database, definitions) = (Shared(false), views.database, views.definitions)
    let refresh = Background {
      _ = try ViewEngine(definitions).refresh(RefreshRequest(), on: database.connect())
      isDone.change { $0 = true }
    }
    Machine.sleep(seconds: 2)
    #expect(!isDone.value)
    try other.query(ViewMarks.ofMerge, [.textArray(["app.price"])])
    try other.execute("COMMIT")
    try refresh.wait()
    #expect(
      try lines("code, amount) FROM mart.by_code") == lines("code, sum(amount)) FROM app.price GROUP BY code")
    )
  }
}
