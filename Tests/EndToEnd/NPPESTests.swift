import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("NPPES")
struct NPPESTests {
  private static let main = "directory/nppes/npidata_pfile_20050523-20251109.csv"

  /// The code set and the folder of November 2025, loaded once; tests only read them.
  private static let loaded: Swift.Result<(TestDatabase, Program), any Error> = Swift.Result {
    let (database, program) = try Loaded.migrated()
    for (pipeline, folder, options) in [
      ("nucc", "directory/nucc", []), ("nppes", ProviderFiles.folder, ProviderFiles.choice),
    ] {
      // Places of other countries are as they are written, and nothing is wrong with them.
      try program.run(["run", pipeline, SharedData.path(folder)] + options).succeeded()
        .withholding("Beijing", "Siem Reap")
    }
    return (database, program)
  }

  @Test(
    "loads every file of a month, each provider as what it is", .needs(main),
    arguments: [
      ("provider", 3026), ("provider WHERE entity_type IS NOT NULL", 2947),
      ("provider WHERE entity_type IS NULL AND deactivated_on IS NOT NULL AND reactivated_on IS NULL", 79),
      ("provider WHERE reactivated_on IS NOT NULL", 59), ("provider WHERE npi::text = source_id", 3026),
      ("provider WHERE ein IS NOT NULL", 0), ("provider_name WHERE kind = 'legal'", 2947),
      ("provider_name", 3161), ("provider_address WHERE use = 'practice'", 2947), ("provider_address", 5894),
      ("primary_taxonomy", 2908), ("primary_taxonomy WHERE slot > 1", 383),
      (
        "provider p WHERE entity_type IS NOT NULL AND NOT EXISTS (SELECT FROM directory.primary_taxonomy t "
          + "WHERE (t.release, t.source_id) = (p.release, p.source_id))", 39
      ),
      ("provider_taxonomy", 3889),
      (
        "(SELECT FROM directory.provider_taxonomy GROUP BY source_id HAVING count(*) > count(DISTINCT taxonomy)) x",
        227
      ),
      ("provider_identifier", 6386), ("provider_identifier WHERE identifier IS NULL", 1),
      ("practice_location", 9454), ("provider_other_name", 2427), ("endpoint", 2588),
      ("npi_deactivation", 274), ("provider_active", 2947),
      ("provider_active WHERE primary_taxonomy IS NULL", 39),
      ("provider_address WHERE state = 'MA' AND postal_code !~ '^\\d{5}$'", 0),
      ("provider_address WHERE phone !~ '^\\+1\\d{10}$'", 0),
    ])
  func month(what: String, count: Int) throws {
    let (database, _) = try Self.loaded.get()
    let from = what.hasPrefix("(") ? what : "directory." + what
    #expect(try database.value("SELECT count(*) FROM \(from)") == "\(count)", "\(what)")
    let release = "SELECT string_agg(DISTINCT release, ',') FROM directory.provider"
    #expect(try database.value(release) == "nppes-2025-11")
  }

  @Test(
    "counts providers by taxonomy and by state, tells which NPIs are deactivated, and keeps foreign places",
    .needs(main),
    arguments: [
      ("count(*), sum(providers), sum(primary_providers) FROM mart.provider_by_taxonomy", "(294,3599,2908)"),
      (
        "classification, providers, individuals, organizations, primary_providers "
          + "FROM mart.provider_by_taxonomy WHERE taxonomy = '207R00000X'",
        "(\"Internal Medicine\",286,286,0,250)"
      ),
      ("sum(providers), sum(individuals), sum(organizations) FROM mart.provider_by_state", "(2947,2719,228)"),
      ("state_name, providers FROM mart.provider_by_state WHERE state = 'CT'", "(Connecticut,932)"),
      // The code set and its crosswalk, whose codes have no marks of footnotes.
      ("count(*) FROM directory.taxonomy WHERE release = 'nucc-24.0'", "(874)"),
      (
        """
        count(*), count(*) FILTER (WHERE specialty !~ '^[0-9A-Z]{2}$'),
          count(*) FILTER (WHERE taxonomy !~ '^[0-9A-Z]{9}X$'),
          count(*) FILTER (WHERE specialty_description LIKE '%]'), count(*) FILTER (WHERE taxonomy IS NULL)
        FROM directory.specialty_crosswalk
        """, "(570,0,0,0,4)"
      ),
      // One says that it is in the outlying islands, and in Massachusetts.
      ("count(*), sum(providers) FROM mart.provider_by_state WHERE state = 'MA'", "(2,884)"),
      // The report tells of more than the file of providers, and not of those that are active again.
      ("count(*), count(DISTINCT npi) FROM mart.npi_deactivated_since('2005-01-01')", "(274,274)"),
      ("count(*), min(deactivated_on) FROM mart.npi_deactivated_since('2024-01-03')", "(11,2024-01-03)"),
      ("count(*), min(deactivated_on) FROM mart.npi_deactivated_since('2024-01-04')", "(10,2024-01-17)"),
      (
        """
        string_agg(concat_ws(' ', state, postal_code, country), ', ' ORDER BY country)
        FROM directory.practice_location WHERE country NOT IN ('US', 'UM')
        """, "(\"Beijing 100016 CN, Rheinland-Pfalz 66849 DE, Siem Reap 00000 KH\")"
      ),
    ])
  func figures(asked: String, answer: String) throws {
    let (database, _) = try Self.loaded.get()
    #expect(try database.value("SELECT x::text FROM (SELECT \(asked)) x") == answer)
  }

