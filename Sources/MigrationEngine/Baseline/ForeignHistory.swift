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
    // A tool that was run in one schema has its table there.
    let usual = folder.schema.map { tool.table.contains(".") ? "" : Quote.identifier($0) + "." } ?? ""
    let wanted = table ?? usual + tool.table
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
    case .goose: try reader.goose()
    case .nodePgMigrate: try reader.nodePgMigrate()
    case .sqlx: try reader.sqlx()
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

  /// Rows in the order of their ids, of which the last of a version says whether it is applied.
  private func goose() throws -> ForeignHistory {
    let rows = try connection.query("SELECT version_id, is_applied FROM \(table) ORDER BY id").rows
    var applied: [String] = []
    for row in rows where row[0] != "0" {
      let version: String = try row.value(0)
      applied.removeAll { $0 == version }
      if row[1] == "t" { applied.append(version) }
    }
    return ForeignHistory(
      table: table, entries: applied.map { ForeignHistory.entry(version: $0, in: folder) })
  }

  /// A row for each file, by its name without its ending.
  private func nodePgMigrate() throws -> ForeignHistory {
    let names = try connection.query("SELECT name FROM \(table) ORDER BY id").rows.compactMap { $0[0] }
    return ForeignHistory(
      table: table,
      entries: names.map { name in
        ForeignHistory.Entry(label: name) { ForeignHistoryReader.stem($0.file) == name }
      })
  }

  /// A row for each version, with the SHA-384 of its file.
  private func sqlx() throws -> ForeignHistory {
    let rows = try connection.query(
      "SELECT version, description, success, encode(checksum, 'hex') FROM \(table) ORDER BY version"
    ).rows
    let failed = rows.filter { $0[2] != "t" }.compactMap { $0[0] }
    if !failed.isEmpty { throw BaselineError.unfinished(failed, tool: .sqlx) }
    return ForeignHistory(
      table: table,
      entries: try rows.map { row in
        let label = [row[0], row[1]].compactMap(\.self).joined(separator: " ")
        var entry = ForeignHistory.entry(version: try row.value(0), label: label, in: folder)
        entry.isUnchanged = { file in
          // A converted file has another text and may still be the same migration.
          guard folder.format == .sqlx || folder.format == .golangMigrate else { return true }
          let text = String(decoding: try Files.read(file.file), as: UTF8.self)
          let digest = "SELECT encode(sha384(convert_to($1, 'UTF8')), 'hex')"
          return try connection.query(digest, [.text(text)])[0][0] == row[3]
        }
        return entry
      })
  }

  /// The name of a file without folders and without its ending.
  private static func stem(_ path: String) -> String {
    let name = Path.name(path)
    return String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
  }

  /// Changesets, each found by its author and identifier in a folder of Liquibase's; in another by its identifier
  /// as a version, or by the name of the file that it came from.
  private func liquibase() throws -> ForeignHistory {
    let rows = try connection.query("SELECT id, author, filename FROM \(table) ORDER BY orderexecuted").rows
    return ForeignHistory(
      table: table,
      entries: try rows.map { row in
        let (id, author): (String, String) = (try row.value(0), try row.value(1))
        let file: String = try row.value(2)
        let isAbout = { (migration: Migration) in
          if folder.format == .liquibase {
            return migration.version.prefix { $0 != "#" } == "\(author):\(id)"
              && Path.name(migration.file) == Path.name(file)
          }
          return ForeignHistoryReader.stem(migration.file) == ForeignHistoryReader.stem(file)
            || folder.order.isSame(migration.version, id)
        }
        return ForeignHistory.Entry(
          label: "\(file)::\(id)::\(author)", isAbout: isAbout, isShared: folder.format != .liquibase)
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
