import PostgreSQL

/// Drops views with all that belongs to them, and those of the project's that read them; what was granted on
/// them or set on them by hand is kept for when they are made again.
struct ViewRemoval {
  private let connection: Connection
  private var live: [String] = []
  private var stored: [RegisteredView] = []

  /// Views to drop, and those that read them.
  init(_ names: [String], on connection: Connection) throws {
    self.connection = connection
    if names.isEmpty { return }
    let all = try connection.query(
      """
      WITH RECURSIVE made AS (
        SELECT name, strategy, rivulet.relation(name)::oid AS id,
          rivulet.relation(CASE strategy WHEN 'live' THEN name ELSE 'rivulet.view_' || number END)::oid
            AS definition
        FROM rivulet.view
      ), gone(name) AS (
        SELECT name FROM made WHERE name = ANY ($1)
        UNION
        SELECT m.name FROM gone g JOIN made b ON b.name = g.name
        JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = b.id
          AND d.classid = 'pg_rewrite'::regclass
        JOIN pg_rewrite r ON r.oid = d.objid JOIN made m ON m.definition = r.ev_class)
      SELECT DISTINCT name FROM made JOIN gone USING (name) ORDER BY name
      """, [.textArray(names)])
    let registered = try RegisteredView.all(on: connection)
    let gone = try all.rows.compactMap { registered[try $0.value(0)] }
    live = gone.filter { !$0.isStored }.map(\.name)
    stored = gone.filter(\.isStored)
  }

  /// Gives the names of all that were dropped. To be called in a transaction.
  @discardableResult
  func run() throws -> [String] {
    if stored.contains(where: \.isOnShards) { try connection.execute(ChangeCapture.allowance) }
    let names = try dropPlainViews()
    let tables = try stored.map(\.name).filter(isThere)
    for name in tables { try keep(name) }
    for view in stored {
      for capture in view.captures { try capture.drop(on: connection) }
    }
    for view in stored where view.added != nil { try StoredSums.drop(view.number, on: connection) }
    for table in stored.filter(\.isOnShards).flatMap({ ShardedView.tables($0.number) }) {
      try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
    if !tables.isEmpty { try connection.execute("DROP TABLE \(Self.list(tables))") }
    for (table, column) in [("view_mark", "view"), ("view_refresh", "view"), ("view", "name")] {
      try connection.query("DELETE FROM rivulet.\(table) WHERE \(column) = ANY ($1)", [.textArray(names)])
    }
    return names
  }

  /// Drops the plain views only, which are in the way of a change of what they read: live ones, and those
  /// that hold the SELECT of stored ones. The rows of these stay, and their sources are watched as before.
  ///
  /// Gives the names of all concerned. To be called in a transaction.
  func dropPlainViews() throws -> [String] {
    // First, so that nothing is lost to a refresh at work.
    try connection.query(
      "SELECT pg_advisory_xact_lock(hashtextextended(n, 7711::bigint)) FROM unnest($1::text[]) n",
      [.textArray(stored.map(\.name).sorted().map(RegisteredView.lock))])
    for name in try live.filter(isThere) { try keep(name) }
    // All at once, since they read each other; without CASCADE, so that a view that somebody else put on top
    // of them is an error that names it, not a loss.
    let views = try (live + stored.map(\.twin)).filter(isThere)
    if !views.isEmpty { try connection.execute("DROP VIEW \(Self.list(views))") }
    try connection.query("DELETE FROM rivulet.view WHERE name = ANY ($1)", [.textArray(live)])
    return live + stored.map(\.name)
  }

  private func keep(_ name: String) throws {
    try ViewGrants.keep(of: name, on: connection)
    try DependentSettings.keep(of: name, on: connection)
  }

  private static func list(_ names: [String]) -> String { names.map(Quote.qualified).joined(separator: ", ") }

  private func isThere(_ name: String) throws -> Bool {
    try connection.query("SELECT rivulet.relation($1) IS NOT NULL", [.text(name)])[0].value(0)
  }
}