  @Test("keeps each slot of a taxonomy as its record has it", .needs(main))
  func slots() throws {
    let (database, _) = try Self.loaded.get()
    // Held against the file, field by field: the slots begin with the 48th.
    let lines = try String(contentsOfFile: SharedData.path(Self.main), encoding: .utf8)
      .split(separator: "\n").dropFirst()
    var expected: Set<String> = []
    for line in lines {
      let fields = line.dropFirst().dropLast().components(separatedBy: "\",\"")
      for slot in 0..<15 where !fields[47 + 4 * slot].isEmpty {
        expected.insert("\(fields[0]) \(slot + 1) \(fields[47 + 4 * slot]) \(fields[50 + 4 * slot])")
      }
    }
    let rows = try database.connect().query(
      "SELECT source_id || ' ' || slot || ' ' || taxonomy || ' ' || coalesce(primary_switch, '')"
        + " FROM directory.provider_taxonomy")
    #expect(Set(try rows.rows.map { try $0.value(0, String.self) }) == expected)
    #expect(rows.count == expected.count)
  }

  @Test(
    "judges a file of known defects record by record",
    .needs("directory/known-bad/known_bad_npidata.csv", "directory/nucc/nucc_taxonomy_240.csv"))
  func knownBad() throws {
    let desk = try Desk()
    let bad = "directory/known-bad/known_bad_npidata."
    try FileManager.default.copyItem(
      atPath: SharedData.path(bad + "csv"), toPath: desk.path("npidata_pfile_20050523-20251207.csv"))
    try desk.load("nucc", SharedData.path("directory/nucc")).succeeded()
    try desk.load("nppes", desk.scratch.path, options: ["--max-rejects", "11"]).succeeded(
      saying: "state: 1 records have a value that the code list 'state' lacks: ZZ (1)",
      // The fifth record and the seventh.
      "the key of an earlier one and says something else, first line 6, 8 of ")

    // One record has a line end in it, so that those after it are a line lower.
    func line(_ record: Int) -> Int { record < 16 ? record + 1 : record + 2 }
    func lines(_ sql: String) throws -> Set<Int> {
      Set(try desk.database.connect().query(sql).rows.map { try $0.value(0, Int.self) })
    }
    let loaded = try lines("SELECT source_line::int FROM directory.provider")
    let rejected = try lines("SELECT line::int FROM rivulet.reject")
    let skipped = try #require(
      try desk.value("SELECT found FROM rivulet.gate_result WHERE rule = 'copies-providers'"))
    let corrected = [
      11: "SELECT enumerated_on::text FROM directory.provider WHERE source_line = 12",
      12: "SELECT coalesce(enumerated_on::text, 'none') FROM directory.provider WHERE source_line = 13",
      18: "SELECT postal_code || zip4 FROM directory.provider_address WHERE source_line = 20 AND slot = 1",
      19: "SELECT postal_code || zip4 FROM directory.provider_address WHERE source_line = 21 AND slot = 1",
      20:
        "SELECT phone || ' ' || phone_extension FROM directory.provider_address WHERE source_line = 22 AND slot = 1",
      21:
        "SELECT coalesce(phone, 'none') FROM directory.provider_address WHERE source_line = 23 AND slot = 1",
    ]
    let values = [
      11: "2020-02-28", 12: "none", 18: "041023134", 19: "041023134", 20: "+18605492020 12", 21: "none",
    ]
    let warned = [22: "known-taxonomies", 23: "one-primary-taxonomy", 24: "known-codes-providers"]
    let verdicts = try String(contentsOfFile: SharedData.path(bad + "expect.tsv"), encoding: .utf8)
      .split(whereSeparator: \.isNewline).dropFirst()
    #expect(verdicts.count == 28)
    for verdict in verdicts {
      let fields = verdict.split(separator: "\t")
      let record = try #require(Int(fields[0]))
      let place = line(record)
      let isIn = (loaded: loaded.contains(place), rejected: rejected.contains(place))
      switch fields[2] {
      case "reject": #expect(isIn == (false, true), "\(verdict)")
      case "skip": #expect(isIn == (false, false) && skipped == "1", "\(verdict)")
      case "load": #expect(isIn == (true, false) && corrected[record] == nil, "\(verdict)")
      case "mend":
        #expect(isIn == (true, false), "\(verdict)")
        #expect(try desk.value(try #require(corrected[record])) == values[record], "\(verdict)")
      case "warn":
        #expect(isIn == (true, false), "\(verdict)")
        let rule = try #require(warned[record])
        #expect(
          try desk.value("SELECT found FROM rivulet.gate_result WHERE rule = '\(rule)'") == "1",
          "\(verdict)")
      default: Issue.record("no verdict: \(verdict)")
      }
    }
    // What was set aside has left no row in any child table.
    for child in ["name", "address", "taxonomy", "identifier"] {
      let strays =
        "SELECT count(*) FROM directory.provider_\(child) c WHERE NOT EXISTS (SELECT FROM directory.provider p "
        + "WHERE (p.source_file_id, p.source_line) = (c.source_file_id, c.source_line))"
      #expect(try desk.value(strays) == "0")
    }
  }

  @Test(
    "loads files of 329 columns with line ends of two bytes",
    .needs("directory/nppes/sample-nppes-organization-data.csv"),
    arguments: [
      ("sample-nppes-organization-data.csv", 40), ("sample-nppes-practitioner_20181204-data.csv", 2000),
    ])
  func older(file: String, count: Int) throws {
    let desk = try Desk()
    try FileManager.default.copyItem(
      atPath: SharedData.path("directory/nppes/" + file),
      toPath: desk.path("npidata_pfile_20050523-20181204.csv"))
    try desk.load("nppes", desk.scratch.path).succeeded()
    #expect(
      try desk.database.rows("SELECT count(*), count(certified_on), max(release) FROM directory.provider")
        == ["\(count)|0|nppes-2018-12"])
  }

  @Test("loads a month's archive, leaves its header files and its PDF alone, and tells who is deactivated")
  func archive() throws {
    let desk = try Desk()
    let bundle = try ProviderFiles.bundle(month: "11")
    try Loaded.unzip(bundle, into: desk.scratch.path)
    try desk.scratch.write(
      "npidata_pfile_20050523-20251109_fileheader.csv", ProviderFiles(layout: "provider").header)
    try desk.scratch.write("NPPES_Data_Dissemination_Readme.pdf", "%PDF-1.4")
    let zip = desk.path("NPPES_Data_Dissemination_November_2025_V2.zip")
    try Archive.zip(desk.scratch.path, to: zip)
    try desk.load("nppes", zip).succeeded()
    #expect(try desk.value("SELECT count(*) FROM directory.provider") == "40")
    #expect(try desk.value("SELECT count(*) FROM directory.provider_name") == "39")
    // What names the release names it in any letter case.
    try desk.command("releases", "pin", "nppes", "NPPES-2025-11").succeeded()
    #expect(try desk.value("SELECT release FROM rivulet.current_release") == "nppes-2025-11")

    // By their record, and else by the report.
    let connection = try desk.database.connect()
    let npi = ProviderFiles.npi(40)
    for (change, day, found) in [
      (nil, "2020-01-31", "2020-01-31"), (nil, "2020-02-01", nil),
      // Active again, by the record of the provider.
      ("provider SET reactivated_on = '2020-03-01' WHERE npi = \(npi)", "2020-01-31", nil),
      // Deactivated once more, of which the record does not tell yet.
      ("npi_deactivation SET deactivated_on = '2020-04-01'", "2020-01-31", "2020-04-01"),
      ("provider SET deactivated_on = '2020-04-01' WHERE npi = \(npi)", "2020-01-31", "2020-04-01"),
    ] as [(String?, String, String?)] {
      if let change { try connection.execute("UPDATE directory.\(change)") }
      #expect(
        try desk.value(
          "SELECT string_agg(npi || ' ' || deactivated_on, ', ') FROM mart.npi_deactivated_since('\(day)')")
          == found.map { npi + " " + $0 })
    }
    // A provider counts once for a taxonomy, and as primary for the first that it marks.
    try connection.execute(
      """
      INSERT INTO directory.provider_taxonomy
        (release, source_id, slot, taxonomy, primary_switch, source_file_id, source_line)
      SELECT 'nppes-2025-11', '\(ProviderFiles.npi(1))', x.slot, x.taxonomy, 'Y', 0, 0
      FROM (VALUES (2, '207R00000X'), (3, '208D00000X')) AS x(slot, taxonomy)
      """)
    #expect(
      try desk.database.rows(
        "SELECT taxonomy, providers, individuals, organizations, primary_providers FROM mart.provider_by_taxonomy ORDER BY 1"
      ) == ["207R00000X|39|39|0|39", "208D00000X|1|1|0|0"])
  }
}
