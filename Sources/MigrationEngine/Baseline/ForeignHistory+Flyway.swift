import PostgreSQL

extension ForeignHistory {
  /// A row of Flyway's table.
  private struct FlywayRow {
    let version: String?
    let description: String
    let type: String
    let checksum: Int?
    let succeeded: Bool

    var label: String {
      [version, description, type == "SQL" ? nil : "(\(type))"].compactMap(\.self).joined(separator: " ")
    }
  }

  /// Rows in the order of their rank; a later one may revert an earlier one.
  static func flyway(_ table: String, _ folder: MigrationFolder, _ connection: Connection) throws
    -> ForeignHistory
  {
    let rows = try flywayRows(table, connection)
    let failed = rows.filter { !$0.succeeded }
    if !failed.isEmpty { throw BaselineError.unfinished(failed.map(\.label), tool: .flyway) }

    var history = ForeignHistory(table: table)
    var versioned: [FlywayRow] = []
    for row in rows {
      guard let version = row.version else { continue }
      versioned.removeAll { $0.version == version }
      if row.type.hasSuffix("BASELINE") {
        history.upTo = version
      } else if !row.type.hasPrefix("UNDO") && row.type != "DELETE" {
        // Those two say that a version is not applied any more.
        versioned.append(row)
      }
    }
    // A `B` file replaces all up to its version, unless the database has not come so far.
    if let all = folder.standsForAllUpTo,
      versioned.contains(where: { !folder.order.precedes($0.version ?? "", all) })
    {
      versioned.removeAll { !folder.order.precedes(all, $0.version ?? "") }
      history.upTo = all
    }
    history.entries = versioned.map { versionedEntry($0, folder) }
    history.repeatables = repeatableEntries(rows, folder)
    return history
  }

  private static func flywayRows(_ table: String, _ connection: Connection) throws -> [FlywayRow] {
    try connection.query(
      "SELECT version, description, type, checksum, success FROM \(table) ORDER BY installed_rank"
    ).rows.map { row in
      FlywayRow(
        version: row[0], description: row[1] ?? "", type: row[2] ?? "", checksum: row[3].flatMap { Int($0) },
        succeeded: row[4] == "t")
    }
  }

  private static func versionedEntry(_ row: FlywayRow, _ folder: MigrationFolder) -> Entry {
    var entry = entry(version: row.version ?? "", label: row.label, in: folder)
    entry.isUnchanged = { file in
      // A converted file has another text and may still be the same migration.
      guard let applied = row.checksum, let now = try FlywayChecksum.of(file, in: folder) else { return true }
      return applied == now
    }
    return entry
  }

  /// The last row of each; one whose file is not known to be the same runs again.
  private static func repeatableEntries(_ rows: [FlywayRow], _ folder: MigrationFolder) -> [Entry] {
    let description = { (text: String) in text.replacing("_", with: " ") }
    let newest = Dictionary(rows.filter { $0.version == nil }.map { (description($0.description), $0) }) {
      $1
    }
    return newest.filter { $0.value.type == "SQL" }.map { name, row in
      Entry(label: row.label, isAbout: { description($0.name) == name }) { file in
        try FlywayChecksum.of(file, in: folder) == row.checksum
      }
    }
  }
}
