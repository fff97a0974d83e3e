import Host
import MigrationEngine
import PostgreSQL
import Reporting
import Values

let rolesCommand = Command(
  name: "roles",
  summary: "Prints, or applies, the SQL that makes roles for who migrates, who loads and who reads",
  discussion: """
    Of 'rivulet_owner' everything is: members of it migrate. 'rivulet_loader' runs, publishes, refreshes and drops
    releases, and cannot alter or drop anything else. 'rivulet_reader' reads what is published, and neither rejected
    records nor what is protected row by row. PUBLIC keeps nothing in the project's schemas. Printed is what this
    database lacks of it; run it again after 'migrate up', which may make new tables. See Documentation/Roles.md.
    """,
  options: [
    Option("--apply", "run it, as a superuser"),
    Option("--check", "exit with 5 where something is lacking"),
    Option("--prefix", value: "NAME", "what the names of the roles begin with (default: rivulet)"),
    Option("-o", value: "FILE", "a file in place of standard output"),
  ],
  examples: ["rivulet roles -o roles.sql", "rivulet roles --apply", "rivulet roles --check --format json"],
  run: { try roles($0, $1) })

private func roles(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let isApplied = invocation.has("--apply")
  if isApplied && (invocation.has("--check") || invocation["-o"] != nil) {
    throw invocation.usage("--apply runs the statements: it goes neither with --check nor with -o")
  }
  let roles = DatabaseRoles(prefix: invocation["--prefix"] ?? DatabaseRoles.usualPrefix)
  let connection = try session.connect()
  let statements = try isApplied ? roles.apply(on: connection) : roles.lacking(on: connection)
  let script = RoleScript(
    database: try connection.query("SELECT current_database()")[0].value(0), statements: statements,
    isApplied: isApplied, hasSchema: try DatabaseRoles.hasSchema(connection), roles: roles)
  try session.answer(
    json: script.json, script: script.text, statements: statements.count, into: invocation["-o"])
  return invocation.has("--check") && !statements.isEmpty ? ExitCode.outOfStep : ExitCode.done
}

extension Session {
  /// Says where the roles of a database lack something of what migrations have made; that it cannot be found out
  /// undoes none of these.
  func warnOfRoles(_ connection: Connection) {
    let roles: DatabaseRoles
    let lacking: Int
    do {
      guard let found = try DatabaseRoles(of: connection) else { return }
      (roles, lacking) = (found, try found.lacking(on: connection).count)
    } catch {
      return warn("what the roles of this database lack is not known: \(Failure(error).sentence)")
    }
    guard lacking > 0 else { return }
    let prefix = roles.prefix == DatabaseRoles.usualPrefix ? "" : " --prefix \(roles.prefix)"
    warn(
      "the roles of this database lack \(lacking) statements for what is there now: run 'rivulet roles\(prefix) --apply' as a superuser"
    )
  }
}

/// What an administrator runs.
private struct RoleScript {
  let database: String
  let statements: [DatabaseRoles.Statement]
  let isApplied: Bool
  let hasSchema: Bool
  let roles: DatabaseRoles

  var json: JSON {
    [
      "database": database, "applied": isApplied,
      "statements": JSON.array(of: statements) { ["about": $0.subject.about, "sql": $0.sql + ";"] },
    ]
  }

  var text: String {
    var lines: [String] = []
    if statements.isEmpty {
      lines.append("-- nothing is lacking: the roles of \(database) are as they should be")
    } else if isApplied {
      lines.append("-- \(statements.count) statements were run in \(database)")
    } else {
      lines += ["-- What the roles of \(database) lack; run it there as a superuser.", "BEGIN;"]
    }
    var last: DatabaseRoles.Subject?
    for statement in isApplied ? [] : statements {
      if statement.subject != last { lines.append("-- " + statement.subject.about) }
      last = statement.subject
      lines.append(statement.sql + ";")
    }
    if !statements.isEmpty && !isApplied { lines.append("COMMIT;") }
    if !hasSchema {
      lines.append("-- Then 'rivulet migrate up' as \(roles.owner), and this again for what it has made.")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension DatabaseRoles.Subject {
  /// A heading.
  fileprivate var about: String {
    switch self {
    case .roles: "roles"
    case .database: "the database"
    case .owners: "who owns what"
    case .privileges: "who may do what"
    case .defaults: "what is made later"
    }
  }
}
