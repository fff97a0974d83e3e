import Foundation
import TestSupport
import Testing

/// A folder of files that are made to do harm.
struct HostileFiles {
  static let project = [
    "rivulet.yaml": "project: own\ntime_zone: UTC\n",
    "Pipelines/items/pipeline.yaml": """
    pipeline: items
    release:
      from: [{in: archive-name, pattern: 'items(\\d{2})([a-d])', name: '20$1$2'}]
      effective: [{pattern: '(\\d{4})[A-D]', from: '$1-01-01'}]
    sources:
      - {name: items, entries: 'ITEM*', formats: [csv, xlsx], layouts: items, target: own.item,
         key: [code], optional: true}
      - {name: things, entries: 'THING*', formats: [ndjson, json, xml], layouts: things, target: own.thing,
         key: [code], optional: true}
    publish: release
    """,
    "Pipelines/items/layouts/items.yaml": OwnProject.layout(
      "items", "name: code, csv: CODE, type: text, required: true", "name: words, csv: WORDS, type: text"),
    "Pipelines/items/layouts/things.yaml": OwnProject.layout(
      "things", "name: code, json: code, type: text, required: true"),
    "Migrations/0001_own.sql": OwnProject.migration(
      "own",
      making: OwnProject.table("own.item", "code text, words text", key: "code")
        + OwnProject.table("own.thing", "code text", key: "code")),
  ]

  /// A database with the tables, to be copied.
  static let migrated = Result { try Loaded.database(of: project) }

  private let scratch: Scratch
  var path: String { scratch.path }

  init() throws { scratch = try Scratch() }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try scratch.write(name, text) }

  /// A file with a hole of zeros, which takes no room on the disk.
  func sparse(_ name: String, start: String = "", megabytes: Int, end: String = "") throws {
    let file = try FileHandle(forWritingTo: URL(filePath: write(name, start)))
    try file.truncate(atOffset: UInt64(megabytes) << 20)
    try file.seekToEnd()
    try file.write(contentsOf: Data(end.utf8))
    try file.close()
  }

  /// Packs files of the folder.
  func zip(_ name: String, _ files: String...) throws {
    try Shell.run("sh", "-c", "zip -q1 \(name) \(files.joined(separator: " "))", in: path)
  }

  /// Adds bytes to a gzip, so many times, each as a part of its own.
  func gzip(_ name: String, _ bytes: [UInt8], times: Int) throws {
    try scratch.write("part", bytes: bytes)
    let many = "i=0; while [ $i -lt \(times) ]; do cat part.gz; i=$((i+1)); done >> \(name)"
    try Shell.run("sh", "-c", "gzip -9 part; \(many); rm part.gz", in: path)
  }

  /// Puts bytes in the place of others, wherever a file has them.
  func replace(_ name: String, _ bytes: [UInt8], by others: [UInt8]) throws {
    var data = [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
    try #require(data.contains(bytes))
    data.replace(bytes, with: others)
    try scratch.write(name, bytes: data)
  }

  /// A number as a zip has it.
  static func bytes(_ number: Int, count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

extension HostileFiles {
  /// Writes a zip of stored entries, whatever they are called.
  func forge(_ name: String, _ entries: [(name: String, text: String)]) throws {
    var (zip, directory): ([UInt8], [UInt8]) = ([], [])
    for entry in entries {
      let (name, text) = (Array(entry.name.utf8), Array(entry.text.utf8))
      // The version, the flag of UTF-8, stored, no time.
      let common =
        [20, 0, 0, 8, 0, 0, 0, 0, 0, 0] + Self.bytes(Self.crc32(text)) + Self.bytes(text.count)
        + Self.bytes(text.count) + Self.bytes(name.count, count: 2)
      directory += [0x50, 0x4B, 1, 2, 20, 3] + common
      directory += [0, 0, 0, 0, 0, 0, 0, 0] + Self.bytes(0o100644 << 16) + Self.bytes(zip.count)
      directory += name
      zip += [0x50, 0x4B, 3, 4] + common + [0, 0]
      zip += name
      zip += text
    }
    let count = Self.bytes(min(entries.count, 0xFFFF), count: 2)
    let sizes = Self.bytes(directory.count) + Self.bytes(zip.count)
    try scratch.write(
      name, bytes: zip + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count + sizes + [0, 0])
  }

  private static func crc32(_ bytes: [UInt8]) -> Int {
    let sum = bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return Int(~sum)
  }
}

extension HostileFiles {
  private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

  /// Writes a workbook with two good rows, and what else of which kind, so many times.
  ///
  /// `start`: is before the sheet. `links`: are beside the relationships of its parts.
  func workbook(
    _ name: String, start: String = "", sheet: (piece: String, times: Int) = ("", 0),
    strings: (piece: String, times: Int) = ("", 0), sheets: Int = 1, links: String = ""
  ) throws {
    func relation(_ id: String, _ kind: String, _ target: String) -> String {
      "<Relationship Id=\"\(id)\" Type=\"\(Self.related)/\(kind)\" Target=\"\(target)\"/>"
    }
    let rows = [["CODE", "WORDS"], ["a", "one"]].map { row in
      "<row>\(row.map { "<c t=\"inlineStr\"><is><t>\($0)</t></is></c>" }.joined())</row>"
    }
    let parts =
      relation("s", "worksheet", "sheet.xml") + relation("t", "sharedStrings", "strings.xml") + links
    try write("x/[Content_Types].xml", "<Types/>")
    try write(
      "x/_rels/.rels", "<Relationships>\(relation("w", "officeDocument", "xl/workbook.xml"))</Relationships>")
    try write("x/xl/_rels/workbook.xml.rels", "<Relationships>\(parts)</Relationships>")
    try repeating(
      "x/xl/workbook.xml", "<workbook xmlns=\"\(Self.main)\" xmlns:r=\"\(Self.related)\"><sheets>",
      "<sheet name=\"S\" sheetId=\"1\" r:id=\"s\"/>", sheets, "</sheets></workbook>")
    try repeating(
      "x/xl/sheet.xml", "\(start)<worksheet xmlns=\"\(Self.main)\"><sheetData>\(rows.joined())", sheet.piece,
      sheet.times, "</sheetData></worksheet>")
    try repeating(
      "x/xl/strings.xml", "<sst xmlns=\"\(Self.main)\">", strings.piece, strings.times, "</sst>")
    try Shell.run("sh", "-c", "cd x && zip -qr9 ../\(name) . && rm -r ../x", in: path)
  }

  private func repeating(
    _ name: String, _ start: String, _ piece: String, _ times: Int, _ end: String
  ) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: write(name, start)))
    try file.seekToEnd()
    let step = 10_000
    let many = Data(String(repeating: piece, count: step).utf8)
    for _ in 0..<(times / step) { try file.write(contentsOf: many) }
    try file.write(contentsOf: Data((String(repeating: piece, count: times % step) + end).utf8))
    try file.close()
  }
}
