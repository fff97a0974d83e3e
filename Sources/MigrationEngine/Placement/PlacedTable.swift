public import PostgreSQL

/// A table of a database that has Citus, beside what its mark says of it.
///
/// What asks throws `PostgreSQLError`.
public struct PlacedTable {
  /// What is said.
  public let mark: PlacementMark
  private let connection: Connection

  /// The table of a mark.
  public init(_ mark: PlacementMark, on connection: Connection) {
    (self.mark, self.connection) = (mark, connection)
  }

  /// Whether there is such a table.
  public func isThere() throws(PostgreSQLError) -> Bool {
    try connection.query("SELECT to_regclass($1) IS NOT NULL", [.text(mark.quotedTable)])[0][0] == "t"
  }

  /// Where it is: as ``PlacementMark/text`` has it, or `local`; with the table that it lies beside only where that is
  /// the one of the mark.
  public func place() throws(PostgreSQLError) -> String {
    let found = try connection.query(
      """
      SELECT CASE WHEN d.logicalrelid IS NULL THEN 'local' WHEN d.partmethod = 'n' AND d.repmodel = 't' THEN 'reference'
        WHEN d.partmethod = 'n' THEN 'local'
        ELSE concat('distributed by ', column_to_column_name(d.logicalrelid, d.partkey), ' with ' || (
          SELECT $3::text FROM pg_dist_partition o
          WHERE o.logicalrelid = to_regclass($2::text) AND o.colocationid = d.colocationid)) END
      FROM (SELECT to_regclass($1) AS id) t LEFT JOIN pg_dist_partition d ON d.logicalrelid = t.id
      """, [.text(mark.quotedTable), Parameter(other?.quoted), Parameter(other?.description)])
    return found[0][0] ?? "local"
  }

  private var other: SQLName? { mark.companion }

  /// Why it cannot go where the mark says, as far as is known before.
  /// - Parameters:
  ///   - coming: what will be where its mark says by then.
  ///   - isCapturing: the project lets changes be captured on shards.
  /// - Returns: one clause for each reason; none where it can.
  /// - Throws: `PostgreSQLError`.
  func faults(
    after coming: [PlacementMark] = [], capturingOnShards isCapturing: Bool
  ) throws(PostgreSQLError) -> [String] {
    if mark.place == .local { return [] }
    var query = PlacedTable.faultsOfAny
    var parameters: [Parameter] = [.text(mark.quotedTable)]
    if case .distributed(let key, let other) = mark.place {
      query += "\nUNION ALL\n" + PlacedTable.faultsOfKey
      let comingKey = coming.first { $0.name == other }?.key
      parameters += [.text(key), Parameter(other?.quoted), Parameter(comingKey)]
    }
    let views = try connection.query(
      PlacedTable.faultsOfViews, [.text(mark.quotedTable), Parameter(mark.key), .boolean(isCapturing)])
    return try connection.query(query, parameters).rows.compactMap(\.[0]) + views.rows.compactMap(\.[0])
  }

  /// What holds for tables on other servers at all. A policy that asks for what the session has set finds nothing
  /// there, and who cannot log in there cannot read.
  private static let faultsOfAny = """
    SELECT format('its policy %I would be asked on servers that do not know the session''s settings', polname)
    FROM pg_policy WHERE polrelid = $1::regclass
    UNION ALL
    SELECT format('its trigger %I would not fire there', tgname) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE tgrelid = $1::regclass AND NOT tgisinternal AND p.pronamespace <> to_regnamespace('rivulet')
      AND coalesce(current_setting('citus.enable_unsafe_triggers', true), 'off') <> 'on'
    UNION ALL
    SELECT format('it belongs to %I, who may not log in', rolname) FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
    WHERE c.oid = $1::regclass AND NOT rolcanlogin
    """

  /// Which stored views could not be made again once the table `$1` goes by the column `$2`, or to every server.
  private static let faultsOfViews = """
    SELECT format('%s is computed from it: %s', view, reason) FROM (
      SELECT s.view, CASE
        WHEN v.strategy = 'full' AND v.fresh_for IS NOT NULL THEN NULL
        WHEN $2::text IS NULL THEN 'nobody would learn of changes there'
        WHEN EXISTS (SELECT FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid
          AND a.attnum = p.partattrs[0] WHERE p.partrelid = c.oid AND p.partnatts = 1 AND a.attname = 'release') THEN NULL
        WHEN c.relkind = 'p' THEN 'a partitioned table can be distributed below it by release only'
        WHEN NOT $3 THEN 'rivulet.yaml does not say ''citus: {capture: shards}'''
        WHEN v.strategy <> 'incremental' OR s.change <> 'groups' THEN 'it has no capture and keys for it'
        WHEN $2 <> ALL (v.key_columns) OR $2 <> ALL (s.capture) THEN format('its key or capture does not hold %I', $2)
        WHEN v.follows_date THEN 'it depends on rivulet.today()'
        WHEN EXISTS (SELECT FROM pg_policy WHERE polrelid = rivulet.relation(s.view) AND polname = 'rivulet_owner')
          THEN 'it has an owner_column' END AS reason
      FROM rivulet.view_source s JOIN rivulet.view v ON v.name = s.view
      JOIN pg_class c ON c.oid = rivulet.relation(s.source)
      WHERE c.oid = $1::regclass AND s.change <> 'untracked') f
    WHERE reason IS NOT NULL
    """

  private static let faultsOfKey = """
    SELECT format('it has no column %I', $2::text) WHERE NOT EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2::text AND attnum > 0 AND NOT attisdropped)
    UNION ALL
    SELECT format('its unique %I does not hold %I', c.relname, $2::text)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = $2::text
    WHERE i.indrelid = $1::regclass AND (i.indisunique OR i.indisexclusion) AND a.attnum <> ALL (i.indkey[0:i.indnkeyatts - 1])
    UNION ALL
    SELECT format('%s is not there, or not distributed', $3::text) WHERE $3::text IS NOT NULL AND $4::text IS NULL AND NOT EXISTS (
      SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($3::text) AND partmethod = 'h')
    UNION ALL
    SELECT format('%I is of another type or collation than %I of %s', a.attname, b.attname, $3::text)
    FROM pg_attribute a JOIN pg_attribute b ON b.attrelid = to_regclass($3::text)
      AND b.attname = coalesce($4::text, (SELECT column_to_column_name(logicalrelid, partkey) FROM pg_dist_partition
        WHERE logicalrelid = to_regclass($3::text)))
    WHERE a.attrelid = $1::regclass AND a.attname = $2::text
      AND (a.atttypid, a.attcollation) IS DISTINCT FROM (b.atttypid, b.attcollation)
    """
}
