import Definitions
import PostgreSQL

extension SetupCheck {
  /// Whether the role is a member of the owners of what it publishes to and refreshes.
  static let owners = SetupCheck(
    "owners", .rights,
    because:
      "publishing attaches partitions, and refreshing locks tables, as only members of a table's owner may"
  ) { subject in
    let pipelines = try subject.readablePipelines()
    let names = pipelines.flatMap { $0.targets + $0.views.map(\.name) }
    return try subject.reading { connection in
      let owners = try connection.query(
        """
        SELECT pg_get_userbyid(c.relowner), count(*), min(n.nspname || '.' || c.relname), current_user
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname || '.' || c.relname = ANY ($1) AND NOT pg_has_role(c.relowner, 'USAGE')
        GROUP BY c.relowner ORDER BY 1
        """, [.textArray(names)])
      let findings = try owners.rows.map { row -> Finding in
        let (owner, role) = (Quote.identifier(try row.value(0)), Quote.identifier(try row.value(3)))
        return .error(
          "\(owner) owns \(try row.value(1, Int.self)) tables such as \(try row.value(2, String.self)), "
            + "and \(role) is no member",
          fix: "GRANT \(owner) TO \(role);")
      }
      return findings.isEmpty ? [.ok("the role may publish to every table that is there")] : findings
    }
  }
}
