import PostgreSQL

/// The tables whose rows come to a captured source, and whether their changes are seen: one SQL for all who
/// ask.
enum CapturedTables {
  /// Queries for a `WITH RECURSIVE`: `captured_table`, a row for each table of a captured source, and
  /// `captured`, a row for each captured source of some views.
  ///
  /// A source's tables are itself and those under it, but for those of releases: what these hold comes and
  /// goes by publishing. `partitions` are those under it by their numbers, in order, since a name may be
  /// another table's by now. One whose detaching was begun and broken off is none any more: no query of the
  /// source sees it.
  /// - Parameter condition: which rows `s` of `rivulet.view_source`.
  /// - Returns: the queries, with a comma between them.
  static func queries(where condition: String) -> String {
    let triggers = ChangeCapture.triggers(number: "t.number", position: "t.position")
    // Triggers are counted by the tree's numbers, since by those of pg_class they would be for every table of
    // the database; and once the tables of releases are left out, hence MATERIALIZED. Names are looked up one
    // by one, hence OFFSET 0: left to join, the planner reads all of pg_class.
    return """
      source AS (
        SELECT s.view, s.position, s.source, s.partitions, v.number, rivulet.relation(s.source)::oid AS root
        FROM rivulet.view_source s JOIN rivulet.view v ON v.name = s.view
        WHERE s.change <> 'untracked' AND s.source <> '\(SourceTable.releases)' AND \(condition)),
      tree (view, position, number, root, id) AS (
        SELECT view, position, number, root, root FROM source
        UNION ALL SELECT t.view, t.position, t.number, t.root, i.inhrelid
        FROM tree t JOIN pg_inherits i ON i.inhparent = t.id AND NOT i.inhdetachpending),
      captured_table AS MATERIALIZED (
        SELECT t.view, t.position, format('%I.%I', n.nspname, c.relname) AS name,
          CASE WHEN t.id <> t.root THEN t.id::text END AS partition,
          (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = t.id AND g.tgenabled = 'A'
            AND g.tgname IN (\(triggers.joined(separator: ", ")))) = \(triggers.count) AS is_watched
        FROM tree t
        CROSS JOIN LATERAL (SELECT relname, relnamespace FROM pg_class WHERE oid = t.id OFFSET 0) c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE NOT EXISTS (
          SELECT FROM rivulet.release_table r WHERE r.partition = n.nspname || '.' || c.relname)),
      captured AS (
        SELECT s.view, s.position, s.source, s.partitions AS known,
          coalesce(bool_and(t.is_watched), true) AS is_watched,
          coalesce(array_agg(t.partition ORDER BY t.partition)
            FILTER (WHERE t.partition IS NOT NULL), '{}') AS partitions
        FROM source s LEFT JOIN captured_table t ON t.view = s.view AND t.position = s.position
        WHERE s.root IS NOT NULL
        GROUP BY s.view, s.position, s.source, s.partitions)
      """
  }

  /// Records of a view, `$1`, which tables are under its sources now.
  static let record = """
    WITH RECURSIVE \(queries(where: "s.view = $1"))
    UPDATE rivulet.view_source s SET partitions = c.partitions
    FROM captured c WHERE s.view = c.view AND s.position = c.position AND s.partitions <> c.partitions
    """

  /// The tables of a view, `$1`, that have not all the triggers, switched on; by the source's place, quoted.
  static let unwatched = """
    WITH RECURSIVE \(queries(where: "s.view = $1"))
    SELECT position, name FROM captured_table WHERE NOT is_watched ORDER BY 1, 2
    """
}
