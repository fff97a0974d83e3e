/// What a view is computed with: functions, plain views, names and columns of tables. SQL over a row `v` of
/// `rivulet.view`.
enum ViewCode {
  /// Whether it is another than when all of the view was computed last.
  static let isOther = "v.code IS DISTINCT FROM \(digest(of: "v"))"

  /// A digest of it, where a row of this name has the functions and relations.
  static func digest(of row: String) -> String {
    "rivulet.view_code(rivulet.relation('rivulet.view_' || v.number), \(row).functions, \(row).relations)"
  }
}
