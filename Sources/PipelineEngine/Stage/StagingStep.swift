import Definitions
import PipelineCore
import PostgreSQL
import Progress
import Store

/// The loads of a run: begun, they go on by themselves; collected, their rows are in the staged tables.
final class StagingStep {
  private let context: RunContext
  /// The loads of the sources, in the order in which they are begun.
  private let loaders: [SourceLoader]
  private let loads: StagingWorkers.Pending<LoadOutcome>
  /// The copies of tables that are only amended, or added to.
  private let copies: StagingWorkers.Pending<Void>?
  private let cancellation: CancellationFlag

  /// Begins to load.
  ///
  /// `sourceFileIDs`: the numbers of the entries, in their order.
  init(_ context: RunContext, _ sourceFileIDs: [Int], rejectLimit: RejectLimit) throws {
    self.context = context
    let cancellation = CancellationFlag()
    self.cancellation = cancellation
    let base = Dictionary(
      (context.base ?? []).map { ($0.target, $0.partition) }, uniquingKeysWith: { first, _ in first })
    var left = sourceFileIDs[...]
    let loaders = try context.plan.bySource.compactMap { source, entries -> SourceLoader? in
      let ids = left.prefix(entries.count)
      left = left.dropFirst(entries.count)
      guard let table = context.tables[source.target] else { return nil }
      return SourceLoader(
        source: source, entries: Array(zip(entries, ids)), table: table,
        children: entries[0].head.layout.children.compactMap { context.tables[$0.target] },
        lists: context.pipeline.lists,
        progress: context.progress.part(source.name, of: SourceLoader.size(of: entries)),
        target: context.setting.target, rejectLimit: rejectLimit,
        showsValues: context.plan.showsValues(of: source, in: context.pipeline), base: base,
        recordsOfBase: try context.found.corrected?.records(of: entries[0], on: context.connection),
        recordsNumbered: try Self.recordsNumbered(of: source, context), cancellation: cancellation)
    }
    // The largest first, so that no thread is left with it at the end.
    self.loaders = loaders.sorted { $0.size > $1.size }
    let loaded = Set(context.plan.targets)
    let copied = context.base?.filter { !loaded.contains($0.target) }.compactMap { table in
      context.tables[table.target].map { TableCopy(from: table, to: $0) }
    }
    copies = copied.map { copied in
      context.setting.workers.start(copied.map { copy in { connection in try copy.run(on: connection) } })
    }
    try Self.makeEmptyTables(context)
    loads = context.setting.workers.start(
      self.loaders.map { loader in { connection in try loader.load(on: connection) } },
      onFailure: { cancellation.set() })
    context.progress.enter("stage")
    // The main connection is at work on the run before it.
    context.progress.ask([])
  }

  /// How many records of a source the release has numbered that changes are merged into.
  private static func recordsNumbered(of source: Source, _ context: RunContext) throws -> Int {
    guard case .changes(_, let base) = context.destination else { return 0 }
    return try Ledger(connection: context.connection).recordsRead(
      of: source.name, into: base, pipeline: context.pipeline.name)
  }

  /// By the connection whose commits are waited for: nothing would load them again.
  private static func makeEmptyTables(_ context: RunContext) throws {
    for source in context.plan.emptySources(of: context.pipeline) {
      for target in [source.target] + context.pipeline.childTargets(of: source) {
        let (connection, key) = (try context.connection, context.pipeline.key(of: target, in: source))
        try connection.transaction {
          try context.tables[target]?.create(on: connection)
          _ = try context.tables[target]?.index(key: key, on: connection)
        }
      }
    }
  }

  /// Waits for the loads.
  func collect() throws -> [LoadOutcome] {
    let results = loads.wait()
    try Self.requireNoFailure(results)
    try copies?.wait().forEach { try $0.get() }
    let outcomes = try loadedAgain(try results.map { try $0.get() })
      .sorted { ($0.reports.first?.sourceFileID ?? 0) < ($1.reports.first?.sourceFileID ?? 0) }
    for source in outcomes.flatMap(\.reports) where source.entry == nil {
      guard try context.found.files.isUnchanged(source.file, sha256: source.sha256) else {
        throw RunError.sourceChanged(source.file)
      }
    }
    return outcomes
  }

  /// Why the loads failed, and what became of the records of the others.
  struct Failure: Error {
    let cause: any Error
    let reports: [SourceReport]
  }

  /// Throws what the first failure was; the others were cancelled for it.
  private static func requireNoFailure(_ results: [Result<LoadOutcome, any Error>]) throws {
    let failures = results.compactMap { result -> (any Error)? in
      guard case .failure(let error) = result else { return nil }
      return error
    }
    let cause = failures.first { error in
      if case RunError.cancelled = error { false } else { true }
    }
    guard let cause = cause ?? failures.first else { return }
    throw Failure(cause: cause, reports: results.compactMap { try? $0.get() }.flatMap(\.reports))
  }

  /// Cancels the loads and waits for their end.
  func cancel() {
    cancellation.set()
    _ = loads.wait()
    _ = copies?.wait()
  }

  /// Loads again what a crash of the server has rolled back: commits of loads are not waited for to reach the
  /// disk.
  private func loadedAgain(_ outcomes: [LoadOutcome]) throws -> [LoadOutcome] {
    let connection = try context.connection
    guard context.retry.count > 0 || context.setting.connections.renewals > 0 else { return outcomes }
    let lost = Set(try context.missingTables(on: connection))
    guard !lost.isEmpty else { return outcomes }
    var outcomes = outcomes
    let places = loaders.indices.filter { place in
      ([loaders[place].table] + loaders[place].children).contains { lost.contains($0.name) }
    }
    let again = context.setting.workers.start(
      places.map { loaders[$0] }.map { loader in { connection in try loader.load(on: connection) } })
    for (place, result) in zip(places, again.wait()) { outcomes[place] = try result.get() }
    return outcomes
  }
}
