import Foundation
import PostgreSQL
import TestSupport
import Testing

/// An export of one of the systems, record by record, as its sample has it or changed.
struct SystemExport {
  typealias Record = [String: Any]

  /// The systems, each with a file whose records are not few.
  static let systems = ["rvutrack", "clara", "oncall", "doula", "ccc"]

  let system: String
  /// The records of each file, by the file's name without its extension.
  var files: [String: [Record]] = [:]

  /// The sample of a system, or an export of nothing.
  init(_ system: String, rows: Int? = 60) throws {
    self.system = system
    guard let rows else { return }
    let folder = try Scratch()
    let sample = try Samples.make(system, formats: ["ndjson"], rows: rows, name: "export.zip")
    try Loaded.unzip(sample, into: folder.path)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let text = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
      files[String(name.dropLast(".ndjson".count))] = try text.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Record)
      }
    }
  }

  /// Changes a record of a file.
  mutating func edit(_ file: String, _ number: Int = 0, _ change: (inout Record) throws -> Void) throws {
    var record = try #require(files[file]?[number], "\(file) has no record \(number)")
    try change(&record)
    files[file]?[number] = record
  }

  /// Only the first records of a file, and no other file.
  func only(_ file: String, _ count: Int = 1) -> SystemExport {
    var export = self
    export.files = [file: Array((files[file] ?? []).prefix(count))]
    return export
  }

  /// The same with names as Swift and JavaScript write them.
  var camelCased: SystemExport {
    var export = self
    export.files = files.mapValues { records in
      records.map { record in
        Dictionary(uniqueKeysWithValues: record.map { (Self.camelCased($0.key), $0.value) })
      }
    }
    return export
  }

  private static func camelCased(_ name: String) -> String {
    let words = name.split(separator: "_")
    return ([words[0].lowercased()] + words.dropFirst().map(\.capitalized)).joined()
  }

  /// Writes the files into a folder.
  ///
  /// `lines`: text behind the records of each file.
  func write(to scratch: Scratch, _ folder: String, as format: String = "ndjson", behind lines: String = "")
    throws -> String
  {
    for (name, records) in files {
      let texts = try records.map { record in
        String(
          decoding: try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys]), as: UTF8.self)
      }
      let text =
        format == "json"
        ? "[" + texts.joined(separator: ",\n") + "]" : texts.joined(separator: "\n") + "\n" + lines
      try scratch.write("\(folder)/\(name).\(format)", text)
    }
    return scratch.path + "/" + folder
  }
}

/// A migrated database that exports are loaded into.
struct SystemDatabase {
  let database: TestDatabase
  let program: Program
  let scratch: Scratch

  init() throws {
    (database, program) = try Loaded.migrated()
    scratch = try Scratch()
  }

  /// Loads an export, with all of what the program says of it.
  @discardableResult
  func load(
    _ export: SystemExport, as format: String = "ndjson", behind lines: String = "", _ options: String...
  ) throws -> Program.Outcome {
    let folder = try export.write(to: scratch, UUID().uuidString, as: format, behind: lines)
    return try program.run(["run", export.system, folder, "--no-refresh"] + options)
  }

  /// The same, which must go well.
  func require(_ export: SystemExport, as format: String = "ndjson") throws {
    let outcome = try load(export, as: format)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// All rows of a system's tables, without where they come from.
  func content(of system: String) throws -> [String: [String]] {
    let connection = try database.connect()
    let tables = try connection.query(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace", [.text(system)]
    ).rows.map { try $0.value(0, String.self) }
    var content: [String: [String]] = [:]
    for table in tables {
      content[table] = try rows(
        """
        SELECT (to_jsonb(t) - ARRAY['source_file_id', 'source_line'])::text
        FROM \(Quote.qualified("\(system).\(table)")) t ORDER BY 1
        """)
    }
    return content
  }

  /// The rows of an answer, their values parted by bars.
  func rows(_ sql: String) throws -> [String] {
    let result = try database.connect().execute(sql)
    return result.rows.map { row in
      result.columns.indices.map { row[$0] ?? "-" }.joined(separator: " | ")
    }
  }
}
