import Definitions
import PipelineCore
import PostgreSQL

/// The records of a source that share their key with an earlier one, where the source says to set them aside.
///
/// Nothing is looked for unless a key could not be built, so that a source without duplicates pays nothing.
struct DuplicateRecords {
  let source: Source
  /// The source's own table.
  let table: StagedTable
  /// Those of its children, as far as the bundle has them.
  let children: [StagedTable]

  /// Those of which a newer version is there, those that bring the same rows as the first of their key, where
  /// the source sets them aside, and then all others.
  var checks: [Check] {
    var checks: [Check] = []
    if let column = source.newest {
      checks.append(
        Check(
          rule: source.olderVersionsRule, severity: .skip, source: source.name, sql: older(by: column),
          about: "A newer version of the record is there"))
    }
    if source.duplicates == .setAside {
      checks.append(
        Check(
          rule: source.copiesRule, severity: .skip, source: source.name, sql: copies,
          about: "The record is a copy of an earlier one"))
    }
    checks.append(
      Check(
        rule: source.secondRecordsRule, severity: .reject, source: source.name, sql: seconds,
        about: "The record has the key of an earlier one and says something else"))
    return checks
  }

  private static let origin = ["source_file_id", "source_line"]

  /// Every record that is older than another of its key; one that does not say how old it is is the oldest.
  private func older(by column: String) -> String {
    let key = source.key.map(Quote.identifier).joined(separator: ", ")
    let age = Quote.identifier(column)
    return """
      SELECT source_file_id, source_line FROM (
        SELECT source_file_id, source_line, \(age) AS age, max(\(age)) OVER (PARTITION BY \(key)) AS newest
        FROM \(Quote.qualified(table.name))) versions
      WHERE newest IS NOT NULL AND age IS DISTINCT FROM newest
      """
  }

  /// Every record after the first of its key, with that first one.
  private var later: String {
    let key = source.key.map(Quote.identifier).joined(separator: ", ")
    return """
      SELECT * FROM (
        SELECT source_file_id, source_line, first_value(source_file_id) OVER w AS first_file_id,
          first_value(source_line) OVER w AS first_line, row_number() OVER w AS place
        FROM \(Quote.qualified(table.name))
        WINDOW w AS (PARTITION BY \(key) ORDER BY source_file_id, source_line)) numbered
      WHERE place > 1
      """
  }

  /// The first of the records that say something else, after the copies are gone: the record whose key it has,
  /// and itself, each as the number of its file and its line.
  func firstPair(on connection: Connection) throws -> [(sourceFileID: Int, line: Int)] {
    let rows = try connection.query(
      "SELECT first_file_id, first_line, source_file_id, source_line FROM (\(later)) later ORDER BY 3, 4 LIMIT 1"
    )
    guard let row = rows.rows.first else { return [] }
    return try [0, 2].map { (try row.value($0), try row.value($0 + 1)) }
  }

  private var seconds: String { "SELECT source_file_id, source_line FROM (\(later)) later" }

  /// Holds the rows of such records against those of the first, table by table, without where they come from.
  private var copies: String {
    let contents = ([table] + children).enumerated().map { index, table in
      """
      content\(index) AS (
        SELECT r.source_file_id, r.source_line, jsonb_agg(
          to_jsonb(r) - \(Self.originArray) ORDER BY to_jsonb(r) - \(Self.originArray)) AS rows
        FROM \(Quote.qualified(table.name)) r
        WHERE (r.source_file_id, r.source_line) IN (
          SELECT source_file_id, source_line FROM later UNION SELECT first_file_id, first_line FROM later)
        GROUP BY 1, 2)
      """
    }
    let same = contents.indices.map { index in
      """
      (SELECT rows FROM content\(index) c
        WHERE (c.source_file_id, c.source_line) = (l.source_file_id, l.source_line))
      IS NOT DISTINCT FROM (SELECT rows FROM content\(index) c
        WHERE (c.source_file_id, c.source_line) = (l.first_file_id, l.first_line))
      """
    }
    return """
      WITH later AS MATERIALIZED (\(later)), \(contents.joined(separator: ", "))
      SELECT source_file_id, source_line FROM later l WHERE \(same.joined(separator: " AND "))
      """
  }

  private static let originArray =
    "ARRAY[" + origin.map(Quote.literal).joined(separator: ", ") + "]::text[]"
}
