import PostgreSQL

/// The views that were made, whether or not they are still as they were made.
struct ViewRegister {
  private enum State: String {
    /// As it was made.
    case whole
    /// A stored view's rows and queues are there; the plain view that ties it to its sources is not.
    case untied
    /// Something of it is gone, or it reads tables that have another name now, and another table theirs.
    case broken
  }

  private let rows: [String: (hash: String, state: State)]
  /// Their names, sorted.
  let names: [String]

  /// Reads what was made: all views, or one.
  init(of view: String? = nil, on connection: Connection) throws {
    let found = try connection.query(
      """
      SELECT name, definition_hash, CASE
        WHEN rivulet.relation(name) IS NULL OR EXISTS (SELECT FROM rivulet.view_source s
          WHERE s.view = v.name AND s.queue IS NOT NULL AND rivulet.relation(s.queue) IS NULL) THEN 'broken'
        WHEN strategy = 'live' THEN 'whole'
        -- Renamed or dropped: the trigger would fail every writer.
        WHEN EXISTS (SELECT FROM rivulet.view_source s CROSS JOIN LATERAL unnest(s.capture) c(name)
          WHERE s.view = v.name AND NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = rivulet.relation(s.source) AND a.attname = c.name AND NOT a.attisdropped))
              THEN 'broken'
        WHEN rivulet.relation(twin) IS NULL THEN 'untied'
        WHEN EXISTS (SELECT FROM rivulet.view_uses(rivulet.relation(twin)) u
          JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id
            AND c.relkind IN ('r', 'p', 'f', 'm')
          JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname <> 'rivulet'
          WHERE n.nspname || '.' || c.relname NOT IN (SELECT source FROM rivulet.view_source s WHERE s.view = v.name))
            THEN 'broken'
        ELSE 'whole' END
      FROM rivulet.view v CROSS JOIN LATERAL (SELECT 'rivulet.view_' || number) t(twin)
      WHERE $1::text IS NULL OR name = $1 ORDER BY name
      """, [Parameter(view)])
    rows = Dictionary(
      uniqueKeysWithValues: try found.rows.map {
        (try $0.value(0), (try $0.value(1), State(rawValue: try $0.value(2)) ?? .broken))
      })
    names = rows.keys.sorted()
  }

  /// The hash of the definition that a view was made from; nil where it was not made, or is not whole any
  /// more.
  func hash(of name: String) -> String? { rows[name].flatMap { $0.state == .whole ? $0.hash : nil } }

  /// Whether a view was made from a definition, and has its rows but lacks what ties them to their sources.
  func isUntied(_ name: String, definedAs hash: String) -> Bool {
    rows[name].map { $0.state == .untied && $0.hash == hash } ?? false
  }
}
