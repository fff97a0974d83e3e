/// One statement of a migration that runs outside a transaction: begun, or done.
struct JournalEntry: Sendable {
  let kind: Migration.Kind
  let version: String
  let name: String
  let direction: Direction
  /// The statement's place in its section, from 1.
  let statement: Int
  let checksum: String
  let isDone: Bool
  /// How far it has come; nil where it does not run in batches.
  let batch: BatchState?
  /// When, in UTC, as the server writes it.
  let at: String

  func isAbout(_ row: AppliedMigration) -> Bool { kind == row.kind && version == row.version }

  /// A migration of which nothing is known but that some of it was done.
  var asApplied: AppliedMigration {
    AppliedMigration(
      kind: kind, version: version, name: name, checksum: "", appliedInUTC: at, seconds: 0, position: 0,
      isBaseline: false, datasets: nil, state: .partial, batch: isDone ? nil : batch)
  }
}
