import PostgreSQL

/// What a view is computed from, as the server knows it: through other views and through functions whose bodies it has
/// taken apart.
struct ViewDependencies {
  /// The tables, `schema.name`, in order.
  let tables: [String]
  /// It depends on the date.
  let followsDate: Bool

  /// The dependencies of a plain view.
  init(of view: String, on connection: Connection) throws {
    let rows = try connection.query(
      """
      WITH RECURSIVE uses(class, id) AS (
        SELECT 'pg_rewrite'::regclass::oid, oid FROM pg_rewrite WHERE ev_class = to_regclass($1)
        UNION
        SELECT next.class, next.id FROM uses u
        JOIN pg_depend d ON d.classid = u.class AND d.objid = u.id AND d.deptype = 'n'
        CROSS JOIN LATERAL (
          SELECT d.refclassid, d.refobjid
          UNION ALL
          SELECT 'pg_rewrite'::regclass, r.oid FROM pg_rewrite r
          JOIN pg_class c ON c.oid = r.ev_class AND c.relkind = 'v'
          WHERE d.refclassid = 'pg_class'::regclass AND r.ev_class = d.refobjid
        ) next(class, id)
        WHERE u.class IN ('pg_rewrite'::regclass, 'pg_proc'::regclass))
      SELECT n.nspname || '.' || c.relname FROM uses u
      JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id AND c.relkind IN ('r', 'p', 'f', 'm')
      JOIN pg_namespace n ON n.oid = c.relnamespace
      UNION
      SELECT '' FROM uses u WHERE u.class = 'pg_proc'::regclass AND u.id = to_regprocedure('rivulet.today()')
      ORDER BY 1
      """, [.text(Quote.qualified(view))])
    let names: [String] = try rows.rows.map { try $0.value(0) }
    tables = names.filter { !$0.isEmpty }
    followsDate = names.contains("")
  }
}
