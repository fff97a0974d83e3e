import PostgreSQL

/// What a view is computed from, as the server knows it: through other views and through functions whose
/// bodies it has taken apart.
struct ViewDependencies {
  /// The tables, `schema.name`, in order.
  let tables: [String]
  /// It depends on the date.
  let followsDate: Bool

  /// The dependencies of a plain view.
  init(of view: String, on connection: Connection) throws {
    let rows = try connection.query(
      """
      SELECT n.nspname || '.' || c.relname FROM rivulet.view_uses(to_regclass($1)) u
      JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id AND c.relkind IN ('r', 'p', 'f', 'm')
      JOIN pg_namespace n ON n.oid = c.relnamespace
      UNION
      SELECT '' FROM rivulet.view_uses(to_regclass($1)) u WHERE u.class = 'pg_proc'::regclass
        AND u.id = to_regprocedure('rivulet.today()')
      ORDER BY 1
      """, [.text(Quote.qualified(view))])
    let names: [String] = try rows.rows.map { try $0.value(0) }
    tables = names.filter { !$0.isEmpty }
    followsDate = names.contains("")
  }
}
