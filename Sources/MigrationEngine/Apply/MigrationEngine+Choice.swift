/// A migration to be taken back, with the SQL for it.
struct StepBack {
  let row: AppliedMigration
  let section: Migration.Section
}

extension MigrationEngine {
  /// The versioned migrations that `up` is to apply.
  func pending(_ status: MigrationStatus, _ goal: MigrationGoal) throws -> [Migration] {
    switch goal {
    case .natural: return status.pending
    case .steps(let count): return Array(status.pending.prefix(count))
    case .version(let version):
      guard folder.migration(version) != nil else {
        throw MigrationError.unknownVersion(version, known: folder.migrations.map(\.version))
      }
      return status.pending.filter { !folder.order.precedes(version, $0.version) }
    }
  }

  /// The migrations to take back and the SQL for each: all of them are known to have one before the first
  /// is touched.
  func wayBack(_ status: MigrationStatus, _ goal: MigrationGoal) throws -> [StepBack] {
    let newestFirst = Array(status.done.reversed())
    let chosen: [AppliedMigration]
    switch goal {
    case .natural: chosen = Array(newestFirst.prefix(1))
    case .steps(let count): chosen = Array(newestFirst.prefix(count))
    case .version(let version):
      let isZero = !version.isEmpty && version.allSatisfy { $0 == "0" }
      guard isZero || status.done.contains(where: { folder.order.isSame($0.version, version) }) else {
        throw MigrationError.unknownVersion(version, known: status.done.map(\.version))
      }
      chosen = isZero ? newestFirst : newestFirst.filter { folder.order.precedes(version, $0.version) }
    }
    return try chosen.map(stepBack)
  }

  private func stepBack(_ row: AppliedMigration) throws -> StepBack {
    let file = folder.migration(row.version)
    let applied = try row.migration()
    for down in [file?.down, applied?.down] {
      if case .irreversible(let reason)? = down {
        throw MigrationError.irreversible(version: row.version, name: row.name, reason: reason)
      }
    }
    // What was applied is what has to be taken back, even if the file was edited or is gone.
    guard let sql = row.downSQL else {
      throw MigrationError.irreversible(
        version: row.version, name: row.name, reason: "it was applied without a section 'down'")
    }
    if case .sql(let section)? = file?.down, section.sql == sql {
      return StepBack(row: row, section: section)
    }
    if case .sql(let section)? = applied?.down { return StepBack(row: row, section: section) }
    return StepBack(row: row, section: Migration.Section(sql: sql, file: row.fileAsApplied))
  }
}

extension AppliedMigration {
  /// The text that was applied, named for people: errors in it have no place in any file.
  var fileAsApplied: String { "\(version)_\(name).sql (as applied)" }

  /// All of it as it was applied; nil where an older program has not kept it.
  func migration() throws(MigrationError) -> Migration? {
    guard let definition else { return nil }
    return try MigrationParser(text: definition, file: fileAsApplied).migration(version: version, name: name)
  }
}
