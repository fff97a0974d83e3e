import Definitions
import Foundation

@testable import Sampler

/// A sample of the project's own pipeline, held in memory.
struct Sample {
  let files: [String: [UInt8]]
  let names: [String: String]

  /// The folder with `rivulet.yaml`.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  static func pipeline() throws -> Pipeline {
    try Project.load(root).pipeline(named: "cms-rvu")
  }

  init(rows: Int, seed: UInt64 = 1, release: String = "2025D") throws {
    let definition = try Sampler.load(Self.pipeline()).definition
    let texts = try definition.release.texts(for: release)
    let maker = RowMaker(tables: definition.tables, pool: definition.pool, rows: rows, seed: seed)
    var files: [String: [UInt8]] = [:]
    var names: [String: String] = [:]
    for file in definition.files {
      var bytes: [UInt8] = []
      try SampleOutput(file: file, format: .csv, quirks: [], maker: maker, texts: texts)
        .write { (piece) throws(SampleError) in bytes += piece }
      files[file.source] = bytes
      names[file.source] = file.entry.filled(texts)
    }
    self.files = files
    self.names = names
  }

  /// The records of a file, quotes taken off.
  func records(_ source: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    for byte in files[source] ?? [] {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted, UInt8(ascii: "\n"):
        record.append(String(decoding: field, as: UTF8.self))
        field = []
        guard byte == UInt8(ascii: "\n") else { continue }
        records.append(record)
        record = []
      case UInt8(ascii: "\r"): break
      default: field.append(byte)
      }
    }
    return records
  }

  /// Where a file's header is.
  func header(_ source: String) throws -> HeaderMatch {
    let pipeline = try Self.pipeline()
    guard let layout = pipeline.source(named: source).flatMap(pipeline.layout) else { return try noLayout() }
    return try HeaderMatch.find(in: Array(records(source).prefix(14)), layout: layout)
  }

  /// The data records of a file by the layout's column names; records with one field or none are left out.
  func rows(_ source: String) throws -> [[String: String]] {
    let pipeline = try Self.pipeline()
    let columns = pipeline.source(named: source).flatMap(pipeline.layout)?.versions.last?.columns ?? []
    let match = try header(source)
    let data = records(source)[(match.lastRow + 1)...].filter { $0.count { !$0.isEmpty } > 1 }
    return data.map { record in
      var row: [String: String] = [:]
      for (column, field) in zip(columns, match.fields) {
        if let field { row[column.name] = record[field] }
      }
      return row
    }
  }

  private func noLayout() throws -> HeaderMatch {
    struct NoLayout: Error {}
    throw NoLayout()
  }
}

/// A decimal text in units of its last allowed digit: `1.5` at scale 3 is 1500.
func units(_ text: String?, scale: Int) -> Int {
  let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
  let fraction = parts.count > 1 ? parts[1] : ""
  return Int(parts[0] + fraction + String(repeating: "0", count: scale - fraction.count)) ?? -1
}
