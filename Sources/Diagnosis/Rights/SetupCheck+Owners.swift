import Definitions
import PostgreSQL

extension SetupCheck {
  /// Whether the role may stage tables beside those that it publishes to, and attach them.
  static let owners = SetupCheck(
    "owners", .rights,
    because: "publishing attaches partitions, and refreshing locks tables, as only members of an owner may"
  ) { subject in
    let pipelines = try subject.readablePipelines()
    let names = pipelines.flatMap { $0.targets + $0.views.map(\.name) }
    return try subject.reading { connection in
      let findings = try memberships(names, on: connection) + schemas(names, on: connection)
      return findings.isEmpty ? [.ok("the role may publish to every table that is there")] : findings
    }
  }

  /// The owners of tables that the role is no member of.
  private static func memberships(_ names: [String], on connection: Connection) throws -> [Finding] {
    try connection.query(
      """
      SELECT pg_get_userbyid(c.relowner), count(*), min(n.nspname || '.' || c.relname), current_user
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname || '.' || c.relname = ANY ($1) AND NOT pg_has_role(c.relowner, 'USAGE')
      GROUP BY c.relowner ORDER BY 1
      """, [.textArray(names)]
    ).rows.map { row in
      let (owner, role) = (Quote.identifier(try row.value(0)), Quote.identifier(try row.value(3)))
      return .error(
        "\(owner) owns \(try row.value(1, Int.self)) tables such as \(try row.value(2, String.self)), "
          + "and \(role) is no member",
        fix: "GRANT \(owner) TO \(role);")
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
      HAVING NOT (has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE'))
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
