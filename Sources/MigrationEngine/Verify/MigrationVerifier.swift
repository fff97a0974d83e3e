import PostgreSQL

/// Proves that migrations can be reverted: each is applied, reverted and applied again in a shadow database,
/// and the schema is compared after each step.
///
/// ```swift
/// let verifier = MigrationVerifier(folder: try MigrationFolder("Migrations"), place: .embedded)
/// let passed = try verifier.run { migration in print(migration.label, migration.result) }
/// ```
public struct MigrationVerifier {
  let folder: MigrationFolder
  let place: ShadowPlace
  /// Takes a sentence on what makes the user wait.
  public var tell: (String) -> Void = { _ in }

  /// A verifier of one folder.
  public init(folder: MigrationFolder, place: ShadowPlace) {
    self.folder = folder
    self.place = place
  }

  /// Tries every migration up to a version, or all and the repeatable ones after them; true when nothing is
  /// wrong.
  ///
  /// `report` takes each as it is done. What is wrong with one keeps the others from being tried only where
  /// it cannot be applied at all.
  public func run(to version: String? = nil, _ report: (VerifiedMigration) throws -> Void) throws -> Bool {
    let migrations = try chosen(version)
    try refuseWhatReachesBeyond(migrations + (version == nil ? folder.repeatables : []))
    let settings = try ShadowSettings.of(place)
    return try ShadowServer.withServer(place, tell: tell) { server in
      var work = migrations[...]
      var isPassed = true
      var isDone = false
      // Each round ends where a migration has left the database in no state to go on from.
      while !isDone {
        try server.withDatabase(settings: settings) { connection in
          var round = VerifyRound(connection: connection, folder: folder)
          try round.begin(after: migrations[..<work.startIndex].last)
          isPassed = try verify(&work, &round, report) && isPassed
          isDone = round.isStuck || (work.isEmpty && (round.isSound || version != nil))
          if isDone && !round.isStuck && version == nil {
            isPassed = try verifyRepeatables(round, report) && isPassed
          }
        }
      }
      return isPassed
    }
  }

  /// Tries one migration after the other as long as the database is sound.
  private func verify(
    _ work: inout ArraySlice<Migration>, _ round: inout VerifyRound,
    _ report: (VerifiedMigration) throws -> Void
  ) throws -> Bool {
    var isPassed = true
    while round.isSound, let migration = work.popFirst() {
      var verified = try round.verify(migration)
      if round.isStuck && !work.isEmpty {
        verified.fail("those after it were not tried, since they depend on it")
      }
      isPassed = isPassed && verified.isPassed
      try report(verified)
    }
    return isPassed
  }

  private func verifyRepeatables(_ round: VerifyRound, _ report: (VerifiedMigration) throws -> Void) throws
    -> Bool
  {
    var isPassed = true
    for migration in folder.repeatables {
      let verified = try round.verifyRepeatable(migration)
      isPassed = isPassed && verified.isPassed
      try report(verified)
    }
    return isPassed
  }

  private func chosen(_ version: String?) throws -> [Migration] {
    guard let version else { return folder.migrations }
    guard let last = folder.migration(version) else {
      throw MigrationError.unknownVersion(version, known: folder.migrations.map(\.version))
    }
    return folder.migrations.filter { !folder.order.precedes(last.version, $0.version) }
  }

  private func refuseWhatReachesBeyond(_ migrations: [Migration]) throws {
    guard case .beside = place else { return }
    for migration in migrations { try ClusterWideStatement.refuse(in: migration) }
  }
}
