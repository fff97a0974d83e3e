import PostgreSQL

/// Brings into a shadow who owns what and who may do what in a target, which a dump of the schema leaves out:
/// roles with their attributes and memberships, owners, and the privileges on the database, on the schema
/// `rivulet` and on what is the server's own.
struct ShadowRights {
  let target: Connection

  /// Makes the roles of the target in a throw-away server, and gives the name of a superuser there that is none
  /// of theirs.
  ///
  /// The server's first superuser is renamed, since the target may have a role of that name with fewer rights.
  func makeRoles(in server: ConnectionTarget) throws -> String {
    let roles = try roles()
    let names = Set(roles.map(\.name))
    let unused = { (word: String) in
      var name = word
      while names.contains(name) { name += "_" }
      return name
    }
    let first = try Connection(to: server)
    let maker = unused("rivulet_shadow_maker")
    try first.execute("CREATE ROLE \(maker) SUPERUSER LOGIN")
    let administration = try Connection(to: try server.user(maker))
    let own: String = try first.query("SELECT current_user")[0].value(0)
    try administration.execute(
      "ALTER ROLE \(Quote.identifier(own)) RENAME TO \(Quote.identifier(unused("rivulet_shadow_first")))")
    for role in roles {
      try administration.execute("CREATE ROLE \(Quote.identifier(role.name)) \(role.attributes)")
    }
    try repeatStatements(of: ShadowRights.memberships, in: administration)
    return maker
  }

  private func roles() throws -> [(name: String, attributes: String)] {
    try target.query(
      """
      SELECT rolname, concat_ws(' ', 'LOGIN', CASE WHEN rolsuper THEN 'SUPERUSER' END,
        CASE WHEN rolcreaterole THEN 'CREATEROLE' END, CASE WHEN rolcreatedb THEN 'CREATEDB' END,
        CASE WHEN rolbypassrls THEN 'BYPASSRLS' END, CASE WHEN NOT rolinherit THEN 'NOINHERIT' END)
      FROM pg_roles WHERE rolname !~ '^pg_'
      """
    ).rows.map { (try $0.value(0), try $0.value(1)) }
  }

  /// Gives what a shadow holds to the owners that it has in the target, with the privileges that it has there.
  func repeatOwners(in shadow: Connection) throws {
    var queries = [
      ShadowRights.owners, ShadowRights.catalogPrivileges, ShadowRights.databasePrivileges,
      ShadowRights.systemPrivileges,
    ]
    if target.serverVersion >= 150_000 { queries.append(ShadowRights.parameterPrivileges) }
    for query in queries { try repeatStatements(of: query, in: shadow) }
  }

  /// Runs the statements that a query of the target gives.
  private func repeatStatements(of query: String, in other: Connection) throws {
    let statements = try target.transaction(settings: "SET LOCAL search_path = ''") {
      try target.query(query).rows.compactMap { $0[0] }
    }
    let database: String = try other.query("SELECT quote_ident(current_database())")[0].value(0)
    for statement in statements {
      // What an extension of another version has, or the target alone, has no owner here.
      _ = try? other.transaction {
        try other.execute(statement.replacing(ShadowRights.databaseMark, with: database))
      }
    }
  }

  /// Stands for the database's name, which is another one in the shadow.
  private static let databaseMark = "<database>"

  /// The options of a membership are of PostgreSQL 16.
  private static let memberships = """
    SELECT format('GRANT %I TO %I', r.rolname, m.rolname) || CASE
      WHEN j ->> 'inherit_option' IS NULL THEN CASE WHEN admin_option THEN ' WITH ADMIN OPTION' ELSE '' END
      ELSE format(' WITH ADMIN %s, INHERIT %s, SET %s', j ->> 'admin_option', j ->> 'inherit_option', j ->> 'set_option') END
    FROM pg_auth_members a JOIN pg_roles r ON r.oid = roleid JOIN pg_roles m ON m.oid = member, to_jsonb(a) j
    WHERE m.rolname !~ '^pg_'
    """

