/// How a database stands to a folder of migrations.
public struct MigrationStatus: Sendable {
  /// In order of version.
  public let applied: [AppliedMigration]
  /// Not applied yet, in order of version.
  public let pending: [Migration]

  init(folder: MigrationFolder, applied: [AppliedMigration]) {
    self.applied = applied.map { row in
      var row = row
      if let file = folder.migration(row.version) {
        row.state = file.checksum == row.checksum ? .applied : .changed
      } else {
        row.state = .missing
      }
      return row
    }
    pending = folder.migrations.filter { file in
      !applied.contains {
        Migration.isSame($0.version, file.version)
      }
    }
  }

  /// Pending migrations whose version is lower than one applied already.
  public var late: [Migration] {
    guard let newest = applied.last else { return [] }
    return pending.filter { Migration.precedes($0.version, newest.version) }
  }

  /// Throws what keeps `up` from going on: an edited, missing or late file.
  func requireAgreement() throws(MigrationError) {
    let changed = applied.filter { $0.state == .changed }
    if !changed.isEmpty { throw .changed(changed.map { "\($0.version) \($0.name)" }) }
    let missing = applied.filter { $0.state == .missing }
    if !missing.isEmpty { throw .missing(missing.map { "\($0.version) \($0.name)" }) }
    if !late.isEmpty { throw .late(late.map { "\($0.version) \($0.name)" }) }
  }
}
