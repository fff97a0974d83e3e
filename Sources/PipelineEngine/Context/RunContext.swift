import Definitions
import PipelineCore
import PostgreSQL
import Progress
import Store

/// What all runs of an engine share.
struct EngineSetting {
  let pipeline: Pipeline
  let connections: PipelineConnections
  let workers: StagingWorkers
  let progress: WorkProgress
  let programVersion: String
  let targets: [String: TargetTable]
  /// Where connections for child tables go.
  let target: ConnectionTarget
  /// How long to wait for others, in seconds.
  let lockWait: Double
}

/// One run that has begun: what it loads, where its rows go, and the connection that it works on.
final class RunContext {
  let setting: EngineSetting
  let found: Discovered
  let destination: Destination
  /// The number of the run.
  let run: Int
  /// The staged tables, by target.
  let tables: [String: StagedTable]
  /// The tables that the run's rows are added to, where it does not bring the release itself.
  let base: [ReleaseTable]?
  /// Whether its files say that they are samples, or it adds to a release of such.
  let isSynthetic: Bool
  /// How far it has come.
  let progress: TaskProgress
  /// The renewals of the main connection after which the run was found to be still its own.
  private var knownRenewals: Int
  /// The other servers that were found to have all that the run had committed.
  private var knownFailovers: Int
  /// What such a server is asked for.
  var committed = Committed.loads

  /// What the main connection has committed that the run does not look for itself.
  enum Committed {
    /// Nothing: tables that are loaded and are not there are loaded again.
    case loads
    /// Changes of staged rows, of which nothing tells whether they are all there.
    case changes
    /// All before publishing, whose beginning was recorded after it: a standby that has this lacks nothing that
    /// was committed before.
    case all
  }

  init(
    _ setting: EngineSetting, _ found: Discovered, _ destination: Destination, run: Int,
    tables: [String: StagedTable], base: [ReleaseTable]?, isSynthetic: Bool
  ) {
    (self.setting, self.found, self.destination) = (setting, found, destination)
    (self.run, self.tables, self.base, self.isSynthetic) = (run, tables, base, isSynthetic)
    knownRenewals = setting.connections.renewals
    knownFailovers = setting.connections.failovers
    progress = setting.progress.begin(
      [setting.pipeline.name, destination.release?.name].compactMap(\.self).joined(separator: " "), run: run)
  }

  var pipeline: Pipeline { setting.pipeline }
  var plan: LoadPlan { found.plan }
  var retry: Retry { setting.connections.retry }

  /// The main connection.
  /// - Throws: ``RunError/takenOver(run:)`` where it was lost, and another run took this one for dead
  ///   meanwhile; ``RunError/failedOver(run:)`` where another server answers now, which may lack what the run
  ///   has committed.
  var connection: Connection {
    get throws {
      let connection = try setting.connections.main
      if setting.connections.renewals != knownRenewals {
        switch try state(on: connection) {
        case .running: break
        case nil: throw RunError.failedOver(run: run)
        default: throw RunError.takenOver(run: run)
        }
      }
      if setting.connections.failovers != knownFailovers {
        guard try hasCommitted(on: connection) else { throw RunError.failedOver(run: run) }
        knownFailovers = setting.connections.failovers
      }
      progress.ask([connection.process])
      return connection
    }
  }

  private func hasCommitted(on connection: Connection) throws -> Bool {
    switch committed {
    case .loads: true
    case .changes: false
    case .all: try Ledger(connection: connection).has(Self.publishing, of: run)
    }
  }

  /// A stage was recorded. Of one that was recorded on another server than what came before it that proves
  /// nothing.
  func isRecorded(_ stage: String) {
    guard stage == Self.publishing, setting.connections.failovers == knownFailovers else { return }
    committed = .all
  }

  /// The stage that is one transaction.
  private static let publishing = "publish"

  /// Whether a COMMIT whose answer was lost has ended the run well; nil where no connection was lost, or it
  /// has not.
  func stateFoundDone() throws -> RunState? {
    let connection = try setting.connections.main
    guard setting.connections.renewals != knownRenewals else { return nil }
    return try state(on: connection).flatMap { $0.isDone ? $0 : nil }
  }

  private func state(on connection: Connection) throws -> RunState? {
    let state = try Ledger(connection: connection).state(of: run)
    if state == .running { knownRenewals = setting.connections.renewals }
    return state
  }

  /// Whether rows were changed since they were loaded, or copied beside them, so that only the server can
  /// count them.
  var isAmended: Bool { base != nil || plan.bySource.contains { $0.source.amendment != nil } }

  // MARK: Missing tables

  /// The error to report: a table that somebody has dropped is behind many another.
  func explained(_ error: any Error) -> any Error {
    if let missing = setting.connections.missingRights(behind: error, of: pipeline) { return missing }
    if Self.mayMeanMissingRun(error), let connection = try? setting.connections.main,
      (try? Ledger(connection: connection).isMissing(run)) == true
    {
      return RunError.failedOver(run: run)
    }
    guard Self.mayMeanMissingTable(error), let connection = try? setting.connections.main else {
      return error
    }
    if let target = try? missing(tables.keys.sorted(), on: connection).first {
      return RunError.missingTarget(target)
    }
    if let staged = try? missingTables(on: connection), !staged.isEmpty {
      return RunError.stagedTablesLost(staged)
    }
    return error
  }

  /// The staged tables that are not there.
  func missingTables(on connection: Connection) throws -> [String] {
    try missing(tables.values.map(\.name).sorted(), on: connection)
  }

  private func missing(_ names: [String], on connection: Connection) throws -> [String] {
    try connection.query(
      "SELECT n FROM unnest($1::text[], $2::text[]) t(n, quoted) WHERE to_regclass(quoted) IS NULL",
      [.textArray(names), .textArray(names.map(Quote.qualified))]
    ).rows.map { try $0.value(0) }
  }

  /// The ledger refuses what belongs to a run that it does not know.
  private static func mayMeanMissingRun(_ error: any Error) -> Bool {
    (error as? PostgreSQLError)?.sqlState == "23503"
  }

  /// Errors of statements that name a table which is not there.
  private static func mayMeanMissingTable(_ error: any Error) -> Bool {
    switch error {
    case let error as PostgreSQLError: error.sqlState == "42P01"
    case RunError.checkFailed, ReleaseOperationError.tableLost: true
    default: false
    }
  }
}
