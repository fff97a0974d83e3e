import PostgreSQL

extension ForeignHistory {
  /// One row: the version that the database has come to, and whether the last step failed.
  static func golangMigrate(_ table: String, _ folder: MigrationFolder, _ connection: Connection) throws
    -> ForeignHistory
  {
    var history = ForeignHistory(table: table)
    guard let row = try connection.query("SELECT version, dirty FROM \(table)").first else { return history }
    let version: String = try row.value(0)
    if row[1] == "t" { throw BaselineError.unfinished([version], tool: .golangMigrate) }
    history.entries = [entry(version: version, in: folder)]
    history.upTo = version
    return history
  }

  /// A row for each version.
  static func dbmate(_ table: String, _ folder: MigrationFolder, _ connection: Connection) throws
    -> ForeignHistory
  {
    let rows = try connection.query("SELECT version FROM \(table) ORDER BY version").rows
    return ForeignHistory(table: table, entries: try rows.map { entry(version: try $0.value(0), in: folder) })
  }
}
