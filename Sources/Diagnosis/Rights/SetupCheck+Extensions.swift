import MigrationEngine
import PostgreSQL

extension SetupCheck {
  /// Whether the extensions are there that the project's migrations make.
  static let extensions = SetupCheck(
    "extensions", .rights,
    because: "tables and views use what an extension brings, such as similar texts by pg_trgm"
  ) { subject in
    var wanted: [(name: String, isPending: Bool)] = []
    for (folder, status) in try subject.migrations() {
      let unused = Set(status.unused.map(\.version))
      let pending = Set(status.pending.map(\.version))
      for migration in folder.migrations where !unused.contains(migration.version) {
        for name in extensions(in: migration.up.sql) where !wanted.contains(where: { $0.name == name }) {
          wanted.append((name, pending.contains(migration.version)))
        }
      }
    }
    if wanted.isEmpty { return [.ok("the migrations need none")] }
    return try subject.reading { connection in
      try wanted.map { try finding(of: $0.name, isPending: $0.isPending, on: connection) }
    }
  }

  /// The extensions that a migration's SQL makes, also in the code of a DO block.
  static func extensions(in sql: String) -> [String] {
    sql.matches(of: /(?i)CREATE\s+EXTENSION\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:"([^"]+)"|(\w+))/).compactMap {
      $0.output.1.map(String.init) ?? $0.output.2.map { $0.lowercased() }
    }
  }

  private static func finding(of name: String, isPending: Bool, on connection: Connection) throws -> Finding {
    let row = try connection.query(
      """
      SELECT e.extversion, a.default_version, coalesce(v.trusted, false)
          AND has_database_privilege(current_database(), 'CREATE') OR r.rolsuper,
        current_setting('server_version_num')
      FROM pg_roles r LEFT JOIN pg_extension e ON e.extname = $1
      LEFT JOIN pg_available_extensions a ON a.name = $1
      LEFT JOIN pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
      WHERE r.rolname = current_user
      """, [.text(name)])[0]
    let create = "CREATE EXTENSION \(Quote.identifier(name));"
    guard let available = row[1] else {
      let major = try row.value(3, Int.self) / 10_000
      return .error("'\(name)' is not installed on the server's machine", fix: install(name, major: major))
    }
    if let version = row[0] {
      guard version != available else { return .ok("'\(name)' \(version)") }
      return .note(
        "'\(name)' is of version \(version), and \(available) is installed on the server's machine",
        fix: "ALTER EXTENSION \(Quote.identifier(name)) UPDATE;")
    }
    guard isPending else { return .error("'\(name)' was made by a migration and is gone", fix: create) }
    if try row.value(2, Bool.self) {
      return .ok("'\(name)' \(available) can be made by the migration that needs it")
    }
    return .error("'\(name)' is needed by a pending migration, and this role may not make it", fix: create)
  }

  /// The package of Debian's that has an extension; those of PostgreSQL's own are in the server's.
  private static func install(_ name: String, major: Int) -> String {
    let package = ["citus": "citus", "postgis": "postgis-3", "vector": "pgvector", "pg_cron": "cron"][name]
    return "apt-get install postgresql-\(major)" + (package.map { "-\($0)" } ?? "")
  }
}
