import Host
import MigrationEngine
import PipelineCore
import PostgreSQL
import Reporting
import Values
import ViewEngine

let migrateGrantsCommand = Command(
  name: "grants",
  summary: "Prints the SQL that gives a role what it lacks to apply the pending migrations",
  discussion: """
    Applies them as that role on a shadow database that has the schema, the history, the owners and the privileges of
    this one and no rows; what the server refuses there is what the role lacks. An administrator runs the script once,
    then 'migrate up' works as that role. The database itself is only read.
    """,
  options: [
    Option("--for", value: "ROLE", "the role that is to run 'migrate up' (default: that of the connection)"),
    Option("-o", value: "FILE", "a file in place of standard output"),
  ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate grants --for deployer",
    "rivulet migrate grants --for deployer -o grants.sql",
    "rivulet migrate grants --for deployer --format json",
  ],
  run: { try migrateGrants($0, $1) })

private func migrateGrants(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let migrations = try MigrationSession(invocation, session, mayBeEmpty: true)
  let connection = try session.connect()
  let names = try connection.query("SELECT current_user, current_database()")[0]
  let role = try invocation["--for"] ?? names.value(0)
  var missing: [MissingGrant] = []
  for one in try migrations.inSchemas(on: connection) {
    var search = RightsSearch(target: connection, folder: one.folder, dependents: one.dependents, role: role)
    search.tell = { session.tell($0) }
    search.afterwards = { _ = try migrations.recordProject(on: $0) }
    missing += try search.missing().filter { grant in !missing.contains { $0.sql == grant.sql } }
  }
  let script = GrantScript(role: role, database: try names.value(1), missing: missing)
  try session.answer(
    json: script.json, script: script.text, statements: missing.count, into: invocation["-o"])
  return ExitCode.done
}

/// What an administrator runs once.
private struct GrantScript {
  let role: String
  let database: String
  let missing: [MissingGrant]

  var json: JSON {
    [
      "role": role, "database": database,
      "missing": JSON.array(of: missing) { ["sql": $0.sql + ";", "migration": $0.migration] },
    ]
  }

  var text: String {
    if missing.isEmpty { return "-- nothing is missing: \(role) may run 'migrate up' in \(database)\n" }
    var lines = ["-- What \(role) lacks for 'migrate up' in \(database); run it once there as a superuser."]
    var last: String?
    for grant in missing {
      if let migration = grant.migration, migration != last { lines.append("-- for \(migration)") }
      last = grant.migration
      lines.append(grant.sql + ";")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
