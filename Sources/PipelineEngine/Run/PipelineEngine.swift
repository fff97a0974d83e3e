public import Definitions
public import PipelineCore
public import PostgreSQL
public import Progress
import Store

/// Runs a pipeline: discover, stage, check, publish.
///
/// Several sources are loaded one after the other: while one is checked and published, the rows of the next
/// are on their way already, so that neither this machine nor the server waits for the other.
public final class PipelineEngine {
  /// How far the runs at work have come.
  public let progress = WorkProgress(of: "sources")
  let pipeline: Pipeline
  let connections: PipelineConnections
  private let workers: StagingWorkers
  private let target: ConnectionTarget
  private let programVersion: String
  private var targets: [String: TargetTable] = [:]

  /// `connection`: for the rules that change rows, and publishing.
  /// `target`: where the connections that load rows go; the same database.
  /// `retries`: how often each thing is tried again that can be done twice, where it failed for a reason that
  /// may pass: ``PostgreSQLError/isTransient``.
  /// `onRetry`: takes a sentence on each new try, on whatever thread makes it.
  public init(
    pipeline: Pipeline, connection: Connection, target: ConnectionTarget,
    programVersion: String, retries: Int = 3, onRetry: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let retry = Retry(limit: retries, tell: onRetry)
    self.pipeline = pipeline
    self.programVersion = programVersion
    self.target = target
    connections = PipelineConnections(connection, retry: retry)
    workers = StagingWorkers(count: 2, target: target, retry: retry)
  }

  /// Runs the pipeline on sources in their order, telling of each as it is done.
  ///
  /// The first that fails ends it: those before it are published, those after it are not begun. Throws
  /// ``RunFailure`` where a run had begun.
  public func run(_ sources: [Discovered], lockWait: Double, _ report: (RunReport) -> Void) throws {
    try alone(waiting: lockWait) { try runAll(sources, lockWait: lockWait, report) }
  }

  /// Does something while no other run of the pipeline is at work, after what such runs left behind is gone.
  func alone<Value>(waiting lockWait: Double, _ body: () throws -> Value) throws -> Value {
    guard try connections.lock(pipeline.name, waiting: lockWait) else {
      throw RunError.busy(pipeline: pipeline.name)
    }
    defer { connections.unlock() }
    try connections.namingRights(of: pipeline) {
      try connections.retry.attempt {
        try Leftovers.clearUnfinished(pipeline: pipeline.name, on: try connections.main)
      }
    }
    return try body()
  }

  private func runAll(_ sources: [Discovered], lockWait: Double, _ report: (RunReport) -> Void) throws {
    let sources = Discovered.inOrder(sources)
    progress.expect(sources.count)
    let failovers = connections.failovers
    var ended: [Int] = []
    var next = try sources.first.map { try begin($0, lockWait) }
    for index in sources.indices {
      guard let run = next else { break }
      next = nil
      let following = sources.dropFirst(index + 1).first
      var failure: (any Error)?
      // What is the same release again, or is merged, can be judged only when this one is published.
      if let following, let release = following.plan.release,
        release.name != sources[index].plan.release?.name
      {
        do { next = try begin(following, lockWait) } catch { failure = error }
      }
      do {
        let found = try run.finish()
        if found.state.isDone { ended.append(found.run) }
        report(found)
      } catch {
        next?.cancel()
        throw error
      }
      // That the next one cannot begin is no reason to drop this one.
      if let failure { throw failure }
      if next == nil { next = try following.map { try begin($0, lockWait) } }
    }
    if connections.failovers != failovers { try requireEnds(of: ended) }
  }

  /// Proves that another server, which has taken the place of the one before it, has the ends of runs that were
  /// reported.
  private func requireEnds(of runs: [Int]) throws {
    for run in runs {
      let state = try connections.record { try $0.state(of: run) }
      guard let state, state.isDone else { throw RunError.failedOver(run: run) }
    }
  }

  /// Records a run in the ledger and starts to load.
  func begin(_ found: Discovered, _ lockWait: Double) throws -> RunDriver {
    try connections.namingRights(of: pipeline) {
      try connections.retry.attempt { try prepareTargets(found.plan, of: found, on: try connections.main) }
      return try RunDriver(
        found,
        setting: EngineSetting(
          pipeline: pipeline, connections: connections, workers: workers,
          progress: progress, programVersion: programVersion, targets: targets,
          target: target, lockWait: lockWait))
    }
  }

  /// Reads the targets' descriptions, once, and holds the layouts against them.
  private func prepareTargets(
    _ plan: LoadPlan, of found: Discovered, on connection: Connection
  ) throws {
    try CodeListTable(pipeline)?.require(on: connection)
    for source in plan.emptySources(of: pipeline) {
      try prepare(source.target, key: source.key, columns: [], on: connection)
      for child in pipeline.childTargets(of: source) {
        try prepare(child, key: pipeline.key(of: child, in: source), columns: [], on: connection)
      }
    }
    let store = ReleaseStore(connection: connection)
    for table in try RunStart.base(of: found, pipeline: pipeline, store) ?? [] {
      targets[table.target] = try targets[table.target] ?? TargetTable(table.target, on: connection)
    }
    for entry in plan.entries {
      let layout = entry.head.layout
      try prepare(
        entry.source.target, key: entry.source.key,
        columns: layout.columns.filter(\.isStored).map(\.name), on: connection)
      for child in layout.children {
        try prepare(
          child.target, key: child.rowKey(ofRecord: entry.source.key),
          columns: child.rowColumns(ofRecord: entry.source.key), on: connection)
      }
    }
  }

  private func prepare(_ name: String, key: [String], columns: [String], on connection: Connection) throws {
    let isByRelease = pipeline.publishing == .release
    let target = try targets[name] ?? TargetTable(name, isByRelease: isByRelease, on: connection)
    targets[name] = target
    let unique = (isByRelease ? ["release"] : []) + key
    guard
      target.indexes.contains(where: { index in
        Set(index.columns) == Set(unique)
          && (isByRelease
            ? index.isUnique : index.isArbiter && target.nullable.isDisjoint(with: index.columns))
      })
    else {
      throw isByRelease
        ? RunError.keyMismatch(target: name, key: key) : RunError.mergeKeyMismatch(target: name, key: key)
    }
    let unknown = (key + columns).filter { !target.columns.contains($0) }
    guard unknown.isEmpty else { throw RunError.unknownColumns(target: name, columns: unknown) }
  }
}
