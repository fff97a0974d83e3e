import PostgreSQL

extension ViewStatus {
  /// The views of a database as its catalog has them, in the order of their names: read in a handful of
  /// queries, however many there are.
  /// - Throws: `PostgreSQLError`.
  static func all(on connection: Connection) throws -> [ViewStatus] {
    let backlog = try ViewBacklog(on: connection)
    let sources = try sources(backlog, connection)
    let relations = try relations(connection)
    let refreshes = try refreshes(connection)
    return try connection.execute(views(connection)).rows.map { row in
      let name: String = try row.value(0)
      let isLive = try row.value(1, String.self) == "live"
      let entry = backlog[name]
      return ViewStatus(
        name: name, strategy: try row.value(1), adds: row[11], sumsReason: row[12],
        file: row[2], rows: try row.optional(3),
        refreshedAt: row[4], age: try row.optional(5), asOf: row[6], freshFor: try row.optional(7),
        behind: entry?.sentences ?? [], isStale: entry?.isStale ?? false,
        pending: entry?.pending ?? 0, queueBytes: try row.value(13), warnings: try row.value(8),
        definition: row[9] ?? "",
        sources: isLive
          ? relations.filter { $0.reader == name }.map {
            Source(name: $0.read, change: nil, capture: [], pending: 0)
          } : sources[name] ?? [],
        readBy: relations.filter { $0.read == name }.map(\.reader), indexes: try row.value(10),
        refreshes: refreshes[name] ?? [])
    }
  }

  private static func sources(
    _ backlog: ViewBacklog, _ connection: Connection
  ) throws -> [String: [Source]] {
    let rows = try connection.execute(
      "SELECT view, source, change, capture FROM rivulet.view_source ORDER BY view, position")
    return try rows.rows.reduce(into: [:]) { found, row in
      let (view, source) = (try row.value(0, String.self), try row.value(1, String.self))
      found[view, default: []].append(
        Source(
          name: source, change: row[2], capture: try row.value(3),
          pending: backlog[view]?.pendingBySource[source] ?? 0))
    }
  }

  /// Which relation reads which, of those where one is a view of ours.
  private static func relations(_ connection: Connection) throws -> [(reader: String, read: String)] {
    try connection.execute(
      """
      WITH own AS (
        SELECT name, rivulet.relation(name) AS number,
          rivulet.relation(CASE strategy WHEN 'live' THEN name ELSE 'rivulet.view_' || number END) AS rule
        FROM rivulet.view),
      reading AS (
        SELECT DISTINCT r.ev_class AS reader, d.refobjid AS read
        FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class
          AND (r.ev_class IN (SELECT rule FROM own) OR d.refobjid IN (SELECT number FROM own)))
      SELECT DISTINCT coalesce(reader.name, rn.nspname || '.' || rc.relname), n.nspname || '.' || c.relname
      FROM reading LEFT JOIN own reader ON reader.rule = reading.reader
      JOIN pg_class rc ON rc.oid = reading.reader JOIN pg_namespace rn ON rn.oid = rc.relnamespace
      JOIN pg_class c ON c.oid = reading.read JOIN pg_namespace n ON n.oid = c.relnamespace
      ORDER BY 1, 2
      """
    ).rows.map { (try $0.value(0), try $0.value(1)) }
  }

  private static func refreshes(_ connection: Connection) throws -> [String: [Refresh]] {
    let rows = try connection.execute(
      """
      SELECT view, kind, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), seconds, groups,
        inserted + updated + deleted
      FROM (SELECT *, row_number() OVER (PARTITION BY view ORDER BY refresh DESC) AS place
        FROM rivulet.view_refresh) r
      WHERE place <= 10 ORDER BY view, place
      """)
    return try rows.rows.reduce(into: [:]) { found, row in
      found[try row.value(0), default: []].append(
        Refresh(
          kind: try row.value(1), at: try row.value(2), seconds: try row.value(3),
          groups: try row.optional(4), rowsChanged: try row.value(5)))
    }
  }

  private static func views(_ connection: Connection) -> String {
    """
    SELECT name, strategy, file, rows, to_char(refreshed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      extract(epoch FROM clock_timestamp() - refreshed_at), CASE WHEN follows_date THEN as_of END,
      extract(epoch FROM fresh_for), warnings,
      coalesce(definition, CASE WHEN strategy = 'live' THEN pg_get_viewdef(rivulet.relation(name)) END),
      ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = rivulet.relation(name)
        ORDER BY indexrelid),
      (SELECT adds FROM rivulet.view_source s WHERE s.view = v.name AND adds IS NOT NULL), sums_reason,
      (SELECT coalesce(sum(\(connection.totalSize(of: "rivulet.relation(s.queue)"))), 0)::bigint
        FROM rivulet.view_source s WHERE s.view = v.name)
    FROM rivulet.view v ORDER BY name
    """
  }
}
