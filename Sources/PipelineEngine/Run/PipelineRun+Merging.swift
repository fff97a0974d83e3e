import Definitions
import Host
import PostgreSQL
import Records
import Values

/// Runs whose rows are merged into tables that are in sight.
extension PipelineRun {
  /// Where a bundle's rows go, and the run that has brought them there already.
  ///
  /// Throws ``RunError`` where they must not be merged now, or at all.
  static func destination(
    of found: Discovered, targets: [String], setting: Setting, _ ledger: Ledger
  ) throws -> (Destination, earlier: Ledger.Published?) {
    let (pipeline, request) = (setting.pipeline, found.request)
    if case .release(let release) = found.content {
      let earlier =
        request.isForced
        ? nil : try ledger.published(found, as: release, targets: targets, pipeline: pipeline)
      return (.release(release), earlier)
    }
    guard request.publishes else { throw RunError.mergesAtOnce(pipeline: pipeline.name) }
    for target in targets.compactMap({ setting.targets[$0] }) where target.hidesRows {
      throw RunError.policiesHold(target: target.name)
    }
    guard let period = found.period else {
      if let rival = try ledger.rival(of: pipeline.name, targets: targets) {
        throw RunError.mergedByOthers(target: rival.target, pipeline: rival.pipeline)
      }
      let earlier =
        request.isForced
        ? nil : try ledger.merged(found.hashedSources, targets: targets, pipeline: pipeline)
      return (.tables, earlier)
    }
    guard
      let base = try ledger.releaseInSight(
        of: pipeline.name, named: request.release.map(pipeline.release.spelled))
    else {
      throw RunError.nothingToChange(
        pipeline: pipeline.name, release: request.release.map(pipeline.release.spelled))
    }
    if let lacking = targets.first(where: { !base.targets.contains($0) }) {
      throw RunError.lacksTable(release: base.identity.name, target: lacking)
    }
    let sequence = try ledger.periods(of: base, pipeline: pipeline)
    let verdict = try sequence.judge(
      period, found.offers, allowsGap: request.allowsGap, isForced: request.isForced)
    let destination = Destination.changes(period, of: base)
    guard case .repeated(let run) = verdict else { return (destination, nil) }
    return (destination, Ledger.Published(run: run, revision: base.revision))
  }

  /// Merges what has passed, with the ledger's last words in the same transaction.
  func concludeMerge() throws {
    try begin("publish")
    // What the planner knows of a table decides between the time of a change and that of the table.
    try analyze()
    do {
      try setting.connections.retry.attempt {
        if try isConcluded() { return }
        try merge(on: try connection)
      }
    } catch ReleaseOperationError.blocked {
      throw RunError.mergeBlocked(pipeline: report.pipeline)
    }
    clock.stop()
    report.stages = clock.reports
  }

  private func merge(on connection: Connection) throws {
    let publisher = Publisher(
      connection: connection, pipeline: report.pipeline, lockWait: setting.lockWait)
    let ledger = Ledger(connection: connection)
    let base: ReleaseInSight? = if case .changes(_, let base) = destination { base } else { nil }
    try publisher.retryingLocks({ base?.identity.name }) {
      try reconcile(on: connection)
      report.merges = try prepared(on: connection).write()
      try ledger.note(report.merges, run: report.run, pipeline: report.pipeline, into: base)
      try CodeListTable(setting.pipeline)?.update(on: connection)
      for table in tables.values.sorted(by: { $0.name < $1.name }) { try table.drop(on: connection) }
      (report.state, report.revision) = (.merged, base?.revision)
      try record(on: ledger)
      try Interruption.shared.check()
    }
  }

  /// Lets the definition hold staged rows against those that are in sight, where it says how: in the transaction that
  /// merges them, so that nobody changes a row that has been looked at and locked.
  private func reconcile(on connection: Connection) throws {
    guard case .tables = destination else { return }
    for target in setting.pipeline.targets { try complete(target, on: connection) }
    for source in setting.pipeline.sources {
      guard let change = source.change, tables[source.target] != nil,
        change.template.names.allSatisfy({ tables[$0] != nil })
      else { continue }
      let statement = DefinedStatement(change, of: setting.pipeline, tables: tables)
      try countingTaken(by: source, change, on: connection) {
        try statement.explaining { _ = try connection.execute(statement.text) }
      }
    }
  }

  /// Of a dry run what merging would change.
  func compareWithTables() throws {
    try setting.connections.retry.attempt {
      let connection = try connection
      try connection.transaction { try reconcile(on: connection) }
    }
    try analyze()
    report.merges = try setting.connections.retry.attempt {
      let connection = try connection
      return try connection.transaction(
        settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
      ) { try prepared(on: connection).counts() }
    }
  }

  private func analyze() throws {
    try setting.connections.retry.attempt {
      let connection = try connection
      for table in tables.values { try connection.execute("ANALYZE \(Quote.qualified(table.name))") }
      guard case .changes(_, let base) = destination else { return }
      // A release that has only just come into sight: nobody has looked at its tables yet.
      let unknown = try connection.query(
        """
        SELECT format('%I.%I', n.nspname, c.relname) FROM rivulet.release_table t
        JOIN pg_class c ON c.oid = to_regclass(t.partition) JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE t.pipeline = $1 AND t.release = $2 AND t.revision = $3 AND t.target = ANY ($4)
          AND NOT EXISTS (SELECT FROM pg_statistic s WHERE s.starelid = c.oid)
        """,
        [
          .text(report.pipeline), .text(base.identity.name), .integer(base.revision),
          .textArray(Array(tables.keys)),
        ])
      for row in unknown.rows { try connection.execute("ANALYZE \(try row.value(0, String.self))") }
    }
  }

