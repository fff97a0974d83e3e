import PostgreSQL

extension ForeignHistoryReader {
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
  func flyway() throws -> ForeignHistory {
    let rows = try flywayRows()
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
    history.entries = versioned.map(versionedEntry)
    // What Flyway gives values itself is in the texts that it has compared.
    try folder.values.addDefaults(of: connection)
    history.repeatables = repeatableEntries(rows)
    return history
  }

  private func flywayRows() throws -> [FlywayRow] {
    try connection.query(
      "SELECT version, description, type, checksum, success FROM \(table) ORDER BY installed_rank"
    ).rows.map { row in
      FlywayRow(
        version: row[0], description: row[1] ?? "", type: row[2] ?? "", checksum: row[3].flatMap { Int($0) },
        succeeded: row[4] == "t")
    }
  }

  private func versionedEntry(_ row: FlywayRow) -> ForeignHistory.Entry {
    var entry = ForeignHistory.entry(version: row.version ?? "", label: row.label, in: folder)
    entry.isUnchanged = { file in
      // A converted file has another text and may still be the same migration.
      guard let applied = row.checksum, let now = try FlywayChecksum.of(file, in: folder) else { return true }
      return applied == now
    }
    return entry
  }

  /// The last row of each; one whose file is not known to be the same runs again.
  private func repeatableEntries(_ rows: [FlywayRow]) -> [ForeignHistory.Entry] {
    let description = { (text: String) in text.replacing("_", with: " ") }
    let newest = Dictionary(rows.filter { $0.version == nil }.map { (description($0.description), $0) }) {
      $1
    }
    return newest.filter { $0.value.type == "SQL" }.map { name, row in
      ForeignHistory.Entry(label: row.label, isAbout: { description($0.name) == name }) { file in
        try FlywayChecksum.of(file, in: folder) == row.checksum
          || FlywayChecksum.ofFilled(file, in: folder) == row.checksum
      }
    }
  }
}

/// Flyway's checksum of a file: the CRC-32 of its lines without their ends, as a signed number of 32 bits.
enum FlywayChecksum {
  /// That of a migration's file; nil where the file is not Flyway's.
  static func of(_ migration: Migration, in folder: MigrationFolder) throws -> Int? {
    guard folder.format == .flyway else { return nil }
    return of(try MigrationFile(migration.file).text())
  }

  /// That of a repeatable file with its placeholders replaced, which is what Flyway takes it of; nil where a value
  /// is not known.
  static func ofFilled(_ migration: Migration, in folder: MigrationFolder) throws -> Int? {
    guard folder.format == .flyway, migration.kind == .repeatable else { return nil }
    let file = MigrationFile(migration.file)
    var section = migration.up
    section.sql = try file.text().replacing(PlaceholderValues.ownFileName, with: file.name)
    return (try? section.filled()).map { of($0.text) }
  }

  /// That of a text, its lines ended by LF.
  static func of(_ text: String) -> Int {
    var remainder = UInt32.max
    for byte in text.utf8 where byte != 0x0a {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return Int(Int32(bitPattern: ~remainder))
  }
}
