/// The text of a migration as it was applied.
struct AppliedText: Sendable {
  /// The section `up`.
  let up: String
  /// The section `down`; nil where there was none.
  let down: String?
  /// All of it as a file in our own format; nil where an older program applied it.
  let definition: String?

  /// As a file in our own format, as far as it is known.
  var file: String {
    definition ?? "-- rivulet:up\n" + up + "\n" + (down.map { "-- rivulet:down\n" + $0 + "\n" } ?? "")
  }

  /// Read again; nil where not all of it is known.
  func migration(_ row: AppliedMigration) throws(MigrationError) -> Migration? {
    guard let definition else { return nil }
    return try MigrationParser(text: definition, file: row.fileAsApplied)
      .migration(version: row.version, name: row.name)
  }
}

extension AppliedMigration {
  /// The text that was applied, named for people: errors in it have no place in any file.
  var fileAsApplied: String { "\(version)_\(name).sql (as applied)" }
}
