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

  /// Rows in the order of their rank; a later one may take an earlier one back.
  static func flyway(_ table: String, _ folder: MigrationFolder, _ connection: Connection) throws
    -> ForeignHistory
  {
    let rows = try connection.query(
      "SELECT version, description, type, checksum, success FROM \(table) ORDER BY installed_rank"
    ).rows.map { row in
      FlywayRow(
        version: row[0], description: row[1] ?? "", type: row[2] ?? "", checksum: row[3].flatMap { Int($0) },
        succeeded: row[4] == "t")
    }
    let failed = rows.filter { !$0.succeeded }
    if !failed.isEmpty { throw BaselineError.unfinished(failed.map(\.label), tool: .flyway) }

    var history = ForeignHistory(table: table)
    var versioned: [FlywayRow] = []
    var repeatable: [FlywayRow] = []
    for row in rows {
      guard let version = row.version else {
        repeatable.removeAll { $0.description == row.description }
        if row.type == "SQL" { repeatable.append(row) }
        continue
      }
      versioned.removeAll { $0.version == version }
      if row.type.hasSuffix("BASELINE") {
        history.upTo = version
      } else if !row.type.hasPrefix("UNDO") && row.type != "DELETE" {
        // Those two say that a version is not applied any more.
        versioned.append(row)
      }
    }
    history.entries = versioned.map { row in
      var entry = entry(version: row.version ?? "", label: row.label, in: folder)
      entry.isUnchanged = { try FlywayChecksum.of($0, in: folder).map { $0 == row.checksum } ?? true }
      return entry
    }
    history.repeatables = repeatable.map { row in
      let name = row.description.replacing("_", with: " ")
      return Entry(label: row.label, isAbout: { $0.name.replacing("_", with: " ") == name }) {
        try FlywayChecksum.of($0, in: folder) == row.checksum
      }
    }
    history.stands(for: folder)
    return history
  }

  /// A `B` file stands for all up to its version, unless the database has not come so far.
  private mutating func stands(for folder: MigrationFolder) {
    guard let version = folder.standsForAllUpTo, let file = folder.migration(version) else { return }
    let later = folder.migrations.filter { !folder.order.precedes($0.version, version) }
    guard entries.contains(where: { entry in later.contains(where: entry.isAbout) }) else { return }
    entries.removeAll { $0.isAbout(file) }
    upTo = upTo.map { folder.order.precedes($0, version) ? version : $0 } ?? version
  }
}
