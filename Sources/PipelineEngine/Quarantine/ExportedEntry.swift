import Definitions
import Host
import PostgreSQL

/// An entry of a publisher's that has refused records, as exports and replays know it.
struct ExportedEntry: Sendable {
  /// The number of the publisher's entry.
  let sourceFileID: Int
  let source: String
  /// The last component of the entry's name.
  let entry: String
  /// The layout and its version, as `pprrvu 2025`.
  let layout: String
  /// Whether the run itself has refused records of it, not only one before it.
  let isOfRun: Bool
  /// What the entry's refused records are called where several entries have such.
  fileprivate(set) var fileName = ""

  /// The element around each record of an XML document that is exported.
  static let recordElement = "record"

  /// What the records are exported as: in the format of the entry, of a workbook as csv, of JSON one record a line.
  var format: Source.Format {
    switch Source.Format(fileName: entry) {
    case .txt: .txt
    case .xml: .xml
    case .json, .ndjson: .ndjson
    case .csv, .xlsx, nil: .csv
    }
  }

  /// The entries that a run refused records of, or a run before it whose refused records it loaded, mended.
  static func all(ofLineageOf run: Int, on connection: Connection) throws -> [ExportedEntry] {
    var entries = try connection.query(
      """
      SELECT o.source_file_id, o.source, coalesce(o.entry, o.file), coalesce(o.layout, ''),
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
        layout: try $0.value(3), isOfRun: try $0.value(4))
    }
    let names = entries.map(\.ownName)
    for index in entries.indices {
      // Two sources may read one entry, and two folders have entries of one name.
      let isShared = names.filter { $0 == names[index] }.count > 1
      let (source, id) = (entries[index].source, entries[index].sourceFileID)
      let isSharedBySource = entries.filter { $0.ownName == names[index] && $0.source == source }.count > 1
      entries[index].fileName =
        isSharedBySource
        ? "\(source)-\(id)-\(names[index])" : isShared ? "\(source)-\(names[index])" : names[index]
    }
    return entries
  }

  /// The entry's name; of a workbook that of the csv that its records become, of a document that of their lines.
  private var ownName: String {
    // Of a document, too, lines are what is exported.
    Source.Format(fileName: entry) == format ? entry : entry + "." + format.rawValue
  }
}