  private static let owners = """
    SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, pg_get_userbyid(nspowner)) FROM pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    UNION ALL
    SELECT format('ALTER %s %s OWNER TO %I', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
      WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'S' THEN 'SEQUENCE' WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END,
      CASE relkind WHEN 'c' THEN reltype::regtype::text ELSE oid::regclass::text END, pg_get_userbyid(relowner))
    FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND oid >= 16384
      -- The sequence of a column has the owner of its table.
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass
        AND relkind = 'S' AND d.refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO %I', oid::regprocedure, pg_get_userbyid(proowner)) FROM pg_proc
    WHERE oid >= 16384
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO %I', oid::regtype, pg_get_userbyid(typowner)) FROM pg_type
    WHERE oid >= 16384 AND typtype IN ('d', 'e', 'r')
    UNION ALL
    SELECT format('ALTER DATABASE \(databaseMark) OWNER TO %I', pg_get_userbyid(datdba)) FROM pg_database
    WHERE datname = current_database()
    """

  /// Of a schema that no dump holds.
  private static let catalogPrivileges = """
    WITH held AS (
      SELECT 'SCHEMA rivulet' AS what, nspowner AS owner, nspacl AS acl FROM pg_namespace WHERE nspname = 'rivulet'
      UNION ALL SELECT 'TABLE ' || c.oid::regclass, relowner, relacl FROM pg_class c
      WHERE relnamespace = to_regnamespace('rivulet') AND relkind IN ('r', 'p', 'v', 'm')
      UNION ALL SELECT 'ROUTINE ' || p.oid::regprocedure, proowner, proacl FROM pg_proc p
      WHERE pronamespace = to_regnamespace('rivulet') AND proacl IS NOT NULL)
    SELECT format('REVOKE ALL ON %s FROM PUBLIC', what) FROM held
    UNION ALL
    SELECT \(grants) FROM held, aclexplode(acl) a LEFT JOIN pg_roles g ON g.oid = a.grantee WHERE a.grantee <> owner
    """

  private static let databasePrivileges = """
    WITH held AS (
      SELECT 'DATABASE \(databaseMark)' AS what, datdba AS owner, coalesce(datacl, acldefault('d', datdba)) AS acl
      FROM pg_database WHERE datname = current_database())
    SELECT format('REVOKE ALL ON %s FROM PUBLIC', what) FROM held
    UNION ALL
    SELECT \(grants) FROM held, aclexplode(acl) a LEFT JOIN pg_roles g ON g.oid = a.grantee
    """

  /// Of the server's own objects, to roles that are not the server's.
  private static let systemPrivileges = """
    WITH held AS (
      SELECT 'TABLE ' || c.oid::regclass AS what, relowner AS owner, relacl AS acl FROM pg_class c
      WHERE oid < 16384 AND relkind IN ('r', 'v')
      UNION ALL SELECT 'ROUTINE ' || p.oid::regprocedure, proowner, proacl FROM pg_proc p WHERE oid < 16384)
    SELECT \(grants) FROM held, aclexplode(acl) a JOIN pg_roles g ON g.oid = a.grantee WHERE g.oid >= 16384
    """

  private static let parameterPrivileges = """
    SELECT \(grants) FROM (SELECT 'PARAMETER ' || quote_ident(parname) AS what, 10::oid AS owner, paracl AS acl
      FROM pg_parameter_acl) held, aclexplode(acl) a JOIN pg_roles g ON g.oid = a.grantee WHERE g.oid >= 16384
    """

  private static let grants = """
    format('GRANT %s ON %s TO %s%s', privilege_type, what, coalesce(quote_ident(g.rolname), 'PUBLIC'),
      CASE WHEN is_grantable AND g.oid IS NOT NULL AND g.oid <> owner THEN ' WITH GRANT OPTION' ELSE '' END)
    """

  /// The settings that decide where a role's unqualified names lead and how its times are read, in a session of
  /// that role.
  func settings(of role: String) throws -> [String: String] {
    let rows = try target.query(
      """
      SELECT s.name, coalesce((
        SELECT substr(c, length(s.name) + 2) FROM pg_db_role_setting d, unnest(setconfig) c
        WHERE (setrole = 0 OR setrole = (SELECT oid FROM pg_roles WHERE rolname = $1))
          AND (setdatabase = 0 OR setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))
          AND split_part(c, '=', 1) ILIKE s.name
        ORDER BY setrole = 0, setdatabase = 0 LIMIT 1), s.usual)
      FROM (VALUES ('search_path', '"$user", public'), ('TimeZone', current_setting('TimeZone'))) s (name, usual)
      """, [.text(role)])
    return Dictionary(
      try rows.rows.map { (try $0.value(0, String.self), try $0.value(1, String.self)) },
      uniquingKeysWith: { $1 })
  }
}
