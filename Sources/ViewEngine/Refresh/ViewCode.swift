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

  /// A digest of the versions of the rows that this is read from, for little more than half of its time. A row that is
  /// changed has another transaction's number, or another place in the table where the same transaction has changed it
  /// twice; it has so too where something is changed that does not count, a right or a cost.
  /// - Parameter twin: the plain view that holds the whole SELECT, as an expression.
  static func versions(of row: String, twin: String = twin) -> String {
    """
    md5(concat(
      ARRAY(SELECT concat(xmin, ctid) FROM pg_proc WHERE oid = ANY (\(row).functions)),
      ARRAY(SELECT concat(xmin, ctid) FROM pg_rewrite WHERE ev_class = ANY (\(twin)::oid || \(row).relations)),
      ARRAY(SELECT concat(xmin, ctid) FROM pg_class WHERE oid = ANY (\(row).relations)),
      ARRAY(SELECT concat(xmin, ctid) FROM pg_attribute WHERE attrelid = ANY (\(row).relations))))
    """
  }
}
