import Definitions
import Host
import PipelineCore
public import PostgreSQL
import Store

/// Writes refused records in the format of their source, to be corrected and replayed.
///
/// A csv, also of a workbook, gets the column ``ReasonColumn`` before those of its source. Other formats have
/// no room for that: their records stay as they are, of JSON on a line each, and the reasons are in a file of
/// their own, line by line.
public struct RejectExport {
  /// A file that was written.
  public struct Exported: Sendable {
    /// Its path.
    public let file: String
    /// The source's name in the pipeline.
    public let source: String
    /// The last component of the entry's name.
    public let entry: String
    /// How many records it has.
    public let records: Int
    /// How many records of the entry were refused and are not kept.
    public let missing: Int
  }

  /// A file is in the way, which may have been corrected by hand.
  public struct Existing: Error, CustomStringConvertible, Sendable {
    /// The file.
    public let path: String

    /// A sentence for the user.
    public var description: String { "\(path) exists already, and nothing was written" }

    /// How to go on.
    public var hint: String { "name another file, or write over it with --force" }
  }

  /// So many bytes of records are fetched at once, or one record: it may have a megabyte, and comes as twice
  /// as many digits.
  private static let batchBytes = 1 << 20

  private let connection: Connection

  /// The quarantine of one database.
  public init(connection: Connection) { self.connection = connection }

  /// Writes the refused records of a run: one file where one entry has such, else a folder with a file for
  /// each. Nobody but their owner can read them.
  ///
  /// `path`: the file, or the folder, which is made.
  /// `source`: leaves out the records of other sources.
  /// `replacesFiles`: whether files of these names are written over.
  /// - Returns: nothing where nothing was refused.
  /// - Throws: ``Existing`` before anything is written, `FileError` where a file cannot be written, and
  ///   `PostgreSQLError`.
  public func write(
    run: Int, to path: String, source: String? = nil, replacesFiles: Bool = false
  ) throws -> [Exported] {
    let known = try ExportedEntry.all(ofLineageOf: run, on: connection)
    let entries = try RejectStore.entries(ofRun: run, source: source, among: known, on: connection)
    guard !entries.isEmpty else { return [] }
    let isFile = entries.count == 1 && !Files.isDirectory(path)
    let files = entries.map { ($0, path: isFile ? path : Path.join(path, $0.known.fileName)) }
    if !replacesFiles {
      for (entry, file) in files {
        try Self.require(absent: file)
        if entry.known.format != .csv { try Self.require(absent: file + ExportedEntry.reasonsSuffix) }
      }
    }
    if !isFile { try Files.makeDirectory(path, mode: 0o700) }
    return try files.map { try write($0, to: $1) }
  }

  /// A device or a pipe has nothing that could be lost.
  private static func require(absent path: String) throws {
    if let status = try? FileStatus(path), status.kind == .file { throw Existing(path: path) }
  }

  private func write(_ entry: RejectStore.Entry, to path: String) throws -> Exported {
    let output = try OutputFile(path, mode: OutputFile.ownersOnly)
    let format = entry.known.format
    let reasons =
      format == .csv ? nil : try OutputFile(path + ExportedEntry.reasonsSuffix, mode: OutputFile.ownersOnly)
    // What was UTF-16 is kept as UTF-8, and no record that was broken in UTF-8 may pass for another encoding.
    if entry.encoding.hasPrefix("utf-"), !format.isTree { try output.write([0xEF, 0xBB, 0xBF]) }
    if format == .xml { try output.write("<records>\n") }
    let delimiter = entry.known.delimiter
    try writeHeader(of: entry, delimiter, output)
    try reasons?.write("line,\(ReasonColumn.name)\n")
    var (records, lines) = (0, 0)
    try RejectStore.records(of: entry.sourceFileID, batch: try batch(of: entry), on: connection) { rows in
      try Interruption.shared.check()
      for row in rows.rows {
        records += 1
        let raw = RawRecord(try row.value(3), continuedAt: try row.optional(4) ?? [])
        let reason = ReasonColumn.field(
          line: try row.value(0), column: row[1], rule: try row.value(2), delimiter: delimiter)
        for record in raw.records {
          lines += 1
          if let reasons {
            try reasons.write("\(lines),\(reason.dropLast())\n")
          } else {
            try output.write(reason)
          }
          try output.write(Self.written(record, as: format))
          try output.write("\n")
        }
      }
    }
    if format == .xml { try output.write("</records>\n") }
    try reasons?.close()
    try output.close()
    return Exported(
      file: path, source: entry.known.source, entry: entry.known.entry, records: records,
      missing: max(0, entry.refused - records))
  }

  /// A record as a line or an element of its own.
  private static func written(_ record: ArraySlice<UInt8>, as format: Source.Format) -> ArraySlice<UInt8> {
    switch format {
    // A line end in JSON is between its values, where a blank does as well.
    case .ndjson: return record.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }[...]
    case .xml: return ExportedEntry.element(around: record)
    default: return record
    }
  }

  /// How many of an entry's records are fetched at once: by the longest, whose length the server knows
  /// without reading it.
  private func batch(of entry: RejectStore.Entry) throws -> Int {
    let longest = try RejectStore.longest(of: entry.sourceFileID, on: connection)
    return min(max(1, Self.batchBytes / max(1, longest)), 1000)
  }

  /// A header of several records has the column's name in its last.
  private func writeHeader(of entry: RejectStore.Entry, _ delimiter: UInt8, _ output: OutputFile) throws {
    let mark = String(UnicodeScalar(delimiter))
    let records = try RejectHeader(ofSource: entry.sourceFileID, on: connection).records
    for (index, record) in records.enumerated() {
      try output.write(index == records.count - 1 ? ReasonColumn.name + mark : mark)
      try output.write(record)
      try output.write("\n")
    }
  }
}
