import Definitions
import PipelineCore
import PostgreSQL

/// The table that keeps what rows were before they were changed or deleted, with the span in which they held:
/// `<target>_history`, which has the target's columns, `valid_from` and `valid_to`.
///
/// A row holds from the first day of the release or the period that brought it until, without it, the first
/// day of the one that takes its place; in tables that hold no releases from one merge to another. Where the
/// table has a unique key, what it keeps already is not kept twice.
struct RowHistory: Sendable {
  let name: String
  /// The columns of the target.
  let columns: [String]
  private let target: String
  private let destination: Destination

  /// - Throws: ``RunError`` where there is no such table, or it lacks columns.
  init(of target: TargetTable, in destination: Destination, on connection: Connection) throws {
    name = MergeRule.history(of: target.name)
    columns = target.columns
    self.target = target.name
    self.destination = destination
    let found = try connection.query(
      """
      SELECT attname FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      """, [.text(Quote.qualified(name))]
    ).rows.map { try $0.value(0, String.self) }
    guard !found.isEmpty else { throw RunError.missingTarget(name) }
    let unknown = (columns + Self.span).filter { !found.contains($0) }
    guard unknown.isEmpty else { throw RunError.unknownColumns(target: name, columns: unknown) }
  }

  private static let span = ["valid_from", "valid_to"]

  /// A statement that keeps rows `t`.
  func insertion(from rows: String) -> String {
    let names = (columns + Self.span).map(Quote.identifier).joined(separator: ", ")
    let values = columns.map { "t.\(Quote.identifier($0))" } + [begin, end]
    return """
      INSERT INTO \(Quote.qualified(name)) (\(names)) SELECT \(values.joined(separator: ", ")) FROM \(rows)
      ON CONFLICT DO NOTHING
      """
  }

  private var begin: String {
    let merged =
      "SELECT min(m.%) FROM rivulet.merge m WHERE m.run = f.run AND m.target = \(Quote.literal(target))"
    let file = "FROM rivulet.source_file f WHERE f.source_file_id = t.source_file_id"
    guard let release = destination.release else {
      return "(SELECT (\(merged.replacing("%", with: "merged_at"))) \(file))"
    }
    return """
      coalesce((SELECT coalesce((\(merged.replacing("%", with: "period_from"))),
          (SELECT min(r.effective_from) FROM rivulet.release r WHERE r.run = f.run)) \(file)),
        \(Quote.literal(release.dates.from))::date)
      """
  }

  private var end: String {
    destination.period.map { "\(Quote.literal($0.from))::date" } ?? "now()"
  }
}
