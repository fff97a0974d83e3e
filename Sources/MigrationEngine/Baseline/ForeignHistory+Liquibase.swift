import Host
import PostgreSQL

extension ForeignHistory {
  /// Changesets, each found by its identifier as a version, or by the name of the file that it came from.
  static func liquibase(_ table: String, _ folder: MigrationFolder, _ connection: Connection) throws
    -> ForeignHistory
  {
    let rows = try connection.query("SELECT id, author, filename FROM \(table) ORDER BY orderexecuted").rows
    return ForeignHistory(
      table: table,
      entries: try rows.map { row in
        let (id, author, file): (String, String, String) = (
          try row.value(0), try row.value(1), try row.value(2)
        )
        return Entry(
          label: "\(file)::\(id)::\(author)",
          isAbout: { stem($0.file) == stem(file) || folder.order.isSame($0.version, id) }, isShared: true)
      })
  }

  /// A file's name without folders and without its ending.
  private static func stem(_ path: String) -> Substring {
    let name = Path.name(path)
    return name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
  }
}