  private func prepared(on connection: Connection) throws -> Merge {
    let present = Set(found.entries.map(\.source.name))
    let amending = found.entries.map(\.source).first { found.changing($0) != nil }
    var merged: [MergedTable] = []
    var histories: [String: RowHistory] = [:]
    for source in setting.pipeline.sources {
      guard let records = tables[source.target] else { continue }
      let numbered = setting.pipeline.layout(of: source)?.versions.flatMap(\.columns).filter {
        $0.origin == .recordNumber && source.key.contains($0.name)
      }
      let numbers = Set(numbered?.map(\.name) ?? []).sorted()
      let targets = [source.target] + setting.pipeline.childTargets(of: source)
      for (index, target) in targets.enumerated() {
        guard let staged = tables[target], !merged.contains(where: { $0.target == target }) else { continue }
        let key = setting.pipeline.key(of: target, in: source)
        // Rows with a key of their own stand for themselves; those of a file of their own are that source's.
        let standsAlone = index > 0 && !key.contains("slot")
        if standsAlone,
          setting.pipeline.sources.contains(where: { $0.target == target && present.contains($0.name) })
        {
          continue
        }
        let group = source.merge.group.isEmpty ? source.key : source.merge.group
        merged.append(
          MergedTable(
            source: present.contains(source.name) ? source.name : amending?.name ?? source.name,
            staged: merging(staged), records: standsAlone ? staged : records,
            rule: standsAlone ? MergeRule() : source.merge, key: key, group: standsAlone ? key : group,
            inexactKey: key.filter(staged.target.inexact.contains), numbers: index == 0 ? numbers : []))
        guard source.merge.keepsHistory else { continue }
        histories[target] = try RowHistory(of: staged.target, in: destination, on: connection)
      }
    }
    let sizes = try TableSizes(merged, destination, on: connection)
    for index in merged.indices { merged[index].usesKey = sizes.isSmall(merged[index]) }
    return Merge(tables: merged, histories: histories, destination: destination, connection: connection)
  }
}

extension Discovered {
  /// The files of each source.
  fileprivate var offers: [PeriodSequence.Offer] {
    bySource.map { source, entries in
      PeriodSequence.Offer(
        source: source.name, fileHashes: Set(entries.map { fileHashes[$0.entry.entry.path] ?? "" }).sorted())
    }
  }

  /// The staged form of a target that is merged. Of a release it has all columns, of other tables those that the files bring:
  /// the others are not theirs to change.
  /// - Parameter label: tells tables of one target and run apart.
  func staged(_ target: TargetTable, release: String?, run: Int, label: String = "") -> StagedTable {
    let own = entries.filter { $0.source.target == target.name }
    let origin = ["source_file_id", "source_line"]
    let children = entries.flatMap { entry in
      entry.head.layout.children.filter { $0.target == target.name }.flatMap {
        $0.rowColumns(ofRecord: entry.source.key)
      }
    }
    let brought = Set(own.flatMap(\.stagedColumns) + children + origin)
    var checked: [(name: String, type: ValueType)] = []
    for column in own.flatMap(\.head.layout.columns)
    where column.isChecked && !checked.contains(where: { $0.name == column.name }) {
      checked.append((column.name, column.type))
    }
    return StagedTable(
      merging: target, release: release,
      columns: release == nil ? target.columns.filter(brought.contains) : target.columns, checked: checked,
      marksDeletions: own.contains { $0.source.merge.deletion != nil }, run: run, label: label)
  }
}

/// How many rows the tables of a merge have, as far as that decides how they are found.
private struct TableSizes {
  private let staged: [String: Int]
  private let targets: [String: Int]

  init(_ tables: [MergedTable], _ destination: Destination, on connection: Connection) throws {
    func sizes(_ names: [String]) throws -> [String: Int] {
      let rows = try connection.query(
        """
        SELECT n, CASE WHEN c.reltuples >= 0 AND c.relkind = 'r' THEN c.reltuples::bigint
          ELSE (SELECT coalesce(sum(pg_relation_size(t.relid)), 0)::bigint / 100 FROM pg_partition_tree(c.oid) t) END
        FROM unnest($1::text[], $2::text[]) u(n, quoted) JOIN pg_class c ON c.oid = to_regclass(u.quoted)
        """, [.textArray(names), .textArray(names.map(Quote.qualified))])
      return try rows.rows.reduce(into: [:]) { $0[try $1.value(0)] = try $1.value(1) }
    }
    staged = try sizes(tables.map(\.staged.name))
    guard case .changes(_, let base) = destination else {
      targets = try sizes(tables.map(\.target))
      return
    }
    let rows = try connection.query(
      "SELECT target, rows FROM rivulet.release_table WHERE release = $1 AND revision = $2 AND target = ANY ($3)",
      [.text(base.identity.name), .integer(base.revision), .textArray(tables.map(\.target))])
    targets = try rows.rows.reduce(into: [:]) { $0[try $1.value(0)] = try $1.value(1) }
  }

  /// So much smaller than a table is what is rather looked up in it row by row.
  private static let share = 10

  /// Whether a table is much larger than what is merged into it. What a file is the whole of is read as a whole.
  func isSmall(_ table: MergedTable) -> Bool {
    let rows = max(staged[table.staged.name] ?? 0, staged[table.records.name] ?? 0)
    return table.rule.missing == .keep && rows * Self.share < targets[table.target] ?? 0
  }
}
