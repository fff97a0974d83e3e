import Definitions
import Host
import PipelineCore
import PostgreSQL
import Store

/// What is done with checked tables whose rows are merged into tables that are published.
struct MergeStep {
  let context: RunContext
  /// What writes the end of the run to the ledger, in the transaction that merges.
  let recordEnd: (Ledger, Outcome) throws -> Void

  /// What merging did.
  struct Outcome {
    /// What was written, in the order of the tables.
    var merges: [MergeReport]
    /// The sources, after SQL of the definition took records out.
    var sources: [SourceReport]
    /// The rules, with those of such SQL.
    var gates: [GateReport]
    /// The revision that was merged into.
    var revision: Int?
  }

  /// Merges what has passed, with the end of the run in the same transaction.
  /// - Throws: ``ReleaseOperationError/blocked(pipeline:release:sessions:)`` where others hold rows or
  ///   tables.
  func merge(_ sources: [SourceReport], _ gates: [GateReport]) throws -> Outcome {
    // What the planner knows of a table decides between the time of a change and that of the table.
    try analyze()
    return try context.retry.attempt {
      if try context.stateFoundDone() != nil {
        let ledger = Ledger(connection: try context.setting.connections.main)
        return Outcome(
          merges: try ledger.merges(ofRun: context.run), sources: sources, gates: gates,
          revision: try ledger.ended(run: context.run)?.revision)
      }
      return try merge(sources, gates, on: try context.connection)
    }
  }

  private func merge(
    _ sources: [SourceReport], _ gates: [GateReport], on connection: Connection
  ) throws -> Outcome {
    let publisher = Publisher(
      connection: connection, pipeline: context.pipeline.name, lockWait: context.setting.lockWait)
    let ledger = Ledger(connection: connection)
    let base: PublishedRelease? =
      if case .changes(_, let base) = context.destination { base } else { nil }
    var outcome = Outcome(merges: [], sources: sources, gates: gates, revision: base?.revision)
    try publisher.retryingLocks({ base?.identity.name }) { _ in
      outcome.sources = sources
      outcome.gates = gates
      try reconcile(&outcome, on: connection)
      outcome.merges = try prepared(outcome.sources, on: connection).write()
      try ledger.note(outcome.merges, run: context.run, pipeline: context.pipeline.name, into: base)
      try CodeListTable(context.pipeline)?.update(on: connection)
      for table in context.tables.values.sorted(by: { $0.name < $1.name }) { try table.drop(on: connection) }
      try recordEnd(ledger, outcome)
      try Interruption.shared.check()
    }
    return outcome
  }

  /// What merging would change, for a dry run.
  func compare(_ sources: [SourceReport], _ gates: [GateReport]) throws -> Outcome {
    var outcome = Outcome(merges: [], sources: sources, gates: gates, revision: nil)
    try context.retry.attempt {
      let connection = try context.connection
      outcome.sources = sources
      outcome.gates = gates
      try connection.transaction { try reconcile(&outcome, on: connection) }
    }
    try analyze()
    outcome.merges = try context.retry.attempt {
      let connection = try context.connection
      return try connection.transaction(
        settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
      ) { try prepared(outcome.sources, on: connection).counts() }
    }
    return outcome
  }

  /// Lets the definition compare staged rows with those that are published, where it says how: in the
  /// transaction that merges them, so that nobody changes a row that has been looked at and locked.
  private func reconcile(_ outcome: inout Outcome, on connection: Connection) throws {
    guard case .tables = context.destination else { return }
    let brought = BroughtColumns(context, outcome.sources)
    for target in context.pipeline.targets { try brought.complete(target, on: connection) }
    for source in context.pipeline.sources {
      guard let change = source.change, let table = context.tables[source.target],
        change.template.names.allSatisfy({ context.tables[$0] != nil })
      else { continue }
      let statement = DefinedStatement(change, of: context.pipeline, tables: context.tables)
      let before = try rows(of: table, on: connection)
      try statement.explaining { _ = try connection.execute(statement.text) }
      let after = try rows(of: table, on: connection)
      outcome.count(taken: before.merging(after) { $0 - $1 }, by: change, of: source)
    }
  }

