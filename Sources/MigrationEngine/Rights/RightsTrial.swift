import PostgreSQL

/// Gives a role on a shadow what it was refused there, and notes what it gave.
struct RightsTrial {
  /// As a superuser.
  private let administration: Connection
  /// Quoted where need be.
  private let role: String
  private(set) var found: [MissingGrant] = []
  /// The roles that were made for a migration, by its file.
  private var made: [String: [String]] = [:]

  init(administration: Connection, role: String) throws {
    self.administration = administration
    self.role = try administration.query("SELECT quote_ident($1)", [.text(role)])[0].value(0)
  }

  /// Gives what an error of `up` is about; false where it is about no right.
  mutating func takes(_ error: any Error, of folder: MigrationFolder) throws -> Bool {
    switch error {
    case let error as MissingRights: return try give(error.remedy, for: nil, error.error)
    case MigrationError.failed(let version, let file, _, _, let error):
      let migration = (folder.migrations + folder.repeatables).first {
        $0.version == version && $0.up.file == file
      }
      guard error.sqlState == "42501" else { return false }
      guard let migration, error.isAboutMakingRoles else {
        return try give(error.remedy, for: migration?.label, error)
      }
      try makeRoles(for: migration)
      return true
    default: return false
    }
  }

  private mutating func give(_ remedy: RightsRemedy?, for migration: String?, _ error: ServerError) throws
    -> Bool
  {
    let isNew = remedy.map { remedy in !remedy.statements.contains { sql in found.contains { $0.sql == sql } }
    }
    guard let remedy, !remedy.statements.isEmpty, isNew == true else {
      throw RightsSearch.Problem.notGrantable(role: role, migration: migration, error: error)
    }
    for sql in remedy.statements { try give(sql, for: migration) }
    return true
  }

  private mutating func give(_ sql: String, for migration: String?) throws {
    try administration.execute(sql)
    found.append(MissingGrant(sql: sql, migration: migration))
  }

  /// Makes the roles that a migration makes, as it makes them; where it makes them without looking whether they
  /// are there, the role has to be allowed to make roles.
  private mutating func makeRoles(for migration: Migration) throws {
    if let names = made[migration.up.file] {
      for name in names { try administration.execute("DROP ROLE \(name)") }
      found.removeAll { grant in names.contains { grant.sql.hasPrefix("CREATE ROLE \($0) ") } }
      return try give("ALTER ROLE \(role) CREATEROLE", for: migration.label)
    }
    let before = try roles()
    var after = before
    try? administration.transaction {
      try administration.run(script: migration.up.sql)
      after = try roles()
      throw RolesSeen()
    }
    let new = after.filter { before[$0.key] == nil }.sorted { $0.key < $1.key }
    made[migration.up.file] = new.map(\.key)
    for (name, attributes) in new { try give("CREATE ROLE \(name) \(attributes)", for: migration.label) }
  }

  private struct RolesSeen: Error {}

  /// The roles by their names, quoted where need be, with their attributes as CREATE ROLE takes them.
  private func roles() throws -> [String: String] {
    let rows = try administration.query(
      """
      SELECT quote_ident(rolname), concat_ws(' ', CASE WHEN rolcanlogin THEN 'LOGIN' ELSE 'NOLOGIN' END,
        CASE WHEN rolsuper THEN 'SUPERUSER' END, CASE WHEN rolcreaterole THEN 'CREATEROLE' END,
        CASE WHEN rolcreatedb THEN 'CREATEDB' END, CASE WHEN rolbypassrls THEN 'BYPASSRLS' END,
        CASE WHEN rolreplication THEN 'REPLICATION' END, CASE WHEN NOT rolinherit THEN 'NOINHERIT' END)
      FROM pg_roles
      """
    ).rows
    return Dictionary(
      try rows.map { (try $0.value(0, String.self), try $0.value(1, String.self)) }, uniquingKeysWith: { $1 })
  }
}
