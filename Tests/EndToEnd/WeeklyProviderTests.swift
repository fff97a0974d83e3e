import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The publisher's own weekly files, and the report of deactivated NPIs, merged into a month.
@Suite("Weekly files of providers")
struct WeeklyProviderTests {
  private static let folder = "directory/nppes/"
  private static let month = folder + "npidata_pfile_20050523-20251109.csv"
  private static let report = folder + "NPPES Deactivated NPI Report 20251110.xlsx"
  private static let others = ["pl", "othername", "endpoint"].map {
    folder + "\($0)_pfile_20251103-20251109.csv"
  }

  /// A month until 2 November, of which a third of the providers are changed in the week after it.
  static func writeBundles(to scratch: Scratch) throws {
    let text = try String(contentsOfFile: SharedData.path(month), encoding: .utf8)
    let lines = text.split(whereSeparator: \.isNewline)
    func write(_ name: String, _ lines: [String]) throws {
      try scratch.write(name, lines.joined(separator: "\n") + "\n")
    }
    let (header, records) = (String(lines[0]), lines.dropFirst().map(String.init))
    try write("month/npidata_pfile_20050523-20251102.csv", [header] + records.dropLast(10))
    let week = records.enumerated().filter { $0.offset % 3 == 0 }.map { place, record in
      // Another spelling of streets.
      place % 2 == 0 ? record : record.replacing(" ST\"", with: " STREET\"")
    }
    try write(
      "week/npidata_pfile_20251103-20251109.csv",
      [header] + week + records.suffix(10).filter { !week.contains($0) })
    for path in others {
      try FileManager.default.copyItem(
        atPath: SharedData.path(path), toPath: scratch.path + "/week/" + (path as NSString).lastPathComponent)
    }
  }

  @Test(
    "replace whole records of their NPIs, once, and the report deactivates those it names",
    .needs(month, report, others[0], others[1], others[2]))
  func weekly() throws {
    let desk = try Desk()
    try Self.writeBundles(to: desk.scratch)
    func load(_ folder: String, _ options: String...) throws -> String {
      try desk.load("nppes", folder, options: options + ["--format", "json"]).succeeded().at("state")
    }
    #expect(try load("month") == "published")
    let before = try #require(
      try desk.value("SELECT count(*) FROM directory.provider").flatMap { Int($0) })
    #expect(try load("week", "--max-rejects", "1%") == "merged")
    let counts = try desk.database.rows("SELECT target, inserted, updated, deleted FROM rivulet.merge")
    #expect(counts.contains("directory.practice_location|9454|0|0"), "\(counts)")
    #expect(counts.contains("directory.endpoint|2588|0|0"), "\(counts)")
    #expect(counts.contains { $0.hasPrefix("directory.provider|10|") }, "\(counts)")
    #expect(
      counts.contains { $0.firstMatch(of: /directory.provider_address\|\d+\|[1-9]/) != nil }, "\(counts)")
    #expect(try desk.value("SELECT count(*) FROM directory.provider") == "\(before + 10)")
    #expect(try load("week") == "unchanged")
    #expect(try load("week", "--force", "--max-rejects", "1%") == "merged")
    #expect(
      try desk.value(
        "SELECT sum(inserted + updated + deleted) FROM rivulet.merge WHERE run = (SELECT max(run) FROM rivulet.merge)"
      ) == "0")
    try desk.load("nppes", SharedData.path(Self.report)).succeeded()
    #expect(
      try desk.database.rows(
        """
        SELECT count(*), count(p.source_id), count(p.entity_type), count(p.deactivated_on = d.deactivated_on OR NULL),
          (SELECT count(*) FROM directory.provider_name n JOIN directory.npi_deactivation r ON n.source_id = r.npi::text)
        FROM directory.npi_deactivation d LEFT JOIN directory.provider p ON p.source_id = d.npi::text
        """) == ["274|274|0|274|0"])
    #expect(
      try desk.value(
        """
        SELECT count(*) FROM rivulet.release_table t JOIN pg_class c ON c.oid = to_regclass(t.partition)
        WHERE t.target LIKE 'directory.provider%' AND t.rows <> (xpath('/row/c/text()',
          query_to_xml('SELECT count(*) AS c FROM ' || t.partition, false, true, '')))[1]::text::int
        """) == "0")
    #expect(try load("month") == "unchanged")
  }

  @Test("take from the NPIs they name what they lack of them, of a deactivated one too, and from no others")
  func withoutChildren() throws {
    let desk = try Desk()
    func load(_ period: String, _ providers: [[String: String]], childrenOf numbers: [Int]) throws {
      let place = "Provider Secondary Practice Location Address"
      let npis = numbers.map { ProviderFiles.npi($0) }
      let tables: [(file: String, layout: String, records: [[String: String]])] = [
        ("npidata", "provider", providers),
        (
          "pl", "location",
          npis.map { ["NPI": $0, "\(place)- Address Line 1": "1 SIDE ST"] }
        ),
        (
          "othername", "other-name",
          npis.map {
            [
              "NPI": $0, "Provider Other Organization Name": "HOUSE OF \($0)",
              "Provider Other Organization Name Type Code": "3",
            ]
          }
        ),
        (
          "endpoint", "endpoint",
          npis.map {
            [
              "NPI": $0, "Endpoint Type": "DIRECT", "Endpoint": "p\($0)@example.org", "Affiliation": "N",
            ]
          }
        ),
      ]
      try desk.scratch.write("\(period)/\(ProviderFiles.notice)", "")
      for (file, layout, records) in tables {
        let files = try ProviderFiles(layout: layout)
        try files.write(
          records.map(files.record), to: "\(period)/\(file)_pfile_\(period).csv", of: desk.scratch)
      }
      try desk.load("nppes", period).succeeded()
    }
    func children() throws -> [[String]] {
      try ["practice_location", "provider_other_name", "endpoint"].map { table in
        try desk.rows("SELECT npi FROM directory.\(table) ORDER BY npi")
      }
    }
    func expected(_ numbers: Int...) -> [[String]] {
      Array(repeating: numbers.map { ProviderFiles.npi($0) }, count: 3)
    }
    try load("20050523-20251109", (1...12).map { ProviderFiles.person($0) }, childrenOf: [1, 2, 3])
    #expect(try children() == expected(1, 2, 3))
    // The first is there without any, the second is deactivated, of the third nothing is said.
    let gone = ["NPI": ProviderFiles.npi(2), "NPI Deactivation Date": "11/12/2025"]
    try load(
      "20251110-20251116", [ProviderFiles.person(1), gone, ProviderFiles.person(4)], childrenOf: [4])
    #expect(try children() == expected(3, 4))
    #expect(
      try desk.rows(
        """
        SELECT p.source_id, p.deactivated_on, count(n.slot) FROM directory.provider p
        LEFT JOIN directory.provider_name n USING (release, source_id)
        WHERE p.source_id IN ('\(ProviderFiles.npi(1))', '\(ProviderFiles.npi(2))') GROUP BY 1, 2 ORDER BY 1
        """) == ["\(ProviderFiles.npi(1))|-|1", "\(ProviderFiles.npi(2))|2025-11-12|0"])
  }
}
