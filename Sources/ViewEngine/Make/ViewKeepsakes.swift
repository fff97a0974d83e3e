import PostgreSQL

/// What somebody has put on a stored view by hand, indexes and comments, kept while the view is made anew.
enum ViewKeepsakes {
  /// Notes what is to be put back, before a view is dropped, in the same transaction.
  ///
  /// Throws where there is something that could not be put back.
  static func keep(of view: RegisteredView, on connection: Connection) throws {
    try refuseLoss(of: view, on: connection)
    try connection.query(
      """
      INSERT INTO rivulet.view_keepsake (view, position, statement)
      SELECT $1, row_number() OVER (ORDER BY kind, text), text FROM (
        SELECT 1, pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = to_regclass($2) AND i.indisvalid AND NOT EXISTS (
          SELECT FROM rivulet.view v WHERE v.name = $1 AND c.relname = ANY (v.own_indexes))
        UNION ALL
        SELECT 2, format('COMMENT ON COLUMN %s.%I IS %L', $2, a.attname, d.description)
        FROM pg_description d JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid
        WHERE d.classoid = 'pg_class'::regclass AND d.objoid = to_regclass($2) AND d.objsubid > 0
        UNION ALL
        SELECT 2, format('COMMENT ON INDEX %I.%I IS %L', n.nspname, c.relname, obj_description(c.oid, 'pg_class'))
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE i.indrelid = to_regclass($2) AND obj_description(c.oid, 'pg_class') IS NOT NULL
        UNION ALL
        SELECT 3, format('COMMENT ON TABLE %s IS %L', $2, obj_description(to_regclass($2), 'pg_class'))
        FROM rivulet.view v WHERE v.name = $1
          AND obj_description(to_regclass($2), 'pg_class') IS DISTINCT FROM v.description
      ) kept(kind, text)
      ON CONFLICT (view, position) DO UPDATE SET statement = excluded.statement
      """, [.text(view.name), .text(Quote.qualified(view.name))])
  }

  /// Puts back what was kept, as far as it still fits.
  static func restore(to view: String, on connection: Connection) throws {
    let kept = try connection.query(
      "DELETE FROM rivulet.view_keepsake WHERE view = $1 RETURNING position, statement", [.text(view)])
    let ordered = try kept.rows.map { (try $0.value(0, Int.self), try $0.value(1, String.self)) }.sorted {
      $0.0 < $1.0
    }
    for (_, statement) in ordered {
      do {
        try connection.transaction { _ = try connection.execute(statement) }
      } catch let error as PostgreSQLError where error.isAboutStatement {
        // It was about a column that the view has no more.
        continue
      }
    }
  }

  private static func refuseLoss(of view: RegisteredView, on connection: Connection) throws {
    let others = try connection.query(
      """
      SELECT format('trigger %I', tgname) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE tgrelid = to_regclass($1) AND NOT tgisinternal AND p.pronamespace <> 'rivulet'::regnamespace
      UNION ALL
      SELECT format('policy %I', polname) FROM pg_policy
      WHERE polrelid = to_regclass($1) AND polname <> 'rivulet_owner'
      UNION ALL
      SELECT format('constraint %I', conname) FROM pg_constraint WHERE conrelid = to_regclass($1)
      UNION ALL
      SELECT format('statistics %I', stxname) FROM pg_statistic_ext WHERE stxrelid = to_regclass($1)
      """, [.text(Quote.qualified(view.name))])
    let names: [String] = try others.rows.map { try $0.value(0) }
    guard names.isEmpty else { throw ViewLoss(view: view.name, names: names) }
  }
}

/// Something was put on a stored view by hand that making it anew would lose.
public struct ViewLoss: Error, Sendable, CustomStringConvertible {
  /// The view.
  public let view: String
  /// What would be lost, such as `trigger audit`.
  public let names: [String]

  /// A sentence for the user.
  public var description: String {
    "\(view) must be made anew, which would lose what somebody has put on it: \(names.joined(separator: ", "))"
  }
}
