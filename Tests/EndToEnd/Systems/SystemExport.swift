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

  /// An export of some records.
  init(_ system: String, _ files: [String: [Record]]) { (self.system, self.files) = (system, files) }

  /// The sample of a system.
  init(_ system: String, rows: Int = 60) throws {
    self.system = system
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

  /// Writes the files into a folder, as csv only where all values are texts.
  ///
  /// `lines`: text behind the records of each file.
  func write(to scratch: Scratch, _ folder: String, as format: String = "ndjson", behind lines: String = "")
    throws -> String
  {
    for (name, records) in files {
      let names = Set(records.flatMap(\.keys)).sorted()
      let texts = try records.map { record in
        format == "csv"
          ? names.map { record[$0] as? String ?? "" }.joined(separator: ",")
          : String(
            decoding: try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys]),
            as: UTF8.self)
      }
      let text =
        switch format {
        case "json": "[" + texts.joined(separator: ",\n") + "]"
        case "csv": ([names.joined(separator: ",")] + texts).joined(separator: "\n") + "\n"
        default: texts.joined(separator: "\n") + "\n" + lines
        }
      try scratch.write("\(folder)/\(name).\(format)", text)
    }
    return scratch.path + "/" + folder
  }
}
