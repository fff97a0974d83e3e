package import PipelineCore
package import PostgreSQL

/// What an export of rejected records reads.
extension RejectStore {
  /// An entry of a run that has rejected records.
  package struct Entry: Sendable {
    /// The publisher's entry.
    package let known: ExportedEntry
    /// The number of the run's own entry.
    package let sourceFileID: Int
    /// The encoding of its text.
    package let encoding: String
    /// How many records were rejected, kept or not.
    package let refused: Int
  }

  /// The entries of a run that have rejected records, in their order.
  ///
  /// `source`: leaves out those of other sources.
  /// `known`: the publisher's entries of the run and of those before it.
  package static func entries(
    ofRun run: Int, source: String?, among known: [ExportedEntry], on connection: Connection
  ) throws -> [Entry] {
    try connection.query(
      """
      SELECT f.source_file_id, coalesce(f.replays, f.source_file_id), coalesce(f.encoding, ''),
        r.records
      FROM rivulet.source_file f
      JOIN (SELECT source_file_id, sum(records)::bigint AS records FROM rivulet.reject_reason GROUP BY 1) r
        USING (source_file_id)
      WHERE f.run = $1 AND ($2::text IS NULL OR f.source = $2) ORDER BY 1
      """, [.integer(run), Parameter(source)]
    ).rows.compactMap { row -> Entry? in
      let origin: Int = try row.value(1)
      guard let known = known.first(where: { $0.sourceFileID == origin }) else { return nil }
      return Entry(
        known: known, sourceFileID: try row.value(0), encoding: try row.value(2), refused: try row.value(3))
    }
  }

  /// The rejected records of an entry in batches: line, column, rule, bytes, and where in them records go on.
  package static func records(
    of sourceFileID: Int, batch: Int, on connection: Connection, _ body: (ResultSet) throws -> Void
  ) throws {
    try connection.stream(
      """
      SELECT line, column_name, rule, raw, continued_at FROM rivulet.reject WHERE source_file_id = $1
      ORDER BY line, reject
      """, [.integer(sourceFileID)], batch: batch, body)
  }

  /// The bytes of the longest rejected record of an entry; the server knows them without reading the records.
  package static func longest(of sourceFileID: Int, on connection: Connection) throws -> Int {
    try connection.query(
      "SELECT coalesce(max(octet_length(raw)), 0)::bigint FROM rivulet.reject WHERE source_file_id = $1",
      [.integer(sourceFileID)])[0].value(0)
  }
}
