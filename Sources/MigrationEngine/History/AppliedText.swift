/// The text of a migration as it was applied.
struct AppliedText: Sendable {
  /// The section `up`.
  let up: String
  /// The section `down`; nil where there was none.
  let down: String?
  /// All of it as a file in our own format.
  let definition: String

  /// The migration, read from ``definition``.
  ///
  /// - Throws: `MigrationError.malformed` where somebody has edited the history.
  func migration(_ row: AppliedMigration) throws(MigrationError) -> Migration {
    try MigrationParser(text: definition, file: row.fileAsApplied)
      .migration(version: row.version, name: row.name)
  }
}

extension AppliedMigration {
  /// The text that was applied, named for people: errors in it have no place in any file.
  var fileAsApplied: String { "\(version)_\(name).sql (as applied)" }
}
