import PostgreSQL

/// Which tables are captured.
extension ChangeCapture {
  /// The tables of a view's sources that have not all the triggers, switched on; by the source's place,
  /// quoted.
  static func unwatched(_ view: String, on connection: Connection) throws -> [Int: [String]] {
    try tables(of: view, in: "captured_table WHERE NOT is_watched", on: connection)
  }

  /// The tables that have triggers and are under a source no more, where changes are added up: what these see
  /// would be added to what is not of theirs. By the source's place, quoted.
  static func left(_ view: String, on connection: Connection) throws -> [Int: [String]] {
    try tables(of: view, in: "left_table", on: connection)
  }

  private static func tables(
    of view: String, in found: String, on connection: Connection
  ) throws -> [Int: [String]] {
    let query = """
      WITH RECURSIVE \(captured(where: "s.view = $1"))
      SELECT position, name FROM \(found) ORDER BY 1, 2
      """
    return try connection.query(query, [.text(view)]).rows.reduce(into: [:]) {
      $0[try $1.value(0), default: []].append(try $1.value(1))
    }
  }

  /// Queries for a `WITH RECURSIVE`: `captured_table`, a row for each table of a captured source; `left_table`,
  /// a row for each that was one and still adds changes to a view; and `captured`, a row for each captured
  /// source of some views.
  ///
  /// A source's tables are itself and those under it, but for those of releases: what these hold comes and
  /// goes by publishing. `partitions` are those under it by their numbers, in order, since a name may be
  /// another table's by now. One whose detaching was begun and broken off is none any more: no query of the
  /// source sees it.
  /// - Parameter condition: which rows `s` of `rivulet.view_source`.
  /// - Returns: the queries, with a comma between them.
  static func captured(where condition: String) -> String {
    let triggers = Event.allCases.map { "format('rivulet_%s_%s_\($0.rawValue)', t.number, t.position)" }
    // Triggers are counted by the tree's numbers, since by those of pg_class they would be for every table of
    // the database; and once the tables of releases are left out, hence MATERIALIZED. Names are looked up one
    // by one, hence OFFSET 0: left to join, the planner reads all of pg_class.
    return """
      source AS (
        SELECT s.view, s.position, s.source, s.partitions, v.number, s.adds, rivulet.relation(s.source)::oid AS root
        FROM rivulet.view_source s JOIN rivulet.view v ON v.name = s.view
        WHERE s.change <> 'untracked' AND s.placed IS DISTINCT FROM 'marks' AND s.source <> '\(SourceTable.releases)'
          AND \(condition)),
      tree (view, position, number, root, id) AS (
        SELECT view, position, number, root, root FROM source
        UNION ALL SELECT t.view, t.position, t.number, t.root, i.inhrelid
        FROM tree t JOIN pg_inherits i ON i.inhparent = t.id AND NOT i.inhdetachpending),
      captured_table AS MATERIALIZED (
        SELECT t.view, t.position, format('%I.%I', n.nspname, c.relname) AS name,
          CASE WHEN t.id <> t.root THEN t.id::text END AS partition,
          (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = t.id AND g.tgenabled = 'A'
            AND g.tgname IN (\(triggers.joined(separator: ", ")))) = \(triggers.count) AS is_watched,
          EXISTS (SELECT FROM pg_subscription_rel r WHERE r.srrelid = t.id) AS is_subscribed
        FROM tree t
        CROSS JOIN LATERAL (SELECT relname, relnamespace FROM pg_class WHERE oid = t.id OFFSET 0) c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE NOT EXISTS (
          SELECT FROM rivulet.release_table r WHERE r.partition = n.nspname || '.' || c.relname)),
      left_table AS MATERIALIZED (
        SELECT DISTINCT s.view, s.position, format('%I.%I', n.nspname, c.relname) AS name
        FROM source s JOIN pg_depend d ON d.refclassid = 'pg_proc'::regclass AND d.classid = 'pg_trigger'::regclass
          AND d.refobjid = to_regproc(format('rivulet.capture_%s_%s', s.number, s.position))
        JOIN pg_trigger g ON g.oid = d.objid
        CROSS JOIN LATERAL (SELECT relname, relnamespace FROM pg_class WHERE oid = g.tgrelid OFFSET 0) c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE s.adds IS NOT NULL AND s.root IS NOT NULL
          AND (s.view, s.position, g.tgrelid) NOT IN (SELECT view, position, id FROM tree WHERE id IS NOT NULL)),
      captured AS (
        SELECT s.view, s.position, s.source, s.partitions AS known,
          coalesce(bool_and(t.is_watched), true) AND NOT EXISTS (SELECT FROM left_table l
            WHERE l.view = s.view AND l.position = s.position) AS is_watched,
          coalesce(bool_or(t.is_subscribed), false) AS is_subscribed,
          coalesce(array_agg(t.partition ORDER BY t.partition)
            FILTER (WHERE t.partition IS NOT NULL), '{}') AS partitions
        FROM source s LEFT JOIN captured_table t ON t.view = s.view AND t.position = s.position
        WHERE s.root IS NOT NULL
        GROUP BY s.view, s.position, s.source, s.partitions)
      """
  }

  /// Records of a view, `$1`, which tables are under its sources now.
  static let recordTables = """
    WITH RECURSIVE \(captured(where: "s.view = $1"))
    UPDATE rivulet.view_source s SET partitions = c.partitions
    FROM captured c WHERE s.view = c.view AND s.position = c.position AND s.partitions <> c.partitions
    """
}
