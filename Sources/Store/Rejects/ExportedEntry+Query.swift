import Definitions
import Host
package import PipelineCore
package import PostgreSQL

extension ExportedEntry {
  /// The entries that a run refused records of, or a run before it whose refused records it loaded,
  /// corrected.
  package static func all(ofLineageOf run: Int, on connection: Connection) throws -> [ExportedEntry] {
    let entries = try connection.query(
      """
      SELECT o.source_file_id, o.source, coalesce(o.entry, o.file), coalesce(o.layout, ''), o.format, o.delimiter,
        EXISTS (SELECT FROM rivulet.source_file f JOIN rivulet.reject_reason r USING (source_file_id)
          WHERE f.run = $1 AND coalesce(f.replays, f.source_file_id) = o.source_file_id)
      FROM rivulet.source_file o WHERE o.source_file_id IN (
        SELECT coalesce(f.replays, f.source_file_id)
        FROM rivulet.run_lineage($1) l JOIN rivulet.source_file f USING (run)
        JOIN rivulet.reject_reason r USING (source_file_id))
      ORDER BY 1
      """, [.integer(run)]
    ).rows.map {
      ExportedEntry(
        sourceFileID: try $0.value(0), source: try $0.value(1), entry: Path.name(try $0.value(2)),
        layout: try $0.value(3), readAs: $0[4].flatMap(Source.Format.init(rawValue:)),
        delimiter: $0[5]?.utf8.first ?? UInt8(ascii: ","), isOfRun: try $0.value(6))
    }
    return named(entries)
  }
}