  /// How many rows a staged table has of each file.
  private func rows(of table: StagedTable, on connection: Connection) throws -> [Int: Int] {
    let rows = try connection.execute(
      "SELECT source_file_id, count(*) FROM \(Quote.qualified(table.name)) GROUP BY source_file_id")
    return try rows.rows.reduce(into: [:]) { $0[try $1.value(0)] = try $1.value(1) }
  }

  private func analyze() throws {
    try context.retry.attempt {
      let connection = try context.connection
      for table in context.tables.values { try table.analyze(on: connection) }
      guard case .changes(_, let base) = context.destination else { return }
      // A release that was published only just now: nobody has looked at its tables yet.
      let unknown = try ReleaseStore(connection: connection).unanalyzed(
        base, targets: Array(context.tables.keys), pipeline: context.pipeline.name)
      for table in unknown {
        try connection.query("SELECT rivulet.alter_staged($1, 'analyze', '{}', NULL)", [.text(table)])
      }
    }
  }

  /// The staged records of other sources that name rows of a source.
  private func others(of source: Source) -> [StagedTable] {
    source.merge.namedIn.compactMap { name in
      context.pipeline.sources.first { $0.name == name }.flatMap { context.tables[$0.target] }
    }
  }

  private func prepared(_ sources: [SourceReport], on connection: Connection) throws -> Merge {
    let brought = BroughtColumns(context, sources)
    func merging(_ staged: StagedTable) -> StagedTable {
      if case .tables = context.destination { brought.merging(staged) } else { staged }
    }
    let present = Set(context.plan.entries.map(\.source.name))
    let amending = context.plan.entries.map(\.source).first { context.plan.changing($0) != nil }
    var merged: [MergedTable] = []
    var histories: [String: RowHistory] = [:]
    for source in context.pipeline.sources {
      guard let records = context.tables[source.target] else { continue }
      let numbered = context.pipeline.layout(of: source)?.versions.flatMap(\.columns).filter {
        $0.origin == .recordNumber && source.key.contains($0.name)
      }
      let numbers = Set(numbered?.map(\.name) ?? []).sorted()
      let targets = [source.target] + context.pipeline.childTargets(of: source)
      for (index, target) in targets.enumerated() {
        guard let staged = context.tables[target], !merged.contains(where: { $0.target == target }) else {
          continue
        }
        let key = context.pipeline.key(of: target, in: source)
        // Rows with a key of their own are independent; those of a file of their own are that source's.
        let isIndependent = index > 0 && !key.contains("slot")
        if isIndependent,
          context.pipeline.sources.contains(where: { $0.target == target && present.contains($0.name) })
        {
          continue
        }
        let group = source.merge.group.isEmpty ? source.key : source.merge.group
        merged.append(
          MergedTable(
            source: present.contains(source.name) ? source.name : amending?.name ?? source.name,
            staged: merging(staged), records: isIndependent ? staged : records,
            others: isIndependent ? [] : others(of: source),
            rule: isIndependent ? MergeRule() : source.merge, key: key, group: isIndependent ? key : group,
            inexactKey: key.filter(staged.target.inexact.contains), numbers: index == 0 ? numbers : []))
        guard source.merge.keepsHistory else { continue }
        histories[target] = try RowHistory(of: staged.target, in: context.destination, on: connection)
      }
    }
    let sizes = try TableSizes(merged, context.destination, on: connection)
    for index in merged.indices { merged[index].usesKey = sizes.isSmall(merged[index]) }
    return Merge(
      tables: merged, histories: histories, destination: context.destination, connection: connection)
  }
}

extension MergeStep.Outcome {
  /// Counts the records that SQL of a source has taken out of the staged rows as skipped by it.
  ///
  /// `taken`: how many, by file.
  fileprivate mutating func count(taken: [Int: Int], by change: Amendment, of source: Source) {
    var found = 0
    for index in sources.indices where sources[index].source == source.name {
      let count = taken[sources[index].sourceFileID] ?? 0
      sources[index].loaded -= count
      sources[index].targets[source.target, default: 0] -= count
      if count != 0 { sources[index].skippedBy[change.name, default: 0] += count }
      found += count
    }
    guard found > 0 else { return }
    gates.append(
      GateReport(
        rule: change.name, severity: .skip, passed: true, found: found, isOdd: true,
        about: "records of \(source.name) that \(change.name) reverts are not merged", file: change.file))
  }
}
