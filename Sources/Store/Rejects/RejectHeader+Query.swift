package import PipelineCore
package import PostgreSQL

extension RejectHeader {
  /// Keeps the header, unless it is kept already.
  package func insert(on connection: Connection) throws {
    for (position, record) in records.enumerated() {
      try connection.query(
        "INSERT INTO rivulet.reject_header (source_file_id, position, raw) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [.integer(sourceFileID), .integer(position), .bytes(record)])
    }
  }

  /// Reads what was kept; without records where there is no header.
  package init(ofSource id: Int, on connection: Connection) throws {
    self.init(
      sourceFileID: id,
      records: try connection.query(
        "SELECT raw FROM rivulet.reject_header WHERE source_file_id = $1 ORDER BY position", [.integer(id)]
      ).rows.map { try $0.value(0) })
  }
}
