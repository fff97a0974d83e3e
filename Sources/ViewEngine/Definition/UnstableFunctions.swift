import PostgreSQL

/// Functions that answer otherwise from one call to the next, or by the moment: what is computed with them is
/// not what a later look at the same rows would give.
enum UnstableFunctions {
  /// Those that a plain view is computed with, such as `random()`, in order: directly, through other plain
  /// views, and through functions whose bodies the server has taken apart.
  ///
  /// On the server's own functions nothing depends in its catalog, so that these are looked for in the parsed
  /// queries.
  static func names(in view: String, on connection: Connection) throws -> [String] {
    try connection.query(
      """
      WITH uses AS MATERIALIZED (SELECT class, id FROM rivulet.view_uses(to_regclass($1))), parsed(tree) AS (
        SELECT ev_action::text FROM pg_rewrite WHERE ev_class = to_regclass($1)
          OR ev_class IN (SELECT id FROM uses WHERE class = 'pg_class'::regclass)
        UNION ALL
        SELECT prosqlbody::text FROM pg_proc
          WHERE oid IN (SELECT id FROM uses WHERE class = 'pg_proc'::regclass)
      ), called(id) AS (
        SELECT id FROM uses WHERE class = 'pg_proc'::regclass
        UNION
        SELECT f[1]::oid FROM parsed,
          regexp_matches(tree, ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\\d+)', 'g') f)
      SELECT id::regprocedure::text FROM called JOIN pg_proc p ON p.oid = id
      WHERE p.provolatile = 'v' OR id = ANY (ARRAY[\(moments)]::regprocedure[])
      ORDER BY 1
      """, [.text(Quote.qualified(view))]
    ).rows.map { try $0.value(0) }
  }

  /// Those that are stable within a statement only.
  private static let moments = [
    "now()", "transaction_timestamp()", "statement_timestamp()", "age(timestamp)", "age(timestamptz)",
  ].map { Quote.literal("pg_catalog.\($0)") }.joined(separator: ", ")
}
