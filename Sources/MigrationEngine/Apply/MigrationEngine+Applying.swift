/// Runs what was chosen.
extension MigrationEngine {
  /// Runs migrations, whatever the database has, with what runs around them; what comes after all of them only
  /// where they are the last.
  func apply(_ migrations: [Migration], areLast: Bool = true, _ report: @escaping Report) throws {
    let works = try MigrationEngine.works(of: migrations)
    try batch(works, report) { report in
      try run(.beforeMigrate)
      try run(works, report)
      guard areLast else { return }
      if !works.isEmpty { try run(.afterMigrateApplied) }
      try run(.afterMigrate)
    }
  }

  /// What some migrations run on their way up.
  ///
  /// - Throws: `MigrationError.malformed`; where several cannot be taken as they are, all of them as `.several`.
  static func works(of migrations: [Migration]) throws(MigrationError) -> [SectionWork] {
    var works: [SectionWork] = []
    var faults: [MigrationError] = []
    for migration in migrations {
      do throws(MigrationError) {
        works.append(try SectionWork(migration, migration.up))
      } catch {
        faults.append(error)
      }
    }
    try MigrationError.requireNone(of: faults)
    return works
  }

  /// Applies a migration that is known to be the next, of a folder that is prepared, whatever the history says of
  /// all others, and that more are to come; to be called in ``locked(isDry:_:)``.
  func applyNext(_ migration: Migration) throws {
    try namingRights { try apply([migration], areLast: false) { _, _ in } }
  }

  /// Reverts a migration that is known to be the last; to be called in ``locked(isDry:_:)``.
  func revertLast(_ version: String) throws {
    try namingRights {
      let works = try wayBack(try history.applied(version))
      try batch(works, { _, _ in }) { report in try run(works, report) }
    }
  }
}
