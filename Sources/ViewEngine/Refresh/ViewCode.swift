/// What a view is computed with: functions, plain views, names and columns of tables. SQL over a row `v` of `rivulet.view`.
enum ViewCode {
  private static let twin = "rivulet.relation('rivulet.view_' || v.number)"

  /// Whether it is another than when all of the view was computed last.
  static let isOther = "v.code IS DISTINCT FROM rivulet.view_code(\(twin), v.functions, v.relations)"

  /// A digest of the versions of the rows that this is read from, for a third of its time. A row that is changed has another
  /// transaction's number, or another place in the table where the same transaction has changed it twice; it has so too
  /// where something is changed that does not count, a right or a statistic.
  static let versions = """
    md5(concat_ws('/',
      (SELECT string_agg(concat(xmin, ctid), ' ') FROM pg_proc WHERE oid = ANY (v.functions)),
      (SELECT string_agg(concat(xmin, ctid), ' ') FROM pg_rewrite WHERE ev_class = ANY (\(twin)::oid || v.relations)),
      (SELECT string_agg(concat(xmin, ctid), ' ') FROM pg_class WHERE oid = ANY (v.relations)),
      (SELECT string_agg(concat(xmin, ctid), ' ') FROM pg_attribute WHERE attrelid = ANY (v.relations))))
    """
}
