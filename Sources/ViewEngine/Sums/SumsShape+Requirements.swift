import PostgreSQL

/// What a SELECT must have, as the server sees it, for its changes to be added up. Each throws
/// ``SumsObstacle``.
extension SumsShape {
  /// Throws where the SELECT reads more than its table, or uses what answers otherwise in another session or at
  /// another time: what a statement has changed is looked at when it changes it.
  func requireOneTable(_ checked: CheckedView, on connection: Connection) throws {
    let found = try connection.query(
      """
      WITH uses AS MATERIALIZED (SELECT class, id FROM rivulet.view_uses(to_regclass($1))),
      parsed(tree) AS (SELECT ev_action::text FROM pg_rewrite WHERE ev_class = to_regclass($1)),
      called(id) AS (
        SELECT f[1]::oid FROM parsed,
          regexp_matches(tree, ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\\d+)', 'g') f
        UNION
        SELECT o.oprcode FROM parsed, regexp_matches(tree, ':opno (\\d+)', 'g') f
        JOIN pg_operator o ON o.oid = f[1]::oid)
      SELECT CASE
        WHEN EXISTS (SELECT FROM uses WHERE class IN ('pg_proc'::regclass, 'pg_operator'::regclass))
          THEN 'it uses functions or operators that are not the server''s own'
        WHEN (SELECT array_agg(DISTINCT id) FROM uses WHERE class = 'pg_class'::regclass AND id <> to_regclass($1))
          IS DISTINCT FROM ARRAY[rivulet.relation($2)::oid] THEN 'it reads more than one table'
        -- Once by the SELECT, and once for the groups that there are.
        WHEN (SELECT regexp_count(tree, format(':rtekind 0 :relid %s ', rivulet.relation($2)::oid)) FROM parsed) <> 2
          THEN 'it reads its table more than once'
        WHEN EXISTS (SELECT FROM parsed, regexp_matches(tree, ':rtekind 0 :relid (\\d+) ', 'g') f
          WHERE f[1]::oid NOT IN (rivulet.relation($2)::oid, to_regclass($1)::oid))
          THEN 'it reads more than one table'
        WHEN (SELECT tree ~ ':varattno 0 ' FROM parsed) THEN 'it uses whole rows'
        -- What these call or depend on, the functions below do not show: the operators of a comparison of rows, the
        -- CHECK of a domain, the settings that XML and JSON are written by.
        WHEN (SELECT tree ~ '\\{(ROWCOMPAREEXPR|COERCETODOMAIN|XMLEXPR|JSON)' FROM parsed)
          THEN 'it compares rows, or has values of a domain, of XML or of JSON'
        WHEN (SELECT tree ~ ':funcretset true' FROM parsed) THEN 'it uses a function that gives rows'
        WHEN (SELECT tree ~ '\\{SUBLINK' FROM parsed) THEN 'it has a query within an expression'
        WHEN (SELECT tree ~ '\\{(SQLVALUEFUNCTION|COERCEVIAIO)' FROM parsed)
          THEN 'it converts values by way of their text, or asks for the session''s user or time'
        ELSE (SELECT format('%s depends on settings of the session', p.oid::regprocedure)
          FROM called c JOIN pg_proc p ON p.oid = c.id WHERE p.provolatile <> 'i' ORDER BY 1 LIMIT 1) END
      """, [.text(Quote.qualified(checked.twin)), .text(source)])
    if let reason = found.first?[0] { throw SumsObstacle(reason) }
  }

  /// Throws where a value's type has sums, or equal values, that are not exact.
  func requireTypes(on connection: Connection) throws {
    try connection.execute("CREATE TEMP VIEW rivulet_arguments AS \(arguments)")
    let types = try ColumnType.columns(of: "pg_temp.rivulet_arguments", on: connection)
    try connection.execute("DROP VIEW pg_temp.rivulet_arguments")
    for aggregate in aggregates {
      guard let type = types["a\(aggregate.number)"], let reason = aggregate.objection(to: type) else {
        continue
      }
      throw SumsObstacle(reason)
    }
    try connection.execute("CREATE TEMP VIEW rivulet_keys AS \(contributions(of: rowsOfSource))")
    let keys = try ColumnType.columns(of: "pg_temp.rivulet_keys", on: connection)
    try connection.execute("DROP VIEW pg_temp.rivulet_keys")
    // Blanks at the end of a bpchar without a length do not count.
    guard key.allSatisfy({ keys[$0]?.isExact == true && keys[$0]?.name != "bpchar" }) else {
      throw SumsObstacle("values of its key may be equal and differ")
    }
  }
}
