import Definitions
import PipelineCore
import PostgreSQL
import Store

/// The keys of the revision that a run is to replace, looked up in the staged tables: a table that was cut off
/// is much like the release before it, but not like itself.
struct ReplacedKeys {
  private struct Subject {
    let source: Source
    let rule: Expectation.LostKeys
    /// Nil where nothing is replaced.
    let replaced: PreviousTable?
  }

  private let subjects: [Subject]
  private let asked: StagingWorkers.Pending<LostKeys>

  /// Looks the revision up and starts to count.
  init(_ gates: Gates, _ outcomes: [LoadOutcome], _ counts: OngoingCounts) throws {
    let ruled = outcomes.compactMap { outcome in
      outcome.source.expectation.lostKeys.map { (source: outcome.source, rule: $0) }
    }
    guard !ruled.isEmpty, gates.destination.period == nil, let release = gates.destination.release else {
      subjects = []
      asked = gates.workers.start([], first: true)
      return
    }
    let tables = try PreviousTables(
      replacedIn: release, of: gates.pipeline.name, isSynthetic: gates.isSynthetic, on: try gates.connect())
    subjects = ruled.map { Subject(source: $0.source, rule: $0.rule, replaced: tables[$0.source.target]) }
    let tasks = subjects.compactMap { subject -> (@Sendable (Connection) throws -> LostKeys)? in
      guard let replaced = subject.replaced, let staged = gates.tables[subject.source.target] else {
        return nil
      }
      let sql = Self.query(
        key: subject.source.key, classes: gates.pipeline.classes(of: subject.source),
        never: subject.rule.never, now: staged.name, before: replaced.partition)
      let isShown = gates.plan.showsValues(of: subject.source, in: gates.pipeline)
      return { connection in
        try counts.run {
          let row = try connection.query(sql)[0]
          return LostKeys(
            count: try row.value(0), forbidden: try row.value(1),
            examples: !isShown ? [] : (2..<5).compactMap { row[$0] }.map { ShownValue.text($0) })
        }
      }
    }
    asked = gates.workers.start(tasks, first: true)
  }

  /// Waits for the counts and judges them.
  func judge() throws -> [GateReport] {
    var counted = asked.wait()[...]
    return try subjects.compactMap { subject in
      guard let replaced = subject.replaced else {
        return LostKeys.nothingReplaced(subject.source, subject.rule)
      }
      return try counted.popFirst()?.get().judge(subject.source, subject.rule, of: replaced)
    }
  }

  /// The keys of one table that the other lacks: all, those of rows that a condition holds for, and three of
  /// them, as texts.
  ///
  /// `classes`: the columns of the key that part rows into classes, with the value for all, which is not shown.
  private static func query(
    key: [String], classes: [String: String], never: String?, now: String, before: String
  ) -> String {
    let columns = key.map(Quote.identifier).joined(separator: ", ")
    let keys = key.map { name in
      let text = "nullif(\(Quote.identifier(name))::text, '')"
      return classes[name].map { "nullif(\(text), \(Quote.literal($0)))" } ?? text
    }.joined(separator: ", ")
    let forbidden = never.map { "coalesce((\($0)), false)" } ?? "false"
    // EXCEPT, unlike a join, is hashed where a column of the key may be NULL.
    return """
      WITH lost AS MATERIALIZED (
        SELECT \(columns) FROM \(Quote.qualified(before)) EXCEPT SELECT \(columns) FROM \(Quote.qualified(now))
      ), shown AS MATERIALIZED (
        SELECT before.is_forbidden, concat_ws(' ', \(keys)) AS key
        FROM (SELECT *, \(forbidden) AS is_forbidden FROM \(Quote.qualified(before)) revision) before
        WHERE EXISTS (SELECT FROM lost) AND ROW(\(columns)) IN (SELECT \(columns) FROM lost)
      ), examples AS (
        SELECT array_agg(key ORDER BY is_forbidden DESC, key) AS keys FROM shown
      )
      SELECT (SELECT count(*) FROM lost), (SELECT count(*) FROM shown WHERE is_forbidden), keys[1], keys[2], keys[3]
      FROM examples
      """
  }
}
