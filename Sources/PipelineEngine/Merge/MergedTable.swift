import Definitions
import PipelineCore
import PostgreSQL

/// The statements that make a table hold what is staged for it, and write nothing but what differs.
///
/// Rows are the same where they are byte by byte. Where they come from is no part of that: a row that is
/// unchanged goes on naming the file that brought it.
struct MergedTable: Sendable {
  /// The source whose records bring the rows.
  let source: String
  let staged: StagedTable
  /// The staged table of the records themselves, which tells whose rows a file replaces.
  let records: StagedTable
  /// Those of other sources whose records name such rows, too.
  var others: [StagedTable] = []
  let rule: MergeRule
  /// The columns that tell rows of the table apart, without `release`.
  let key: [String]
  /// The columns that tell whose rows a file replaces.
  let group: [String]
  /// Those of the key whose values may be equal and yet not the same, as 1.0 and 1.00 are.
  let inexactKey: [String]
  /// Columns of the key that hold nothing but the record's number in its file. Where there are any, rows are
  /// distinguished by their content within their group, and are never updated.
  let numbers: [String]
  /// Whether the statements are to ask the target's key for each row, rather than to read all of it.
  var usesKey = false
  /// The table is on its way to be filled by others, too, who may insert the same key meanwhile.
  var isShared: Bool { release == nil }

  var target: String { staged.target.name }
  private var release: String? { staged.release }

  // MARK: Names

  private var into: String { Quote.qualified(target) }
  private var from: String { Quote.qualified(staged.name) }
  private var columns: [String] { staged.columns }
  /// What is compared.
  private var content: [String] {
    let own = columns.filter { !Self.provenance.contains($0) && !numbers.contains($0) }
    return own.filter { isMatchedByContent || !key.contains($0) || inexactKey.contains($0) }
  }

  private var isMatchedByContent: Bool { !numbers.isEmpty }

  /// What the engine adds to every row, which says nothing about the data.
  private static let provenance: Set = ["release", "source_file_id", "source_line"]

  private static let mark = Quote.identifier(StagedTable.deletionMark)

  private static func list(_ columns: [String], of alias: String) -> String {
    columns.map { "\(alias).\(Quote.identifier($0))" }.joined(separator: ", ")
  }

  private static func equal(_ columns: [String], _ one: String, _ other: String) -> String {
    columns.map(Quote.identifier).map { "\(one).\($0) = \(other).\($0)" }.joined(separator: " AND ")
  }

  // MARK: Conditions

  /// The release is in each statement as it is, so that the planner opens its partition only.
  private var inScope: String { release.map { "t.release = \(Quote.literal($0))" } ?? "true" }

  /// Staged rows that are to be there.
  private var isAlive: String { staged.marksDeletions ? "NOT s.\(Self.mark)" : "true" }

  private var isSame: String {
    guard isMatchedByContent else { return Self.equal(staged.keyColumns(key), "t", "s") }
    return "\(Self.equal(group, "t", "s")) AND NOT (\(differs))"
  }

  private var matches: String { "\(inScope) AND \(isSame) AND \(isAlive)" }

  private var differs: String {
    // What holds nothing but its key differs in nothing.
    guard !content.isEmpty else { return "false" }
    return differs(from: "s")
  }

  /// What a staged row brings, column by column; what may not be null and is not said stays as it is, and is
  /// the default where a row is new.
  private func values(_ columns: [String], of alias: String, else other: (String) -> String) -> String {
    let filled = Set(staged.filled.map(\.name))
    return columns.map { column in
      let value = "\(alias).\(Quote.identifier(column))"
      return filled.contains(column) ? "coalesce(\(value), \(other(column)))" : value
    }.joined(separator: ", ")
  }

  private static func present(_ column: String) -> String { "t.\(Quote.identifier(column))" }

  /// As records of no type of their own: rows would be compared column by column, by operators that columns
  /// lack.
  private func differs(from other: String) -> String {
    "pg_catalog.record_image_ne(ROW(\(Self.list(content, of: "t"))), "
      + "ROW(\(values(content, of: other, else: Self.present))))"
  }

