import PostgreSQL

extension ForeignHistory {
  /// The changes of the folder's project, or of the only one there is. A reworked change is there as often as
  /// it was deployed.
  static func sqitch(_ table: String, _ folder: MigrationFolder, _ connection: Connection) throws
    -> ForeignHistory
  {
    let rows = try connection.query("SELECT change, project FROM \(table) ORDER BY committed_at").rows
    let projects = Set(rows.compactMap { $0[1] })
    guard let project = projects.count == 1 ? projects.first : folder.project, projects.contains(project)
    else {
      if projects.isEmpty { return ForeignHistory(table: table) }
      throw BaselineError.severalProjects(projects.sorted(), table: table)
    }
    let names = rows.filter { $0[1] == project }.compactMap { $0[0] }
    return ForeignHistory(
      table: table,
      entries: names.map { name in
        Entry(label: name) { folder.format == .sqitch ? $0.name == name : $0.name == plain(name) }
      })
  }

  /// A name as our own files may have it.
  private static func plain(_ name: String) -> String {
    String(name.lowercased().map { MigrationFolder.isName(String($0)) ? $0 : "_" })
  }
}
