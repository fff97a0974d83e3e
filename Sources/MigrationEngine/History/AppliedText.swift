/// What was applied, as the history keeps it.
struct AppliedText: Sendable {
  let up: String
  /// The section `down`; nil where there was none.
  let down: String?
  /// All of it as a file in our own format; of a first half with the second as it was then, of a second half it
  /// alone.
  let definition: String

  /// The migration, read from ``definition``; its file is named for people, since errors in it have no place in
  /// any.
  ///
  /// - Throws: `MigrationError.malformed` where somebody has edited the history.
  func migration(_ row: AppliedMigration) throws(MigrationError) -> Migration {
    try MigrationParser(text: definition, file: "\(row.version)_\(row.name).sql (as applied)")
      .applied(row.kind, version: row.version, name: row.name)
  }

  /// ``definition`` without the half that another row is of.
  func ownText(_ row: AppliedMigration) throws(MigrationError) -> String {
    let own = try migration(row)
    return own.rest.isEmpty ? definition : own.text
  }
}
