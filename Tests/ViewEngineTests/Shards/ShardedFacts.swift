import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Facts of a group of hospitals that Citus distributes by user, and stored views over them.
struct ShardedFacts {
  var views: StoredViews

  /// The tables, empty, in a database of a cluster.
  init(capturing: Bool = true) throws {
    let database = try CitusServer.shared.makeDatabase()
    views = try StoredViews(Self.tables, in: database)
    try views.connection.execute("SELECT create_distributed_table('app.visit', 'user_id', shard_count => 6)")
    try views.connection.execute(
      "SELECT create_distributed_table('app.procedure', 'user_id', colocate_with => 'app.visit')")
    guard capturing else { return }
    try views.connection.query(
      "INSERT INTO rivulet.setting VALUES ($1, 'shards')", [.text(ViewEngine.captureSetting)])
  }

  private static let tables = """
    CREATE TABLE app.visit (user_id int NOT NULL, id int NOT NULL, day date NOT NULL, status text,
      CONSTRAINT visit_pkey PRIMARY KEY (user_id, id));
    CREATE TABLE app.procedure (user_id int NOT NULL, id int NOT NULL, visit_id int, code text, units numeric,
      at timestamptz NOT NULL DEFAULT '2025-01-31 23:30Z', CONSTRAINT procedure_pkey PRIMARY KEY (user_id, id));
    CREATE TABLE app.code (code text PRIMARY KEY, weight numeric NOT NULL);
    INSERT INTO app.code SELECT 'c' || n, n + 0.5 FROM generate_series(0, 7) n;
    """

  /// Views of every form that there is, made and filled.
  mutating func define() throws {
    try views.define(
      "mart.user_month", by: "user_id, month", of: "app.visit", capture: "user_id, day",
      keys: "SELECT user_id, date_trunc($$month$$, day)::date FROM changed",
      """
      SELECT k.user_id, k.month, count(*) AS visits, max(v.id) AS last, string_agg(v.status, ',' ORDER BY v.id) AS states
      FROM {keys} k JOIN app.visit v ON v.user_id = k.user_id AND date_trunc('month', v.day)::date = k.month GROUP BY 1, 2
      """)
    try views.define(
      "mart.user_total",
      """
      strategy: incremental
      description: Of two tables
      key: [user_id]
      rebuild_share: 100%
      sources:
        app.visit: {capture: [user_id], keys: SELECT user_id FROM changed}
        app.procedure: {capture: [user_id], keys: SELECT user_id FROM changed}
      """,
      """
      SELECT k.user_id, (SELECT count(*) FROM app.visit v WHERE v.user_id = k.user_id) AS visits, sum(p.units) AS units
      FROM {keys} k LEFT JOIN app.procedure p ON p.user_id = k.user_id GROUP BY 1
      """)
    // A key that may be null, and days of the project's time zone.
    try views.define(
      "mart.user_code", by: "user_id, code, day", of: "app.procedure", capture: "user_id, code, at",
      keys: "SELECT user_id, code, at::date FROM changed",
      """
      SELECT k.user_id, k.code, k.day, sum(p.units) AS units, count(*) AS n FROM {keys} k
      JOIN app.procedure p ON p.user_id = k.user_id AND p.code IS NOT DISTINCT FROM k.code AND p.at::date = k.day
      GROUP BY 1, 2, 3
      """)
    // Rows of a group, joined to a table of the coordinator's.
    try views.define(
      "mart.procedure_line",
      """
      strategy: incremental
      description: Several rows a group
      key: [user_id, visit_id]
      unique: [user_id, id]
      rebuild_share: 100%
      sources:
        app.procedure: {capture: [user_id, visit_id], keys: 'SELECT user_id, visit_id FROM changed'}
        app.code: rebuild
      """,
      """
      SELECT p.user_id, p.visit_id, p.id, p.units, p.units * c.weight AS weighted
      FROM {keys} k JOIN app.procedure p ON p.user_id = k.user_id AND p.visit_id IS NOT DISTINCT FROM k.visit_id
      LEFT JOIN app.code c ON c.code = p.code
      """)
    // Of another stored view.
    try views.define(
      "mart.user_busy", by: "user_id", of: "mart.user_month",
      "SELECT k.user_id, max(m.visits) AS most FROM {keys} k JOIN mart.user_month m ON m.user_id = k.user_id GROUP BY 1"
    )
    try views.make()
  }

  /// The rows in which views differ from their SELECT run now, as text; brought to the coordinator to be compared.
  func differences() throws -> [String] {
    try views.definitions.flatMap { view in
      try views.connection.transaction {
        try views.connection.execute("SET LOCAL timezone = 'UTC'")
        for (table, sql) in [
          ("fresh", view.sql(keys: StoredViews.groups(of: view))), ("stored", "TABLE \(view.name)"),
        ] {
          try views.connection.execute("CREATE TEMP TABLE \(table) ON COMMIT DROP AS \(sql)")
        }
        return try views.connection.execute(
          """
          SELECT 'missing ' || line FROM (SELECT f::text AS line FROM fresh f EXCEPT ALL SELECT s::text FROM stored s) a
          UNION ALL
          SELECT 'too much ' || line FROM (SELECT s::text AS line FROM stored s EXCEPT ALL SELECT f::text FROM fresh f) b
          """
        ).rows.map { "\(view.name) \($0[0] ?? "")" }
      }
    }
  }
}
