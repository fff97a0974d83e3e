import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The txt and the workbooks of a bundle against its csv.
@Suite("A real RVU release in another format")
struct FormatTests {
  /// What the publisher cut or worded otherwise: the texts of a txt are cut at their places, the stars of
  /// footnotes are left out, and California is missing on the first record of its block too.
  static let known: [String: [String: Int]] = [
    "txt": [
      "anesthesia_cf.locality_name": 10, "locality_county.counties": 10,
      "locality_county.fee_schedule_area": 2, "locality_county.state": 29,
    ],
    "xlsx": ["anesthesia_cf.locality_name": 5],
  ]

  @Test(
    "has the rows of the csv, value by value, but for texts that the publisher cut or worded otherwise",
    .needs(Loaded.latest, Loaded.first),
    arguments: [(Loaded.latest, "2025D"), (Loaded.first, "2025A")])
  func sameRows(path: String, release: String) throws {
    let rows = try Published.rows(Published.feeSchedule, of: Loaded.both.get().0, release: release)
    #expect(rows.count > 30_000)
    for format in ["txt", "xlsx"] {
      let desk = try Desk()
      try Loaded.unzip(SharedData.path(path), "*.\(format)", into: desk.scratch.path)
      try desk.load("cms-rvu", desk.scratch.path, options: ["--release", release, "--no-refresh"]).succeeded()
      let found = try Published.rows(Published.feeSchedule, of: desk.database, release: release)
      #expect(Published.differences(found, rows) == Self.known[format])
    }
  }

  @Test(
    "is compared with the csv by --cross-check: no difference in numbers and keys, each text that differs, and the codes that a workbook holds as numbers",
    .needs(Loaded.latest, Loaded.first),
    arguments: [(Loaded.latest, 11_380), (Loaded.first, 0)])
  func crossCheck(bundle: String, numbers: Int) throws {
    let (database, program) = try Loaded.migrated()
    let run = try program.run(
      "run", "cms-rvu", "--cross-check", "--dry-run", "--format", "json", SharedData.path(bundle)
    ).succeeded()
    let checks = try #require(run.object()["cross_checks"] as? [[String: Any]])
    let pairs = checks.map { ($0["formats"] as? [String])?.joined(separator: " ") ?? "" }
    #expect(pairs == Array(repeating: ["csv txt", "csv xlsx"], count: 5).flatMap(\.self))
    var differing: [String: Int] = [:]
    for check in checks {
      for member in ["only_in_first", "only_in_second", "rejected"] { #expect(check[member] as? Int == 0) }
      #expect((check["compared"] as? Int ?? 0) >= 109)
      let columns = try #require(check["columns"] as? [String: Int])
      // Each difference is listed, by key and column.
      let listed = try #require(check["differences"] as? [[String: Any]])
      #expect(listed.count == columns.values.reduce(0, +))
      #expect(listed.allSatisfy { $0["first"] as? String != $0["second"] as? String })
      let source = check["source"] as? String ?? ""
      let format = (check["formats"] as? [String])?.last ?? ""
      for (column, count) in columns { differing["\(source) \(format) \(column)"] = count }
    }
    #expect(
      differing == [
        "locco txt counties": 10, "locco txt fee_schedule_area": 2, "locco txt state": 29,
        "anes txt locality_name": 10, "anes xlsx locality_name": 5,
      ])
    let cells = checks.filter { $0["source"] as? String == "pprrvu" }.compactMap {
      ($0["numbers"] as? [[String: Any]])?.first { $0["column"] as? String == "hcpcs" }
    }
    // The workbook of 2025A holds all its codes as texts.
    #expect(cells.compactMap { $0["count"] as? Int } == (numbers > 0 ? [numbers] : []))
    for codes in cells.compactMap({ $0["values"] as? [String] }) {
      #expect(codes.contains("99213") && !codes.contains("00100") && !codes.contains("G0008"))
    }
    #expect(try database.value("SELECT count(*) FROM pg_class WHERE relname ~ '_(csv|txt|xlsx)$'") == "0")
  }

  @Test("that differs in a number is refused by --cross-check with the key, the column and both values")
  func disagreement() throws {
    let desk = try Desk()
    try Loaded.unzip(Samples.make(formats: ["csv", "txt"], rows: 60), into: desk.path("RVU25D"))
    let file = "RVU25D/GPCI2025.txt"
    let text = try desk.text(of: file)
    let lines = text.components(separatedBy: "\r\n")
    let row = try #require(lines.firstIndex { $0.hasPrefix("10112") })
    var changed = lines
    changed[row] = String(lines[row].dropLast(5)) + "8.888"
    func load(_ lines: [String], _ options: String...) throws -> Program.Outcome {
      try desk.scratch.write(file, lines.joined(separator: "\r\n"))
      return try desk.load("cms-rvu", "RVU25D", options: options)
    }
    // Only the csv is read.
    try load(changed, "--dry-run").succeeded()
    let run = try load(changed, "--cross-check").failed(
      3, saying: "cross-check-gpci-txt: 1 found, first in line")
    let csv = try desk.text(of: "RVU25D/GPCI2025.csv").components(separatedBy: "\r\n")
    let line = try #require(csv.firstIndex { $0.hasPrefix("10112") })
    #expect(run.errors.contains("in line \(line + 1) of "))
    #expect(run.errors.contains("and line \(row + 1) of "))
    #expect(run.output.contains("mac 10112, locality 00"))
    #expect(run.output.contains("'8.888' in line \(row + 1) of the txt"))
    #expect(try desk.value("SELECT count(*) FROM cms.gpci") == "0")
    // One row less, and the same as JSON.
    let lacking = try load(lines.filter { !$0.hasPrefix("15202") }, "--cross-check", "--format", "json")
      .failed(3)
    let lone = "cross_checks/0/lone_rows/*/"
    let count = try #require(try Int(lacking.at("cross_checks/0/only_in_first")))
    #expect(try lacking.at("error/code") == "3" && count > 0)
    let own = try #require(csv.firstIndex { $0.hasPrefix("15202") })
    #expect(try lacking.at(lone + "line").split(separator: " ").contains("\(own + 1)"))
    #expect(
      try lacking.at(lone + "format", lone + "key/mac").split(separator: " ")
        == Array(repeating: "csv", count: count) + Array(repeating: "\"15202\"", count: count))

    // What is published is compared too, and stays what it is.
    try load(changed).succeeded()
    try load(changed, "--cross-check").failed(3)
    try load(lines, "--cross-check").succeeded(
      showing: "is unchanged", "gpci: csv and txt share 109 rows")
    #expect(
      try desk.rows(
        "SELECT count(*), (SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '_2025d_') FROM rivulet.release"
      ) == ["1|5"])
  }
}
