import PostgreSQL

/// What another tool's history says was applied.
struct ForeignHistory {
  /// One thing that was applied.
  struct Entry {
    /// As the tool shows it.
    let label: String
    /// Whether a migration of the folder is this one.
    let isAbout: (Migration) -> Bool
    /// Whether the file is as it was applied, so far as the tool has kept what shows it.
    var isUnchanged: (Migration) throws -> Bool = { _ in true }
    /// Several entries may be about one file.
    var isShared = false
  }

  /// The table that says so.
  let table: String
  /// What was applied, in the order in which it was.
  var entries: [Entry] = []
  /// Everything up to and including this version counts as applied too.
  var upTo: String?
  /// Repeatable ones.
  var repeatables: [Entry] = []

  /// Reads the table of a tool; throws ``BaselineError``.
  static func read(
    _ tool: MigrationTool, table: String?, for folder: MigrationFolder, on connection: Connection
  )
    throws -> ForeignHistory
  {
    let wanted = table ?? tool.table
    guard let name = try connection.query("SELECT to_regclass($1)::text", [.text(wanted)]).first?[0] else {
      throw BaselineError.noTable(wanted, tool: tool)
    }
    switch tool {
    case .flyway: return try flyway(name, folder, connection)
    case .golangMigrate: return try golangMigrate(name, folder, connection)
    case .dbmate: return try dbmate(name, folder, connection)
    case .sqitch: return try sqitch(name, folder, connection)
    case .liquibase: return try liquibase(name, folder, connection)
    }
  }

  /// An entry of a tool that counts as we do.
  static func entry(version: String, label: String? = nil, in folder: MigrationFolder) -> Entry {
    Entry(label: label ?? version) { folder.order.isSame($0.version, version) }
  }
}
