import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Publishers' files of other years and datasets, with counts taken from the files themselves.
@Suite("A real file of another year or dataset")
struct YearsTests {
  private static let bundle2022 = "rvu/RVU22A"

  /// How many lines of a file begin with what a pattern matches.
  private static func count(_ pattern: String, in path: String) throws -> Int {
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let regex = try Regex(pattern)
    return text.split(whereSeparator: \.isNewline).count { $0.prefixMatch(of: regex) != nil }
  }

  @Test(
    "2022: the csv, whose codes of contractors have lost zeros, and the workbook give the same rows",
    .needs(bundle2022))
  func year2022() throws {
    let csv = SharedData.path(Self.bundle2022) + "/"
    let rows = try Self.count(#"[0-9A-Z]\d{3}[0-9A-Z],"#, in: csv + "PPRRVU22_JAN.csv")
    let places = try Self.count(#"\d{4,5},[A-Z]{2},"#, in: csv + "GPCI2022.csv")
    #expect(rows == 17_600 && places == 112)
    var loaded: [TestDatabase] = []
    for format in ["csv", "xlsx"] {
      let scratch = try Scratch()
      for name in ["PPRRVU22_JAN", "GPCI2022"] {
        let data = try Data(contentsOf: URL(filePath: csv + "\(name).\(format)"))
        try FileManager.default.createDirectory(
          atPath: scratch.path + "/RVU22A", withIntermediateDirectories: true)
        try data.write(to: URL(filePath: scratch.path + "/RVU22A/\(name).\(format)"))
      }
      let (database, program) = try Loaded.migrated()
      try program.run("run", "cms-rvu", scratch.path + "/RVU22A").failed(3, saying: "lacks locco")
      try program.run("run", "cms-rvu", "--allow-missing", scratch.path + "/RVU22A").succeeded()
      #expect(try database.value("SELECT count(*) FROM cms.rvu WHERE release = '2022A'") == "\(rows)")
      #expect(try database.value("SELECT count(*) FROM cms.gpci WHERE mac ~ '^\\d{5}$'") == "\(places)")
      loaded.append(database)
    }
    let tables = Published.feeSchedule.filter { ["rvu", "gpci"].contains($0.key) }
    #expect(try Published.differences(tables, of: loaded[0], and: loaded[1], release: "2022A") == [:])
  }

  private static let hcpcs2018 = "hcpcs/2018-Alpha-Numeric-HCPCS-File.zip"
  private static let corrections = "hcpcs/2018-HCPCS-Alpha-Numeric-Corrections.zip"
  private static let hcpcs2025 = "hcpcs/HCPC2025_OCT_ANWEB.xlsx"

  @Test("HCPCS 2018: txt and workbook give the same rows, continuation records joined", .needs(hcpcs2018))
  func hcpcsFormats() throws {
    let zip = SharedData.path(Self.hcpcs2018)
    let lines = try Archive.text("HCPC2018_CONTR_ANWEB_disc.txt", in: zip).components(separatedBy: "\r\n")
      .filter { $0.utf8.count == 320 }
    func count(_ id: Character) -> Int { lines.count { Array($0)[10] == id } }
    let (codes, modifiers, continued) = (count("3"), count("7"), count("4"))
    #expect(codes == 6_205 && modifiers == 354 && continued > 4_000)
    var loaded: [TestDatabase] = []
    for format in ["txt", "xlsx"] {
      let folder = try Scratch()
      try Loaded.unzip(zip, "HCPC2018_CONTR_ANWEB_disc.\(format)", into: folder.path)
      let (database, program) = try Loaded.migrated()
      let run = try program.run("run", "cms-hcpcs", "--format", "json", folder.path).succeeded()
      #expect(try database.value("SELECT count(*) FROM cms.hcpcs_code") == "\(codes)")
      #expect(try database.value("SELECT count(*) FROM cms.hcpcs_modifier") == "\(modifiers)")
      #expect(run.errors.contains("asc_effective_on: 5 values were left blank"), "\(run.errors)")
      let sources = try #require(run.object()["sources"] as? [[String: Any]])
      if format == "txt" {
        #expect((sources[0]["skipped_by"] as? [String: Int])?["continuation"] == continued)
      }
      // Of each source, what was read was loaded, refused or left out by name.
      for source in sources {
        let parts = ["loaded", "rejected", "skipped"].map { source["records_\($0)"] as? Int ?? -1 }
        #expect(source["records_read"] as? Int == parts.reduce(0, +))
      }
      loaded.append(database)
    }
    #expect(
      try Published.differences(Published.codes, of: loaded[0], and: loaded[1], release: "2018A") == [:])
    // A long description that goes on over many records, and prices that repeat.
    let longest = try loaded[0].value("SELECT max(length(long_description)) FROM cms.hcpcs_code")
    #expect((Int(longest ?? "") ?? 0) > 1_000)
    #expect(try loaded[0].value("SELECT count(*) FROM cms.hcpcs_code_pricing WHERE slot = 2") == "7")
  }

  @Test(
    "HCPCS 2018: the latest corrections make a revision, and rolling it back takes them away",
    .needs(hcpcs2018, corrections))
  func hcpcsCorrections() throws {
    let (database, program) = try Loaded.migrated()
    try program.run("run", "cms-hcpcs", SharedData.path(Self.corrections)).failed(
      3, saying: "2018A is not published")
    try #require(try program.run("run", "cms-hcpcs", SharedData.path(Self.hcpcs2018)).status == 0)
    let run = try program.run("run", "cms-hcpcs", SharedData.path(Self.corrections), "--format", "json")
      .succeeded()
    #expect(try run.object()["revision"] as? Int == 2)
    let sources = try #require(run.object()["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["entry"] as? String } == ["V4_HCPC2018_Corrections_ANWEB.xlsx"])
    // The descriptions of 2017, to which two codes go back, are not loaded.
    #expect(run.errors.contains("corrections-took-effect: 2 found"), "\(run.errors)")

    func value(_ sql: String) throws -> String? { try database.value(sql) }
    // Three codes are added and two taken out; two more had never been there.
    #expect(try value("SELECT count(*) FROM cms.hcpcs_code") == "6206")
    #expect(
      try value(
        """
        SELECT string_agg(c.hcpcs || ' ' || c.coverage || ' ' || c.betos || ' ' || p.pricing || ' '
          || t.type_of_service || ' ' || c.added_on, ', ' ORDER BY c.hcpcs)
        FROM cms.hcpcs_code c JOIN cms.hcpcs_code_pricing p USING (hcpcs)
        JOIN cms.hcpcs_code_type_of_service t USING (hcpcs) WHERE c.hcpcs BETWEEN 'G9868' AND 'G9870'
        """)
        == "G9868 C M5D 13 1 2018-01-01, G9869 C M5D 13 1 2018-01-01, G9870 C M5D 13 1 2018-01-01")
    #expect(try value("SELECT count(*) FROM cms.hcpcs_code WHERE hcpcs IN ('G9890', 'G9891')") == "0")
    #expect(
      try value("SELECT asc_group || ' ' || asc_effective_on FROM cms.hcpcs_code WHERE hcpcs = 'C9488'")
        == "YY 2017-04-01")
    #expect(
      try value(
        "SELECT string_agg(certification, ' ') FROM cms.hcpcs_code_lab_certification WHERE hcpcs = 'G0499'")?
        .contains("220") == true)
    // What was corrected says where from: 13 descriptions, five groups and three new codes.
    #expect(
      try value(
        """
        SELECT count(*) FROM cms.hcpcs_code c JOIN cms.hcpcs_correction k
          ON (k.source_file_id, k.source_line) = (c.source_file_id, c.source_line) AND k.hcpcs = c.hcpcs
        """) == "21")
    // The whole file once more does not undo them, whatever is asked of it.
    func again(_ path: String, _ options: String...) throws -> String {
      let run = try program.run(
        ["run", "cms-hcpcs", SharedData.path(path), "--format", "json"] + options
      ).object()
      return "\(run["state"] ?? "") \(run["revision"] ?? "")"
    }
    #expect(try again(Self.corrections) == "unchanged 2")
    #expect(try again(Self.hcpcs2018) == "unchanged 2")
    #expect(try again(Self.hcpcs2018, "--cross-check") == "unchanged 2")
    #expect(try program.run("releases", "rollback", "cms-hcpcs").status == 0)
    #expect(try value("SELECT count(*) FROM cms.hcpcs_code") == "6205")
    #expect(try value("SELECT asc_group FROM cms.hcpcs_code WHERE hcpcs = 'C9488'") == "20")
    // Without the corrections' table, as without the corrections.
    #expect(try value("SELECT count(*) FROM cms.hcpcs_correction") == "0")
    #expect(try again(Self.hcpcs2018) == "unchanged 1")
    #expect(try again(Self.corrections) == "published 3")
    #expect(try value("SELECT count(*) FROM cms.hcpcs_correction") == "28")
  }

  @Test("HCPCS October 2025: every row of the workbook is a code or a modifier", .needs(hcpcs2025))
  func hcpcsWorkbook() throws {
    let sheet = try Archive.text("xl/worksheets/sheet1.xml", in: SharedData.path(Self.hcpcs2025))
    let rows = sheet.components(separatedBy: "<row ").count - 2
    #expect(rows == 8_846)
    let (database, program) = try Loaded.migrated()
    let run = try program.run("run", "cms-hcpcs", SharedData.path(Self.hcpcs2025)).succeeded()
    #expect(!run.errors.contains("warning"), "\(run.errors)")
    #expect(
      try database.value(
        "SELECT (SELECT count(*) FROM cms.hcpcs_code) + (SELECT count(*) FROM cms.hcpcs_modifier)")
        == "\(rows)")
    #expect(try database.value("SELECT release FROM rivulet.current_release") == "2025D")
  }
}
