public import PipelineCore
public import PostgreSQL

/// A refused record as the quarantine has it, without its bytes.
public struct RejectRow: Sendable {
  /// The source's name in the pipeline.
  public let source: String
  /// The file on disk.
  public let file: String
  /// The entry in the archive.
  public let entry: String?
  /// The physical line, from 1; of a sheet the row.
  public let line: Int
  /// Bytes from the start of the entry.
  public let byteOffset: Int
  /// The column, where one is to blame.
  public let column: String?
  /// The rule's name.
  public let rule: String
  /// What stood in the column, escaped and cut off; nil where no column is to blame, and always where the
  /// layout has a sensitive one.
  public let value: String?
}

/// The quarantine, read.
public struct RejectHistory {
  private let connection: Connection

  /// The quarantine of one database.
  public init(connection: Connection) { self.connection = connection }

  /// How many records of a run were refused, and how many of them are kept.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func counts(ofRun run: Int) throws -> (refused: Int, kept: Int) {
    let row = try connection.query(
      """
      SELECT coalesce(sum(r.records), 0)::bigint,
        (SELECT count(*) FROM rivulet.reject j JOIN rivulet.source_file f USING (source_file_id) WHERE f.run = $1)
      FROM rivulet.reject_reason r JOIN rivulet.source_file f USING (source_file_id) WHERE f.run = $1
      """, [.integer(run)])[0]
    return (try row.value(0), try row.value(1))
  }

  /// Why records of a run were refused, the commonest reason first.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func reasons(ofRun run: Int) throws -> [RejectReason] {
    let reasons = try connection.query(
      """
      SELECT f.source_file_id, f.source, f.file, f.entry, r.column_name, r.rule, r.records, r.lines, r.shown
      FROM rivulet.reject_reason r JOIN rivulet.source_file f USING (source_file_id) WHERE f.run = $1
      """, [.integer(run)]
    ).rows.map { row in
      let lines: [Int] = try row.value(7)
      let values: [String] = try row.value(8)
      return RejectReason(
        sourceFileID: try row.value(0), source: try row.value(1), file: try row.value(2), entry: row[3],
        column: row[4], rule: try row.value(5), records: try row.value(6),
        examples: lines.enumerated().map { index, line in
          RejectReason.Example(
            line: line, value: index < values.count ? values[index] : nil, explanation: nil)
        })
    }
    return RejectReason.ordered(reasons)
  }

  /// The first records of a run that were refused and kept, in the order of its sources and their lines.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func list(ofRun run: Int, limit: Int) throws -> [RejectRow] {
    try connection.query(
      """
      SELECT f.source, f.file, f.entry, j.line, j.byte_offset, j.column_name, j.rule, j.value
      FROM rivulet.source_file f
      CROSS JOIN LATERAL (
        SELECT * FROM rivulet.reject j WHERE j.source_file_id = f.source_file_id
        ORDER BY j.line, j.reject LIMIT $2) j
      WHERE f.run = $1 ORDER BY f.source_file_id, j.line, j.reject LIMIT $2
      """, [.integer(run), .integer(limit)]
    ).rows.map { row in
      RejectRow(
        source: try row.value(0), file: try row.value(1), entry: row[2], line: try row.value(3),
        byteOffset: try row.value(4), column: row[5], rule: try row.value(6), value: row[7])
    }
  }
}
