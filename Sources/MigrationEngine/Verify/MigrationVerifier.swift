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
  /// What is tried alone, too, after everything was tried together.
  public var datasets: [VerifiedDataset] = []
  /// Folders that are applied before it.
  public var earlier: [MigrationFolder] = []
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
  ///
  /// The datasets come last, and not where a version is given.
  ///
  /// - Throws: `MigrationError.unknownVersion` and `.malformed`, `ShadowError`, `EmbeddedClusterError`,
  ///   `PostgreSQLError`, `Interrupted`, and what `report` throws.
  public func run(
    to version: String? = nil, reportDataset: (VerifiedDataset) throws -> Void = { _ in },
    _ report: (VerifiedMigration) throws -> Void
  ) throws -> Bool {
    try folder.requireRunnable()
    let migrations = try version.map(folder.migrations(upTo:)) ?? folder.migrations
    let before = earlier.flatMap { $0.migrations + $0.repeatables }
    let all = before + migrations + (version == nil ? folder.repeatables : [])
    try place.requireConfined(all.flatMap { [$0.up] + [$0.down.section].compactMap(\.self) })
    var settings: [String: String] = [:]
    if case .beside(let connection) = place { settings = try ShadowServer.settings(of: connection) }
    return try ShadowServer.withServer(place, tell: tell) { server in
      var work = migrations[...]
      var isPassed = true
      func take(_ verified: VerifiedMigration) throws {
        isPassed = isPassed && verified.isPassed
        try report(verified)
      }
      try server.makeUsualRole()
      var isDone = false
      // Each round ends where a migration has left the database in no state to go on from.
      while !isDone {
        try server.withDatabase(settings: settings) { connection in
          try prepare(connection)
          var round = try VerifyRound(connection: connection, folder: folder, server: server)
          try round.begin(after: migrations[..<work.startIndex].last)
          let start = work.startIndex
          while round.isSound, let migration = work.popFirst() {
            var verified = try round.verify(migration)
            if round.isStuck, work.startIndex > start + 1 {
              // The ways back of those before it may be to blame, which leave sequences as they are: tried again
              // where nothing was reverted.
              work = migrations[(work.startIndex - 1)...]
              return
            }
            if round.isStuck && !work.isEmpty {
              verified.fail("those after it were not tried, since they depend on it")
            }
            try take(verified)
          }
          isDone = round.isStuck || (work.isEmpty && (round.isSound || version != nil))
          if isDone && !round.isStuck && version == nil {
            for migration in folder.repeatables { try take(try round.verifyRepeatable(migration)) }
          }
        }
      }
      for dataset in version == nil && isPassed ? datasets : [] {
        let verified = try server.withDatabase(settings: settings) { connection in
          try prepare(connection)
          return try dataset.tried(folder, in: server, on: connection)
        }
        isPassed = isPassed && verified.isPassed
        try reportDataset(verified)
      }
      return isPassed
    }
  }

  /// Brings an empty database to where the folder's own migrations begin.
  private func prepare(_ connection: Connection) throws {
    for one in earlier {
      try one.makeSchema(on: connection)
      try MigrationEngine(connection: connection, folder: one).up(.natural) { _, _ in }
    }
    try folder.makeSchema(on: connection)
  }
}

extension MigrationFolder {
  /// Makes the schema that it is run in, if it is not there.
  fileprivate func makeSchema(on connection: Connection) throws {
    guard let schema else { return }
    try connection.execute("CREATE SCHEMA IF NOT EXISTS \(Quote.identifier(schema))")
  }
}
