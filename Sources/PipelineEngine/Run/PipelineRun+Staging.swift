import Definitions
import PostgreSQL

/// Rows on their way into the staged tables.
extension PipelineRun {
  /// - Parameter sourceFileIDs: the numbers of the entries, in their order.
  func startLoading(_ sourceFileIDs: [Int]) throws {
    let base = Dictionary(
      (amended?.tables ?? []).map { ($0.target, $0.partition) }, uniquingKeysWith: { first, _ in first })
    var left = sourceFileIDs[...]
    let changed: ReleaseInSight? = if case .changes(_, let base) = destination { base } else { nil }
    let loaders = try found.bySource.compactMap { source, entries -> SourceLoader? in
      let ids = left.prefix(entries.count)
      left = left.dropFirst(entries.count)
      guard let table = tables[source.target] else { return nil }
      return SourceLoader(
        source: source, entries: Array(zip(entries, ids)), table: table,
        children: entries[0].head.layout.children.compactMap { tables[$0.target] },
        lists: setting.pipeline.lists, progress: setting.progress, target: setting.target,
        rejectLimit: rejectLimit, showsValues: setting.pipeline.showsValues(of: source), base: base,
        recordsOfBase: try found.replay?.records(of: entries[0], on: connection),
        recordsNumbered: try changed.map {
          try Ledger(connection: connection).recordsRead(
            of: source.name, into: $0, pipeline: setting.pipeline.name)
        } ?? 0, abandonment: abandonment)
    }
    let empty = found.emptySources(of: setting.pipeline)
    // The largest first, so that no thread is left with it at the end.
    self.loaders = loaders.sorted { $0.size > $1.size }
    let loaded = Set(found.targets)
    let copied = amended?.tables.filter { !loaded.contains($0.target) }.compactMap { table in
      tables[table.target].map { TableCopy(from: table, to: $0) }
    }
    copies = copied.map { copied in
      setting.workers.start(copied.map { copy in { connection in try copy.run(on: connection) } })
    }
    // By the connection whose commits are waited for: nothing would load them again.
    for source in empty {
      for target in [source.target] + setting.pipeline.childTargets(of: source) {
        let key = setting.pipeline.key(of: target, in: source)
        try connection.transaction {
          try tables[target]?.create(on: connection)
          _ = try tables[target]?.index(key: key, on: connection)
        }
      }
    }
    staging = setting.workers.start(
      self.loaders.map { loader in { connection in try loader.load(on: connection) } },
      onFailure: { [abandonment] in abandonment.say() })
  }

  func collect(_ staging: StagingWorkers.Pending<SourceLoader.Outcome>) throws
    -> [SourceLoader.Outcome]
  {
    let results = staging.wait()
    // Of those beside one that failed, what became of their records may be known.
    report.sources = results.compactMap { try? $0.get() }.flatMap(\.reports)
    try Self.requireNoFailure(results)
    try copies?.wait().forEach { try $0.get() }
    let outcomes = try loadedAgain(try results.map { try $0.get() })
      .sorted { ($0.reports.first?.sourceFileID ?? 0) < ($1.reports.first?.sourceFileID ?? 0) }
    report.sources = outcomes.flatMap(\.reports)
    try outcomes.forEach { try $0.requireSums() }
    report.rejects = RejectReason.ordered(outcomes.flatMap(\.reasons))
    for source in report.sources where source.entry == nil {
      guard try found.isUnchanged(source.file, sha256: source.sha256) else {
        throw RunError.sourceChanged(source.file)
      }
    }
    if let began = outcomes.map(\.began).min() { clock.waited(until: began) }
    clock.count(report.sources.reduce(0) { $0 + $1.read })
    return outcomes
  }

  /// Throws what the first failure was; the others were given up for it.
  private static func requireNoFailure(_ results: [Result<SourceLoader.Outcome, any Error>]) throws {
    let failures = results.compactMap { result -> (any Error)? in
      guard case .failure(let error) = result else { return nil }
      return error
    }
    let cause = failures.first { error in
      if case RunError.givenUp = error { false } else { true }
    }
    if let cause = cause ?? failures.first { throw cause }
  }
}
