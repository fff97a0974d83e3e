import Definitions
import Foundation
import TestSupport
import Testing

@testable import Sampler

/// A sample of the project's own pipeline as csv.
struct Sample {
  let files: [String: [UInt8]]
  let names: [String: String]

  static func pipeline() throws -> Pipeline {
    try Project.load(SharedData.project).pipeline(named: "cms-rvu")
  }

  init(rows: Int, seed: UInt64 = 1, release: String = "2025D") throws {
    let scratch = try Scratch()
    let path = scratch.path + "/sample.zip"
    let entries = try Sampler.own().write(to: path, rows: rows, seed: seed, release: release)
    let zip = try ZipContents.read([UInt8](Data(contentsOf: URL(filePath: path))))
    names = Dictionary(
      uniqueKeysWithValues: entries.compactMap { entry in entry.source.map { ($0, entry.name) } })
    files = names.mapValues { zip[$0] }
    #expect(entries.allSatisfy { $0.bytes == zip[$0.name].count } && entries.map(\.name) == zip.names)
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
    let layout = try #require(pipeline.source(named: source).flatMap(pipeline.layout))
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
}

/// A decimal text in units of its last allowed digit: `1.5` at scale 3 is 1500.
func units(_ text: String?, scale: Int) -> Int {
  let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
  let fraction = parts.count > 1 ? parts[1] : ""
  return Int(parts[0] + fraction + String(repeating: "0", count: scale - fraction.count)) ?? -1
}
