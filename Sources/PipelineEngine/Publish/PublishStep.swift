import Definitions
import Host
import PipelineCore
import PostgreSQL
import Store

/// What is done with the checked tables of a release: compared with what is published, counted, published or
/// kept.
struct PublishStep {
  let context: RunContext
  /// What writes the end of the run to the ledger, in the transaction that publishes.
  let recordEnd: (Ledger, RunState, _ revision: Int) throws -> Void

  /// So many seconds counting may take in any case.
  private static let leastTimeout = 30.0
  private static let onlyReading = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

  /// Compares the staged tables with what readers of the release see now; nil where nothing is published.
  func compare() throws -> StagedDiff? {
    guard let release = context.destination.release else { return nil }
    return try context.retry.attempt {
      let connection = try context.connection
      return try connection.transaction(settings: Self.onlyReading) {
        try StagedDiff(context.tables, of: release, pipeline: context.pipeline, on: connection)
      }
    }
  }

  /// Counts what the release changes against the one before it.
  ///
  /// Nothing depends on it: where it cannot be counted, or not in the time that the load has taken, a warning
  /// says so.
  ///
  /// `began`: when the run began, in seconds of the machine's clock.
  /// - Throws: `Interrupted` where the program is asked to end, and ``RunError`` where the run has lost its place.
  func countChange(since began: Double) throws -> (change: ReleaseChange?, warning: String?) {
    guard let release = context.destination.release,
      let table = context.pipeline.sources.first.flatMap({ context.tables[$0.target] })
    else { return (nil, nil) }
    let timeout = max(Self.leastTimeout, Machine.seconds - began)
    do {
      let connection = try context.connection
      let change = try connection.transaction(settings: Self.onlyReading) {
        // Nobody has looked at the staged table yet, so that the planner takes it for small and would look up
        // each row.
        try connection.execute(
          """
          SET LOCAL statement_timeout = \(Int(timeout * 1000)); SET LOCAL enable_nestloop = off;
          SET LOCAL work_mem = '64MB'; SET LOCAL jit = off
          """)
        return try ReleaseChange(of: table, as: release, pipeline: context.pipeline, on: connection)
      }
      return (change, nil)
    } catch let error as RunError {
      throw error
    } catch {
      try Interruption.shared.check()
      return (nil, "what is new, gone and changed was not counted: \(Ledger.shownReason(error))")
    }
  }

  /// Registers the release and publishes it, in one transaction with the end of the run; gives the revision.
  /// - Throws: ``ReleaseOperationError/blocked(pipeline:release:sessions:)`` where readers hold the published
  ///   tables.
  func publish() throws -> (RunState, revision: Int) {
    try concluding { revision, connection in
      try publisher(connection).publish(
        revision.revision, first: { try register(revision, on: connection) },
        also: {
          try recordEnd(Ledger(connection: connection), .published, revision.revision.revision)
          try Interruption.shared.check()
        })
      return .published
    }
  }

  /// Registers the release as staged, in one transaction with the end of the run; gives the revision.
  func keep() throws -> (RunState, revision: Int) {
    try concluding { revision, connection in
      try connection.transaction {
        try register(revision, on: connection)
        try ReleaseStore(connection: connection).markStaged(
          revision.revision, pipeline: context.pipeline.name)
        try recordEnd(Ledger(connection: connection), .staged, revision.revision.revision)
      }
      return .staged
    }
  }

  /// Makes sure that the code lists are there: their table may have been emptied, or made again by a
  /// migration.
  func updateCodeLists() throws {
    try CodeListTable(context.pipeline)?.update(on: context.connection)
  }

  private func publisher(_ connection: Connection) -> Publisher {
    Publisher(connection: connection, pipeline: context.pipeline.name, lockWait: context.setting.lockWait)
  }

  /// Does something that ends the run, again where the connection was lost before it was done.
  private func concluding(
    _ body: (Registration, Connection) throws -> RunState
  ) throws -> (RunState, revision: Int) {
    let tables = try context.tables.sorted { $0.key < $1.key }.map { target, table in
      (ReleaseTable(target: target, partition: table.name), try rows(of: target, in: table))
    }
    return try context.retry.attempt {
      if try context.stateFoundDone() != nil,
        let done = try Ledger(connection: context.setting.connections.main).ended(run: context.run),
        let revision = done.revision
      {
        return (done.state, revision)
      }
      let connection = try context.connection
      let registration = try registration(of: tables, on: connection)
      return (try body(registration, connection), registration.revision.revision)
    }
  }

  private func registration(
    of tables: [(ReleaseTable, Int)], on connection: Connection
  ) throws -> Registration {
    guard case .release(let release) = context.destination else {
      throw RunError.mergesAtOnce(pipeline: context.pipeline.name)
    }
    let next = try ReleaseStore(connection: connection).nextRevision(
      of: release.name, pipeline: context.pipeline.name)
    return Registration(
      revision: ReleaseRevision(release: release.name, revision: next), pipeline: context.pipeline.name,
      dates: release.dates,
      holdsTo: try BundleContent.held(in: context.plan.bundle, pipeline: context.pipeline),
      missing: context.pipeline.lackedTargets(by: Array(context.tables.keys)),
      missingParts: context.base == nil ? context.plan.bundle.lackingParts : nil,
      isSynthetic: context.isSynthetic, run: context.run,
      tables: tables, copied: context.base?.map(\.partition) ?? [])
  }

  private func register(_ registration: Registration, on connection: Connection) throws {
    try registration.insert(on: connection)
    try CodeListTable(context.pipeline)?.update(on: connection)
  }

  /// How many rows a staged table has; where something was amended the server must count them.
  private func rows(of target: String, in table: StagedTable) throws -> Int {
    guard context.isAmended else { return loadedRows[target] ?? 0 }
    return try context.retry.attempt {
      try context.connection.query("SELECT count(*) FROM \(Quote.qualified(table.name))")[0].value(0)
    }
  }

  /// The rows that were loaded, by target.
  let loadedRows: [String: Int]
}
