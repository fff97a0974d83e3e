import PostgreSQL

/// What `ALTER DEFAULT PRIVILEGES` gives on everything that is made, for any role.
///
/// Queues hold raw columns of their sources, the plain view of a stored one shows its whole SELECT, and a
/// stored table is for those that its definition names: none of them is opened by a default. Who refreshes may
/// read and write them.
enum DefaultPrivileges {
  /// Revokes them from a table or view that was just made, by its quoted name, and lets loaders in.
  static func revoke(onTable name: String, on connection: Connection) throws {
    try revoke(
      """
      SELECT format('REVOKE ALL ON TABLE %s FROM %s', $1::text, \(grantee))
      FROM pg_class o CROSS JOIN aclexplode(o.relacl) a WHERE o.oid = to_regclass($1)
        AND a.grantee <> o.relowner
      GROUP BY a.grantee
      """, name, on: connection)
    try connection.query("SELECT rivulet.admit_loaders($1)", [.text(name)])
  }

  /// Revokes them from a function that was just made, by its quoted name and types.
  static func revoke(onFunction name: String, on connection: Connection) throws {
    try revoke(
      """
      SELECT format('REVOKE ALL ON FUNCTION %s FROM %s', $1::text, \(grantee))
      FROM pg_proc o CROSS JOIN aclexplode(coalesce(o.proacl, acldefault('f', o.proowner))) a
      WHERE o.oid = to_regprocedure($1) AND a.grantee <> o.proowner
      GROUP BY a.grantee
      """, name, on: connection)
  }

  private static let grantee =
    "CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END"

  private static func revoke(_ statements: String, _ name: String, on connection: Connection) throws {
    for row in try connection.query(statements, [.text(name)]).rows {
      try connection.execute(try row.value(0, String.self))
    }
  }
}
