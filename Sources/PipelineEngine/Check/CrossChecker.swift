import Definitions
import PipelineCore
import PostgreSQL
import Progress
import Records
import Values

/// Compares what a bundle has in several formats, after all of them have been staged.
struct CrossChecker {
  private let context: RunContext
  private var setting: EngineSetting { context.setting }

  init(_ context: RunContext) { self.context = context }

  /// Loads the other formats of a bundle beside the staged tables, compares, and drops them again.
  func compare() throws -> [CrossCheck] {
    let (plan, tables) = (context.plan, context.tables)
    var pairs: [(check: CrossCheck, first: [HeadedEntry], second: SourceLoader)] = []
    for (source, entries) in plan.bySource {
      for format in source.formats {
        let others = plan.others.filter { $0.source == source && $0.entry.format == format }
        guard let first = entries.first, !others.isEmpty, let target = setting.targets[source.target] else {
          continue
        }
        let loader = SourceLoader(
          source: source, entries: others.map { ($0, 0) },
          table: staged(target, format),
          children: others[0].head.layout.children.compactMap { setting.targets[$0.target] }.map {
            staged($0, format)
          }, lists: [:],
          progress: context.progress.part(
            "\(source.name) \(format.rawValue)", of: SourceLoader.size(of: others)), target: setting.target,
          isIndexed: false,
          showsValues: plan.showsValues(of: source, in: setting.pipeline))
        pairs.append(
          (
            CrossCheck(source: source.name, formats: (first.entry.format.rawValue, format.rawValue)),
            entries, loader
          ))
      }
    }
    let loads = pairs.map { pair -> @Sendable (Connection) throws -> LoadOutcome in
      let loader = pair.second
      return { connection in try loader.load(on: connection) }
    }
    let results = setting.workers.start(loads).wait()
    var checks: [CrossCheck] = []
    for (pair, result) in zip(pairs, results) {
      var check = pair.check
      let outcome = try result.get()
      if let refusal = outcome.refusalOfSums { throw refusal }
      check.rejected = outcome.reports.reduce(0) { $0 + $1.rejected }
      check.examples = Array(RejectReason.ordered(outcome.reasons).flatMap(\.lines).prefix(10))
      check.files = (Self.onlyFile(pair.first), Self.onlyFile(pair.second.entries.map(\.headed)))
      check.numbers = outcome.reports.flatMap(\.numbers)
      try compareColumns(tables, pair.second, pair.first, &check)
      for table in [pair.second.table] + pair.second.children { try table.drop(on: try context.connection) }
      checks.append(check)
    }
    return checks
  }

  private static func onlyFile(_ entries: [HeadedEntry]) -> String? {
    entries.count == 1 ? entries[0].entry.entry.description : nil
  }

  private func staged(_ target: TargetTable, _ format: Source.Format) -> StagedTable {
    let label = "_\(format.rawValue)"
    guard setting.pipeline.publishing == .release else {
      return StagedTable(merging: target, release: nil, of: context.plan, run: context.run, label: label)
    }
    return StagedTable(
      target: target, release: context.destination.release?.name, run: context.run, label: label)
  }

  /// Compares the source's own table and those of its children.
  private func compareColumns(
    _ tables: [String: StagedTable], _ other: SourceLoader, _ first: [HeadedEntry], _ check: inout CrossCheck
  ) throws {
    guard let layout = first.first?.head.layout else { return }
    let shown = (first + other.entries.map(\.headed)).map { Self.columns($0.head) }
    let inAll = shown.dropFirst().reduce(shown[0]) { $0.intersection($1) }
    let inAny = shown.reduce(shown[0]) { $0.union($1) }
    // A txt has a place for what its time did not know.
    let optional = layout.columns.filter(\.isOptional).map(\.name)
    check.notCompared = inAny.subtracting(inAll).subtracting(optional).sorted()
    let key = other.source.key
    let showsValues = context.plan.showsValues(of: other.source, in: setting.pipeline)
    if let table = tables[other.source.target] {
      let columns = layout.columns.filter { inAll.contains($0.name) && !key.contains($0.name) }
      try compare(
        Pair(first: table, second: other.table, key: key, showsValues: showsValues, columns: columns), &check)
    }
    for (child, second) in zip(layout.children, other.children) {
      guard let table = tables[child.target] else { continue }
      let columns = child.slots.first ?? []
      try compare(
        Pair(
          first: table, second: second, key: child.rowKey(ofRecord: key), showsValues: showsValues,
          columns: columns), &check)
    }
  }

  /// The stored columns that an entry has values for.
  private static func columns(_ head: SourceHead) -> Set<String> {
    let columns = zip(head.layout.columns, head.fields)
    return Set(columns.filter { !$0.isInternal && ($0.place == nil || $1 != nil) }.map { $0.0.name })
  }

