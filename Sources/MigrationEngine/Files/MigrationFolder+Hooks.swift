extension MigrationFolder.Event {
  /// The event that a file of our own is for: `H_before_each.sql`, `H_after_all_grants.sql`.
  init?(hook file: String) {
    guard file.hasPrefix("H_"), file.hasSuffix(".sql") else { return nil }
    let name = file.dropFirst("H_".count).dropLast(".sql".count)
    let found = MigrationFolder.Event.hooks.first { name == $0.name || name.hasPrefix($0.name + "_") }
    guard let found, MigrationFolder.isName(name) else { return nil }
    self = found.event
  }

  private static let hooks: [(name: String, event: MigrationFolder.Event)] = [
    ("before_all", .beforeMigrate), ("before_each", .beforeEachMigrate), ("after_each", .afterEachMigrate),
    ("after_all", .afterMigrate),
  ]
}
