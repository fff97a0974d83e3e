/// A migration to be reverted, with the SQL for it.
struct StepBack {
  let row: AppliedMigration
  let section: Migration.Section

  func work() throws(MigrationError) -> SectionWork {
    try SectionWork(.versioned, version: row.version, name: row.name, .down, section)
  }
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
      let last = folder.order.key(version)
      return status.pending.filter { folder.order.key($0.version) <= last }
    }
  }

  /// The migrations to revert and the SQL for each: all of them are known to have one before the first
  /// is touched.
  func wayBack(_ status: MigrationStatus, _ goal: MigrationGoal) throws -> [StepBack] {
    if let begun = status.applied.first(where: \.isBegun) { throw MigrationError.underWay(begun.label, .up) }
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
      let last = folder.order.key(version)
      chosen = isZero ? newestFirst : newestFirst.filter { last < folder.order.key($0.version) }
    }
    // Looked up only where it is needed: the texts of a long history are many.
    let texts = chosen.isEmpty ? [:] : try MigrationHistory(connection: connection).texts()
    return try chosen.map { try stepBack($0, texts[$0.position]) }
  }

  private func stepBack(_ row: AppliedMigration, _ text: AppliedText?) throws -> StepBack {
    let file = folder.migration(row.version)?.down
    let applied = try text?.migration(row).down
    for down in [file, applied] {
      if case .irreversible(let reason)? = down {
        throw MigrationError.irreversible(version: row.version, name: row.name, reason: reason)
      }
    }
    // What was applied is what has to be reverted, even if the file was edited or is gone.
    guard case .sql(let section)? = applied else {
      throw MigrationError.irreversible(
        version: row.version, name: row.name, reason: "it was applied without a section 'down'")
    }
    // Errors name the file's own lines where it has the same text.
    if case .sql(let own)? = file, own.sql == text?.down { return StepBack(row: row, section: own) }
    return StepBack(row: row, section: section)
  }
}