  /// Staged rows of keys that are new.
  private var news: String {
    "\(from) s WHERE \(isAlive) AND NOT EXISTS (SELECT FROM \(into) t WHERE \(inScope) AND \(isSame))"
  }

  /// Whether rows can be gone by what the file says.
  var deletes: Bool {
    rule.missing == .delete || records.name != staged.name || group != key || staged.marksDeletions
      || !others.isEmpty
  }

  /// Those whose rows the file replaces.
  private var replaced: String? {
    guard rule.missing == .keep else { return nil }
    let distinct = records.name == staged.name && group == key ? "" : "DISTINCT "
    func named(in table: StagedTable) -> String {
      "SELECT \(distinct)\(Self.list(group, of: "r")) FROM \(Quote.qualified(table.name)) r"
    }
    return "(\(([records] + others).map(named).joined(separator: " UNION "))) k"
  }

  private var isGone: String {
    let scope = replaced == nil ? inScope : "\(inScope) AND \(Self.equal(group, "t", "k"))"
    return "\(scope) AND NOT EXISTS (SELECT FROM \(from) s WHERE \(isSame) AND \(isAlive))"
  }

  // MARK: Statements

  /// One row: how many would be inserted, updated and deleted.
  var counts: String {
    let gone =
      deletes
      ? "(SELECT count(*) FROM \(into) t\(replaced.map { ", \($0)" } ?? "") WHERE \(isGone))" : "0::bigint"
    return """
      SELECT (SELECT count(*) FROM \(news)),
        \(update == nil ? "0::bigint" : "(SELECT count(*) FROM \(into) t, \(from) s WHERE \(matches) AND \(differs))"), \(gone)
      """
  }

  /// Deletes what is gone; gives one row with their number.
  func deletion(keeping history: RowHistory?) -> String {
    let using = replaced.map { " USING \($0)" } ?? ""
    let returning = history.map { Self.list($0.columns, of: "t") } ?? "1"
    let kept = history.map { ", kept AS (\($0.insertion(from: "gone t")))" } ?? ""
    return """
      WITH gone AS (DELETE FROM \(into) t\(using) WHERE \(isGone) RETURNING \(returning))\(kept)
      SELECT count(*) FROM gone
      """
  }

  /// Keeps the rows that are about to be updated, and holds them; those on several servers cannot be held, and are
  /// written by merges alone, of which there is one at a time.
  func keeping(_ history: RowHistory) -> String {
    """
    WITH old AS MATERIALIZED (
      SELECT \(Self.list(history.columns, of: "t")) FROM \(into) t, \(from) s WHERE \(matches) AND \(differs)
      \(staged.target.distribution == nil ? "FOR NO KEY UPDATE OF t" : ""))
    \(history.insertion(from: "old t"))
    """
  }

  /// Updates what differs; nil where nothing can.
  var update: String? {
    guard !content.isEmpty, !isMatchedByContent else { return nil }
    return "UPDATE \(into) t SET \(assignments("s")) FROM \(from) s WHERE \(matches) AND \(differs)"
  }

  /// Inserts what is new. What somebody else has inserted meanwhile is made the same.
  var insertion: String {
    let names = columns.map(Quote.identifier).joined(separator: ", ")
    let defaults = Dictionary(staged.filled.map { ($0.name, $0.defaultValue) }) { first, _ in first }
    let news = "SELECT \(values(columns, of: "s", else: { defaults[$0] ?? "NULL" })) FROM \(news)"
    let statement = "INSERT INTO \(into) AS t (\(names)) \(news)"
    guard isShared else { return statement }
    let arbiter = key.map(Quote.identifier).joined(separator: ", ")
    guard !content.isEmpty, !isMatchedByContent else {
      return statement + " ON CONFLICT (\(arbiter)) DO NOTHING"
    }
    return """
      \(statement) ON CONFLICT (\(arbiter)) DO UPDATE SET \(assignments("excluded"))
      WHERE \(differs(from: "excluded"))
      """
  }

  private func assignments(_ alias: String) -> String {
    (content + columns.filter { $0 != "release" && Self.provenance.contains($0) }).map { column in
      "\(Quote.identifier(column)) = \(values([column], of: alias, else: Self.present))"
    }.joined(separator: ", ")
  }
}
