import Definitions
import PipelineCore
import PostgreSQL
import Records
import Store

/// What is done to the staged rows before anybody sees them: duplicates set aside, formats compared, rules
/// asked, what they reject kept.
struct CheckStep {
  let context: RunContext

  /// What one step found.
  typealias Findings = (outcomes: [LoadOutcome], gates: [GateReport], rejected: [RejectedRows])

  /// Removes what is kept of rejected records beyond the limit; gives how many are kept.
  func limitRejects(of outcomes: [LoadOutcome]) throws -> Int {
    guard outcomes.contains(where: { $0.keptRejects > RejectStore.leastKept }) else {
      return outcomes.reduce(0) { $0 + $1.keptRejects }
    }
    return try RejectStore.cut(outcomes.map { $0.reports.map(\.sourceFileID) }, on: context.connection)
  }

  /// Folds records of one key where their layout says so, sets duplicates aside where their source does, and
  /// builds the keys that could not be built because of them.
  func setDuplicatesAside(_ outcomes: [LoadOutcome]) throws -> Findings {
    var found: Findings = (outcomes, [], [])
    for index in outcomes.indices {
      let source = outcomes[index].source
      let folds = context.plan.entries.contains {
        $0.source.name == source.name && $0.head.layout.isFolded
      }
      let mayFold = context.pipeline.layout(of: source)?.versions.contains(where: \.isFolded) ?? false
      guard mayFold || source.duplicates == .setAside else { continue }
      let targets = context.pipeline.childTargets(of: source) + [source.target]
      guard let table = context.tables[source.target] else { continue }
      let children = targets.dropLast().compactMap { context.tables[$0] }
      let isBroken =
        (folds || source.duplicates == .setAside)
        && outcomes[index].duplicateKeys.values.contains { $0 > 0 }
      let duplicates = DuplicateRecords(source: source, table: table, children: children)
      let folded = FoldedRecords(source: source, table: table)
      for check in (mayFold ? [folded.check] : []) + duplicates.checks {
        var count = 0
        var places: [GateReport.Place] = []
        if isBroken, check.severity == .reject {
          places = try duplicates.firstPair(on: try context.connection).map { record in
            let report = found.outcomes[index].reports.first { $0.sourceFileID == record.sourceFileID }
            return GateReport.Place(file: report?.place, line: record.line)
          }
        }
        // Where all of them were copies nothing is left to be looked for.
        let isAsked = check.rule != source.foldedRule || folds
        if isBroken, isAsked, check.severity != .reject || !places.isEmpty {
          let taking = RowTaking(
            check: check, pipeline: context.pipeline, tables: context.tables,
            targets: check.rule == source.foldedRule ? [source.target] : targets,
            connection: try context.connection, holdsCopies: outcomes[index].copied > 0)
          let taken = try taking.take(from: &found.outcomes[index].reports)
          count = taken.found
          found.rejected += taken.rejected.map { $0.shown(at: places) }
        }
        found.gates.append(
          GateReport(
            rule: check.rule, severity: check.severity, passed: true, found: count, about: check.summary,
            places: places))
      }
      guard isBroken else { continue }
      if folds { try number(children, of: folded, in: &found.outcomes[index]) }
      // A table in which no two rows shared a key has its own already.
      for table in children + [table] where outcomes[index].duplicateKeys[table.target.name] != 0 {
        let key = context.pipeline.key(of: table.target.name, in: source)
        found.outcomes[index].duplicateKeys[table.target.name] = try table.index(
          key: key, on: context.connection)
      }
    }
    return found
  }

  /// Numbers the rows of child tables whose records were folded to one.
  private func number(
    _ children: [StagedTable], of folded: FoldedRecords, in outcome: inout LoadOutcome
  ) throws {
    for child in children where outcome.duplicateKeys[child.target.name] != 0 {
      guard context.pipeline.key(of: child.target.name, in: outcome.source).last == "slot" else { continue }
      let gone = try folded.number(child, on: try context.connection)
      for index in outcome.reports.indices {
        let count = gone[outcome.reports[index].sourceFileID] ?? 0
        outcome.reports[index].targets[child.target.name, default: 0] -= count
      }
    }
  }

  /// Asks the rules, after amendments are applied where the tables have their keys.
  func check(_ outcomes: [LoadOutcome], amends: Bool, accepted: Set<String>) throws -> Findings {
    if amends { try amend() }
    var outcomes = outcomes
    let gates = Gates(
      pipeline: context.pipeline, plan: context.plan, destination: context.destination,
      tables: context.tables,
      connect: { try context.connection }, workers: context.setting.workers, isAmended: context.isAmended,
      isSynthetic: context.isSynthetic, accepted: accepted, progress: context.progress)
    let verdict = try gates.judge(&outcomes)
    return (outcomes, verdict.reports, verdict.rejected)
  }

  /// Lets the rows of amending sources do to the other tables what their definition says.
  private func amend() throws {
    for (source, _) in context.plan.bySource {
      guard let amendment = context.plan.changing(source) else { continue }
      let statement = DefinedStatement(amendment, of: context.pipeline, tables: context.tables)
      let connection = try context.connection
      try statement.explaining { try connection.transaction { _ = try connection.execute(statement.text) } }
    }
  }

  /// Keeps the records that rules have rejected. Their rows alone were staged, so that the records are read
  /// again from their source, by the lines that the rows carry.
  func quarantine(_ rejected: [RejectedRows], of outcomes: [LoadOutcome]) throws -> [LoadOutcome] {
    var outcomes = outcomes
    var showsValues: [String: Bool] = [:]
    for taken in rejected {
      guard
        let index = outcomes.firstIndex(where: { outcome in
          outcome.reports.contains { $0.sourceFileID == taken.sourceFileID }
        }),
        let report = outcomes[index].reports.first(where: { $0.sourceFileID == taken.sourceFileID }),
        let entry = context.plan.entries.first(where: {
          $0.source.name == report.source && $0.entry.entry.path == report.file
            && $0.entry.entry.entry == report.entry
        })
      else { continue }
      let about = taken.check.summary.isEmpty ? "" : ": \(taken.check.summary)"
      let isShown =
        showsValues[entry.source.name] ?? context.plan.showsValues(of: entry.source, in: context.pipeline)
      showsValues[entry.source.name] = isShown
      let reason = try RejectedLines(target: context.setting.target, showsValues: isShown).keep(
        Set(taken.lines), of: entry, report: report, rule: taken.check.rule,
        explanation: "the record breaks the rule '\(taken.check.rule)'\(about)\(taken.example)")
      outcomes[index].reasons.append(reason)
      outcomes[index].keptRejects += reason.records
    }
    return outcomes
  }
}