  /// The same table in two formats.
  private struct Pair {
    let first, second: StagedTable
    let key: [String]
    /// No column of the layout is sensitive.
    let showsValues: Bool
    let columns: [LayoutColumn]

    /// The key's columns of a row, as texts.
    func key(of row: Row) -> [(column: String, value: String)] {
      key.enumerated().map { ($1, showsValues ? row[$0] ?? "" : "(withheld)") }
    }

    /// The second may have a key several times, as it is without its keys: of these rows one is compared.
    var join: String {
      let columns = key.map(Quote.identifier)
      let match = columns.map { "a.\($0) = b.\($0)" }.joined(separator: " AND ")
      let list = columns.joined(separator: ", ")
      return "FROM \(Quote.qualified(first.name)) a FULL JOIN (SELECT DISTINCT ON (\(list)) * "
        + "FROM \(Quote.qualified(second.name)) ORDER BY \(list), source_line) b ON \(match)"
    }
    /// Whether a side has a row: no column of a key is null.
    func lacks(_ side: String) -> String { "\(side).\(Quote.identifier(key[0])) IS NULL" }

    var both: String { "NOT \(lacks("a")) AND NOT \(lacks("b"))" }

    func differs(_ column: LayoutColumn) -> String {
      let name = Quote.identifier(column.name)
      return "\(both) AND a.\(name) IS DISTINCT FROM b.\(name)"
    }
  }

  private func compare(_ pair: Pair, _ check: inout CrossCheck) throws {
    let counts = try context.connection.query(
      "SELECT count(*) FILTER (WHERE \(pair.both)), count(*) FILTER (WHERE \(pair.lacks("b"))), "
        + "count(*) FILTER (WHERE \(pair.lacks("a"))), "
        + "(SELECT count(*) FROM \(Quote.qualified(pair.second.name))) - count(*) FILTER (WHERE NOT \(pair.lacks("b")))"
        + pair.columns.map { ", count(*) FILTER (WHERE \(pair.differs($0)))" }.joined() + " \(pair.join)")[0]
    check.compared += try counts.value(0, Int.self)
    check.onlyInFirst += try counts.value(1, Int.self)
    check.onlyInSecond += try counts.value(2, Int.self) + counts.value(3, Int.self)
    if check.onlyInFirst + check.onlyInSecond > 0 { try listLoneRows(pair, &check) }
    for (index, column) in pair.columns.enumerated() {
      let differing: Int = try counts.value(4 + index)
      guard differing > 0 else { continue }
      check.columns[column.name, default: 0] += differing
      if !column.type.isWording { check.weighty += differing }
      try list(column, pair, &check)
    }
  }

  private func listLoneRows(_ pair: Pair, _ check: inout CrossCheck) throws {
    let key = pair.key.map { "coalesce(a.\(Quote.identifier($0)), b.\(Quote.identifier($0)))" }
    let rows = try context.connection.query(
      "SELECT \(key.map { $0 + "::text" }.joined(separator: ", ")), \(pair.lacks("b")), "
        + "coalesce(a.source_line, b.source_line) \(pair.join) "
        + "WHERE \(pair.lacks("a")) OR \(pair.lacks("b")) ORDER BY \(key.joined(separator: ", ")) "
        + "LIMIT \(CrossCheck.keptDifferences - check.loneRows.count)")
    for row in rows.rows {
      let isInFirst: Bool = try row.value(key.count)
      check.loneRows.append(
        CrossCheck.LoneRow(
          key: pair.key(of: row), format: isInFirst ? check.formats.first : check.formats.second,
          line: try row.value(key.count + 1)))
    }
  }

  private func list(_ column: LayoutColumn, _ pair: Pair, _ check: inout CrossCheck) throws {
    let key = pair.key.map { "a.\(Quote.identifier($0))" }
    let name = Quote.identifier(column.name)
    let rows = try context.connection.query(
      "SELECT \(key.map { $0 + "::text" }.joined(separator: ", ")), a.\(name)::text, b.\(name)::text, "
        + "a.source_line, b.source_line "
        + "\(pair.join) WHERE \(pair.differs(column)) ORDER BY \(key.joined(separator: ", ")) "
        + "LIMIT \(CrossCheck.keptDifferences - check.differences.count)")
    for row in rows.rows {
      check.differences.append(
        CrossCheck.Difference(
          key: pair.key(of: row), column: column.name,
          first: pair.showsValues ? row[key.count] : nil,
          second: pair.showsValues ? row[key.count + 1] : nil,
          lines: (try row.value(key.count + 2), try row.value(key.count + 3))))
    }
  }
}

extension ValueType {
  /// Texts for people, whose wording publishers change from format to format.
  fileprivate var isWording: Bool {
    self == .text || self == .line
  }
}
