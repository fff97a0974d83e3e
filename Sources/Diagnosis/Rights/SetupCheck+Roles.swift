import MigrationEngine
import PostgreSQL
import SQLText

extension SetupCheck {
  /// Whether the roles are there that pending migrations give rights to.
  static let roles = SetupCheck(
    "roles", .rights, because: "a migration that gives rights to a role that is not there fails"
  ) { subject in
    let pending = try subject.migrations().flatMap { $0.status.pending + $0.status.pendingRepeatables }
    let named = Set(pending.flatMap { grantees(in: $0.up.sql) }).sorted()
    let makesRoles = pending.contains { $0.up.sql.uppercased().contains("CREATE ROLE") }
    return try subject.reading { connection in
      let row = try connection.query(
        """
        SELECT ARRAY(SELECT name FROM unnest($1::text[]) n (name)
            WHERE name NOT IN (SELECT rolname FROM pg_roles) ORDER BY 1),
          rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user
        """, [.textArray(named)])[0]
      let missing: [String] = try row.value(0)
      if missing.isEmpty { return [.ok("every role that a pending migration names is there")] }
      if try makesRoles && row.value(1, Bool.self) {
        return [.ok("pending migrations make \(missing.joined(separator: ", "))")]
      }
      return missing.map {
        .error(
          "a pending migration gives rights to the role '\($0)', which is not there",
          fix: "CREATE ROLE \(Quote.identifier($0)) NOLOGIN;")
      }
    }
  }

  /// The roles that GRANT and CREATE POLICY name, each as the server knows it.
  static func grantees(in sql: String) -> [String] {
    guard let script = try? SQLScript(sql) else { return [] }
    return script.statements.flatMap { statement -> [String] in
      guard statement.begins(with: "GRANT") || statement.begins(with: "CREATE", "POLICY") else { return [] }
      let words = statement.words
      guard let to = words.lastIndex(of: "TO") else { return [] }
      let end =
        ["WITH", "USING", "GRANTED"].compactMap { words[to...].firstIndex(of: $0) }.min() ?? words.count
      return words[(to + 1)..<end].filter { $0 != "," && !anybody.contains($0) }.map { word in
        word.hasPrefix("\"") ? String(word.dropFirst().dropLast()) : word.lowercased()
      }
    }
  }

  /// Words that stand for a role and are none.
  private static let anybody: Set<String> = [
    "PUBLIC", "CURRENT_USER", "CURRENT_ROLE", "SESSION_USER", "GROUP",
  ]
}
