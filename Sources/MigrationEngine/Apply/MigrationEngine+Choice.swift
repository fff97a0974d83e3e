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
    if case .irreversible(let reason)? = file?.down {
      throw MigrationError.irreversible(version: row.version, name: row.name, reason: reason)
    }
    // What was applied is what has to be taken back, even if the file was edited or is gone.
    guard let sql = row.downSQL else {
      let reason =
        row.isBaseline && row.upSQL.isEmpty
        ? "it was there before this program came" : "it was applied without a section 'down'"
      throw MigrationError.irreversible(version: row.version, name: row.name, reason: reason)
    }
    if case .sql(let section)? = file?.down, section.sql == sql {
      return StepBack(row: row, section: section)
    }
    let path = file?.file ?? "\(row.version)_\(row.name).sql"
    return StepBack(
      row: row, section: Migration.Section(sql: sql, file: path + " (as applied)", options: row.downOptions))
  }
}
