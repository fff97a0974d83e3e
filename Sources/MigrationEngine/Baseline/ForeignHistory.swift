import Host
import PostgreSQL

/// What another tool's history says was applied.
struct ForeignHistory {
  struct Entry {
    let label: String
    /// Whether a migration of the folder is this one.
    let isAbout: (Migration) -> Bool
    /// Whether the file is as it was applied, so far as the tool has kept what shows it.
    var isUnchanged: (Migration) throws -> Bool = { _ in true }
    /// Several entries may be about one file.
    var isShared = false
  }

  let table: String
  /// What was applied, in the order in which it was.
  var entries: [Entry] = []
  /// Everything up to and including this version counts as applied too.
  var upTo: String?
  var repeatables: [Entry] = []

  /// An entry of a tool that counts as we do.
  static func entry(version: String, label: String? = nil, in folder: MigrationFolder) -> Entry {
    Entry(label: label ?? version) { folder.order.isSame($0.version, version) }
  }
}

/// A tool's history, and the folder that it may be about.
struct ForeignHistoryReader {
  let table: String
  let folder: MigrationFolder
  let connection: Connection

  /// Reads the table of a tool.
  ///
  /// - Throws: ``BaselineError`` and `PostgreSQLError`.
  static func read(
    _ tool: MigrationTool, table: String?, for folder: MigrationFolder, on connection: Connection
  ) throws -> ForeignHistory {
    let wanted = table ?? tool.table
    guard let name = try connection.query("SELECT to_regclass($1)::text", [.text(wanted)]).first?[0] else {
      throw BaselineError.noTable(wanted, tool: tool)
    }
    let reader = ForeignHistoryReader(table: name, folder: folder, connection: connection)
    return switch tool {
    case .flyway: try reader.flyway()
    case .golangMigrate: try reader.golangMigrate()
    case .dbmate: try reader.dbmate()
    case .sqitch: try reader.sqitch()
    case .liquibase: try reader.liquibase()
    }
  }

  /// One row: the version that the database has come to, and whether the last step failed.
  private func golangMigrate() throws -> ForeignHistory {
    guard let row = try connection.query("SELECT version, dirty FROM \(table)").first else {
      return ForeignHistory(table: table)
    }
    let version: String = try row.value(0)
    if row[1] == "t" { throw BaselineError.unfinished([version], tool: .golangMigrate) }
    return ForeignHistory(
      table: table, entries: [ForeignHistory.entry(version: version, in: folder)], upTo: version)
  }

  /// A row for each version.
  private func dbmate() throws -> ForeignHistory {
    let rows = try connection.query("SELECT version FROM \(table) ORDER BY version").rows
    return ForeignHistory(
      table: table, entries: try rows.map { ForeignHistory.entry(version: try $0.value(0), in: folder) })
  }

  /// Changesets, each found by its identifier as a version, or by the name of the file that it came from.
  private func liquibase() throws -> ForeignHistory {
    let rows = try connection.query("SELECT id, author, filename FROM \(table) ORDER BY orderexecuted").rows
    // Without folders and without its ending.
    let stem = { (path: String) -> Substring in
      let name = Path.name(path)
      return name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
    }
    return ForeignHistory(
      table: table,
      entries: try rows.map { row in
        let (id, author): (String, String) = (try row.value(0), try row.value(1))
        let file: String = try row.value(2)
        return ForeignHistory.Entry(
          label: "\(file)::\(id)::\(author)",
          isAbout: { stem($0.file) == stem(file) || folder.order.isSame($0.version, id) }, isShared: true)
      })
  }

  /// The changes of the folder's project, or of the only one there is. A reworked change is there as often as
  /// it was deployed.
  private func sqitch() throws -> ForeignHistory {
    let rows = try connection.query("SELECT change, project FROM \(table) ORDER BY committed_at").rows
    let projects = Set(rows.compactMap { $0[1] })
    guard let project = projects.count == 1 ? projects.first : folder.project, projects.contains(project)
    else {
      if projects.isEmpty { return ForeignHistory(table: table) }
      throw BaselineError.severalProjects(projects.sorted(), table: table)
    }
    // As our own files may have it.
    let plain = { (name: String) in
      String(name.lowercased().map { MigrationFolder.isName(String($0)) ? $0 : "_" })
    }
    let names = rows.filter { $0[1] == project }.compactMap { $0[0] }
    return ForeignHistory(
      table: table,
      entries: names.map { name in
        let wanted = folder.format == .sqitch ? name : plain(name)
        return ForeignHistory.Entry(label: name) { $0.name == wanted }
      })
  }
}
