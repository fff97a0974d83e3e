import Definitions
import PostgreSQL

extension SetupCheck {
  /// Whether the role may stage tables beside those that it publishes to, and attach them.
  static let owners = SetupCheck(
    "owners", .rights,
    because: "publishing attaches partitions, as only members of an owner may, or a loader of 'rivulet roles'"
  ) { subject in
    let pipelines = try subject.readablePipelines()
    let names = pipelines.flatMap { $0.targets + $0.views.map(\.name) }
    return try subject.reading { connection in
      let findings = try memberships(names, on: connection) + schemas(names, on: connection)
      return findings.isEmpty ? [.ok("the role may publish to every table that is there")] : findings
    }
  }

  /// The role that stages and attaches: that whose functions do it, where the session may call them.
  static let stager = """
    coalesce((SELECT p.proowner FROM pg_proc p JOIN pg_namespace f ON f.oid = p.pronamespace
      WHERE f.nspname = 'rivulet' AND p.proname = 'owner_stage_table'
        AND has_function_privilege(p.oid, 'EXECUTE') AND NOT pg_has_role(p.proowner, 'USAGE')),
      (SELECT oid FROM pg_roles WHERE rolname = current_user))
    """

  /// The owners of tables, and of their partitions, that the role is no member of; what belongs to a superuser,
  /// whose role is nobody's to have, is to be given another owner.
  private static func memberships(_ names: [String], on connection: Connection) throws -> [Finding] {
    try connection.query(
      """
      SELECT quote_ident(r.rolname), count(*), min(n.nspname || '.' || c.relname), quote_ident(current_user),
        CASE WHEN EXISTS (SELECT FROM pg_roles s WHERE s.rolsuper AND pg_has_role(r.oid, s.oid, 'MEMBER'))
          THEN string_agg(
          format('ALTER TABLE %I.%I OWNER TO %I;', n.nspname, c.relname, current_user), ' ' ORDER BY n.nspname, c.relname)
        ELSE format('GRANT %I TO %I;', r.rolname, current_user) END
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner
      WHERE NOT pg_has_role(\(stager), c.relowner, 'USAGE') AND c.oid IN (
        SELECT t.oid FROM pg_class t JOIN pg_namespace tn ON tn.oid = t.relnamespace
          WHERE tn.nspname || '.' || t.relname = ANY ($1)
        UNION SELECT p.relid FROM pg_class t JOIN pg_namespace tn ON tn.oid = t.relnamespace,
          pg_partition_tree(CASE WHEN t.relkind = 'p' THEN t.oid END) p
          WHERE tn.nspname || '.' || t.relname = ANY ($1))
      GROUP BY r.oid, r.rolname ORDER BY 1
      """, [.textArray(names)]
    ).rows.map { row in
      .error(
        "\(try row.value(0, String.self)) owns \(try row.value(1, Int.self)) tables such as "
          + "\(try row.value(2, String.self)), and \(try row.value(3, String.self)) is no member",
        fix: try row.value(4))
    }
  }

  /// The schemas that neither the role nor, for its members, an owner of tables there may make tables in.
  private static func schemas(_ names: [String], on connection: Connection) throws -> [Finding] {
    try connection.query(
      """
      SELECT n.nspname, current_user
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname || '.' || c.relname = ANY ($1)
      GROUP BY n.oid, n.nspname
      HAVING NOT (has_schema_privilege(\(stager), n.oid, 'USAGE')
          AND has_schema_privilege(\(stager), n.oid, 'CREATE'))
        AND NOT bool_or(has_schema_privilege(c.relowner, n.oid, 'USAGE')
          AND has_schema_privilege(c.relowner, n.oid, 'CREATE'))
      ORDER BY 1
      """, [.textArray(names)]
    ).rows.map { row in
      let (schema, role) = (Quote.identifier(try row.value(0)), Quote.identifier(try row.value(1)))
      return .error(
        "\(role) may not stage tables in the schema \(schema)",
        fix: "GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(role);")
    }
  }
}
