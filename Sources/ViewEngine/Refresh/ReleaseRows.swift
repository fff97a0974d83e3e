import PostgreSQL

/// The rows of releases that have come to a source whose changes are added up, or gone from it, since all of
/// what is stored was computed: they are added, or taken away, table by table.
///
/// What is stored holds the rows of the tables that `rivulet.view_source.releases` names, as a snapshot had
/// them. So what is to be added follows from the tables that are there in another snapshot, however often
/// releases came and went between the two.
struct ReleaseRows {
  /// The tables, quoted, by whether they came.
  private let tables: [(name: String, came: Bool)]
  /// The columns that the view uses.
  private let columns: [String]

  /// Finds them for a view.
  /// - Parameters:
  ///   - view: its name.
  ///   - marked: the tables that it was marked for.
  ///   - connection: that of the transaction at work.
  /// - Returns: nil where rows that went cannot be had any more, or are not as the source's are, and where
  ///   what a table held may be others by now.
  /// - Throws: `PostgreSQLError`.
  static func find(_ view: String, marked: [String], on connection: Connection) throws -> ReleaseRows? {
    let found = try connection.query(
      """
      WITH RECURSIVE \(attached)
      SELECT CASE WHEN c.oid IS NOT NULL THEN format('%I.%I', n.nspname, c.relname) END, a.id IS NOT NULL,
        coalesce((a.id IS NULL OR h.id IS NULL) AND r.is_release
          AND has_table_privilege(c.oid, 'SELECT') AND NOT row_security_active(c.oid) AND NOT EXISTS (
            SELECT FROM pg_attribute o WHERE o.attrelid = source.root AND o.attname = ANY (source.columns)
            AND NOT EXISTS (
              SELECT FROM pg_attribute p WHERE p.attrelid = c.oid AND p.attname = o.attname AND NOT p.attisdropped
              AND (p.atttypid, p.atttypmod, p.attcollation) = (o.atttypid, o.atttypmod, o.attcollation))), false),
        source.columns
      FROM source CROSS JOIN (
        (SELECT unnest(releases) AS id FROM source) h FULL JOIN attached a USING (id))
      LEFT JOIN pg_class c ON c.oid = id::oid LEFT JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN LATERAL (SELECT EXISTS (\(isRelease)) AS is_release) r ON true
      WHERE a.id IS NULL OR h.id IS NULL OR n.nspname || '.' || c.relname = ANY ($2) ORDER BY 1
      """, [.text(view), .textArray(marked)]
    ).rows.map { $0 }
    guard try found.allSatisfy({ try $0.value(2) }) else { return nil }
    return ReleaseRows(
      tables: try found.map { (try $0.value(0), try $0.value(1)) },
      columns: try found.first?.value(3) ?? [])
  }

  /// How many tables are gone whose rows are in what is stored of a view. Others may have their names.
  static func lost(_ view: String, on connection: Connection) throws -> Int {
    try connection.query(
      """
      SELECT count(*) FROM rivulet.view_source s CROSS JOIN LATERAL unnest(s.releases) r(id)
      WHERE s.view = $1 AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = r.id::oid)
      """, [.text(view)])[0].value(0)
  }

  /// The rows with their sign: a SELECT; nil where there are none.
  var rows: String? {
    guard !tables.isEmpty else { return nil }
    let list = KeysQuery.list(columns)
    return tables.map { "SELECT \(list), \($0.came ? 1 : -1) AS \(SumsShape.sign) FROM \($0.name)" }
      .joined(separator: " UNION ALL ")
  }

  /// Records of a view, `$1`, which tables of releases are in what is stored.
  static let record = """
    WITH RECURSIVE \(attached)
    UPDATE rivulet.view_source SET releases = (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM attached)
    WHERE view = $1 AND adds IS NOT NULL
    """

  /// Queries for a `WITH RECURSIVE`: `source`, the source of the view `$1` whose changes are added up, and
  /// `attached`, the numbers of the tables of releases under it.
  private static let attached = """
    source AS (
      SELECT s.releases, ARRAY(SELECT DISTINCT unnest(s.capture || s.uses)) AS columns,
        rivulet.relation(s.source)::oid AS root
      FROM rivulet.view_source s WHERE s.view = $1 AND s.adds IS NOT NULL),
    tree (id) AS (
      SELECT root FROM source
      UNION ALL SELECT i.inhrelid FROM tree JOIN pg_inherits i ON i.inhparent = tree.id AND NOT i.inhdetachpending),
    attached AS (
      SELECT c.oid::text AS id FROM tree JOIN pg_class c ON c.oid = tree.id
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE EXISTS (\(isRelease)))
    """

  private static let isRelease = """
    SELECT FROM rivulet.release_table r WHERE r.partition = n.nspname || '.' || c.relname
    """
}
