import PostgreSQL
import Values

/// What a view is computed with: functions, plain views, names and columns of tables. SQL over a row `v` of `rivulet.view`.
///
/// The two digests have to be noted by one statement: they would speak of different code by two.
enum ViewCode {
  private static let twin = "rivulet.relation('rivulet.view_' || v.number)"

  /// Whether it is another than when all of the view was computed last.
  static let isOther = "v.code IS DISTINCT FROM \(digest(of: "v"))"

  /// A digest of it, where a row of this name has the functions and relations.
  static func digest(of row: String) -> String {
    "rivulet.view_code(\(twin), \(row).functions, \(row).relations)"
  }

  /// A digest of the versions of the rows that this is read from, for a fraction of its time.
  static func versions(of row: String) -> String {
    let rows = rows(functions: "\(row).functions", relations: "\(row).relations", twin: "\(twin)::oid")
    return """
      (SELECT encode(sha256(convert_to(string_agg(version, ' ' ORDER BY version), 'UTF8')), 'hex') FROM (
      SELECT concat(xmin, ctid) COLLATE "C" AS version FROM (
      \(rows)
      ) rows) versions)
      """
  }

  /// A query of the row versions of what a view was noted to be computed with.
  static func rows(of view: RegisteredView) -> String {
    func numbers(_ array: String) -> String { "\(Quote.literal(array))::oid[]" }
    return rows(
      functions: numbers(view.functions), relations: numbers(view.relations),
      twin: "to_regclass(\(Quote.literal(view.twin)))::oid")
  }

  /// The same digest as ``versions(of:)``, of the answer to ``rows(of:)``.
  static func versions(_ rows: ResultSet) throws -> String {
    let versions = try rows.rows.map { try $0.value(0, String.self) + $0.value(1, String.self) }
    return SHA256.hex(of: versions.sorted().joined(separator: " "))
  }

  /// A row that is changed has another transaction's number, or another place in the table where the same transaction has
  /// changed it twice; it has so too where something is changed that does not count, a right or a cost.
  private static func rows(functions: String, relations: String, twin: String) -> String {
    """
    SELECT xmin, ctid FROM pg_proc WHERE oid = ANY (\(functions))
    UNION ALL SELECT xmin, ctid FROM pg_rewrite WHERE ev_class = ANY (\(twin) || \(relations))
    UNION ALL SELECT xmin, ctid FROM pg_class WHERE oid = ANY (\(relations))
    UNION ALL SELECT xmin, ctid FROM pg_attribute WHERE attrelid = ANY (\(relations))
    """
  }
}
