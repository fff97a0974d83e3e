import Definitions
import PostgreSQL

/// Who may read a view: those that its definition names, and those to whom somebody has granted something,
/// which is kept while the view is dropped.
enum ViewGrants {
  /// Records the grants of a view before it is dropped, in the same transaction.
  static func keep(of view: String, on connection: Connection) throws {
    try connection.query(
      """
      INSERT INTO rivulet.view_grant (view, grantee, privilege, grantable)
      SELECT $1, coalesce(r.rolname, ''), a.privilege_type, bool_or(a.is_grantable)
      FROM pg_class c CROSS JOIN aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
      WHERE c.oid = to_regclass($2) AND a.grantee <> c.relowner
        -- What the definition grants is the definition's to take away.
        AND NOT (a.privilege_type = 'SELECT' AND NOT a.is_grantable AND coalesce(r.rolname, 'public') = ANY (
          SELECT unnest(v.readers) FROM rivulet.view v WHERE v.name = $1))
      GROUP BY 2, 3
      ON CONFLICT (view, grantee, privilege) DO UPDATE SET grantable = excluded.grantable
      """, [.text(view), .text(Quote.qualified(view))])
  }

  /// Lets those read a view who may, and puts on it again what somebody has granted or set; not before there
  /// is something to read.
  /// - Throws: `PostgreSQLError`.
  static func open(_ view: ViewDefinition, on connection: Connection) throws {
    // Its owner comes first: what is granted is granted by him.
    try DependentSettings.restore(to: view.name, on: connection)
    let name = Quote.qualified(view.name)
    for role in view.readers {
      let grantee = role.value == "public" ? "PUBLIC" : Quote.identifier(role.value)
      try connection.execute("GRANT SELECT ON \(name) TO \(grantee)")
    }
    // To the roles that are still there.
    let kept = try connection.query(
      """
      DELETE FROM rivulet.view_grant g WHERE g.view = $1
        AND (g.grantee = '' OR EXISTS (SELECT FROM pg_roles r WHERE r.rolname = g.grantee))
      RETURNING grantee, privilege, grantable
      """, [.text(view.name)])
    for row in kept.rows {
      let grantee: String = try row.value(0)
      let option = try row.value(2, Bool.self) ? " WITH GRANT OPTION" : ""
      try connection.execute(
        "GRANT \(try row.value(1, String.self)) ON \(name) "
          + "TO \(grantee.isEmpty ? "PUBLIC" : Quote.identifier(grantee))\(option)")
    }
  }
}
