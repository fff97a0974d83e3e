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
      let desk = try Desk()
      for name in ["PPRRVU22_JAN.\(format)", "GPCI2022.\(format)"] {
        let bytes = try Data(contentsOf: URL(filePath: csv + name))
        try desk.scratch.write("RVU22A/" + name, bytes: Array(bytes))
      }
      try desk.load("cms-rvu", "RVU22A").failed(3, saying: "lacks locco")
      try desk.load("cms-rvu", "RVU22A", options: ["--allow-missing", "--no-refresh"]).succeeded()
      #expect(try desk.value("SELECT count(*) FROM cms.rvu WHERE release = '2022A'") == "\(rows)")
      #expect(try desk.value("SELECT count(*) FROM cms.gpci WHERE mac ~ '^\\d{5}$'") == "\(places)")
      loaded.append(desk.database)
    }
    #expect(try Published.differences("rvu|gpci", of: loaded[0], and: loaded[1], release: "2022A") == [:])
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
      let desk = try Desk()
      try Loaded.unzip(zip, "HCPC2018_CONTR_ANWEB_disc.\(format)", into: desk.scratch.path)
      let run = try desk.load("cms-hcpcs", desk.scratch.path, options: ["--format", "json"])
        .succeeded(saying: "asc_effective_on: 5 values were left blank")
      #expect(try desk.value("SELECT count(*) FROM cms.hcpcs_code") == "\(codes)")
      #expect(try desk.value("SELECT count(*) FROM cms.hcpcs_modifier") == "\(modifiers)")
      if format == "txt" {
        #expect(try run.at("sources/0/skipped_by/continuation") == "\(continued)")
      }
      // Of each source, what was read was loaded, refused or left out by name.
      for source in try #require(run.object()["sources"] as? [[String: Any]]) {
        let parts = ["loaded", "rejected", "skipped"].map { source["records_\($0)"] as? Int ?? -1 }
        #expect(source["records_read"] as? Int == parts.reduce(0, +))
      }
      loaded.append(desk.database)
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
    let desk = try Desk()
    let (codes, corrections) = (SharedData.path(Self.hcpcs2018), SharedData.path(Self.corrections))
    try desk.load("cms-hcpcs", corrections).failed(3, saying: "2018A is not published")
    try desk.load("cms-hcpcs", codes).succeeded()
    // The descriptions of 2017, to which two codes go back, are not loaded.
    let run = try desk.load("cms-hcpcs", corrections, options: ["--format", "json"]).succeeded(
      saying: "corrections-took-effect: 2 found, first in line ")
    #expect(try run.at("revision", "sources/*/entry") == "2 V4_HCPC2018_Corrections_ANWEB.xlsx")

    func value(_ sql: String) throws -> String? { try desk.value(sql) }
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
      try desk.load("cms-hcpcs", path, options: ["--format", "json"] + options).at("state", "revision")
    }
    #expect(try again(corrections) == "unchanged 2")
    #expect(try again(codes) == "unchanged 2")
    #expect(try again(codes, "--cross-check") == "unchanged 2")
    try desk.command("releases", "rollback", "cms-hcpcs").succeeded()
    #expect(try value("SELECT count(*) FROM cms.hcpcs_code") == "6205")
    #expect(try value("SELECT asc_group FROM cms.hcpcs_code WHERE hcpcs = 'C9488'") == "20")
    // Without the corrections' table, as without the corrections.
    #expect(try value("SELECT count(*) FROM cms.hcpcs_correction") == "0")
    #expect(try again(codes) == "unchanged 1")
    #expect(try again(corrections) == "published 3")
    #expect(try value("SELECT count(*) FROM cms.hcpcs_correction") == "28")
  }

  @Test("HCPCS October 2025: every row of the workbook is a code or a modifier", .needs(hcpcs2025))
  func hcpcsWorkbook() throws {
    let sheet = try Archive.text("xl/worksheets/sheet1.xml", in: SharedData.path(Self.hcpcs2025))
    let rows = sheet.components(separatedBy: "<row ").count - 2
    #expect(rows == 8_846)
    let desk = try Desk()
    try desk.load("cms-hcpcs", SharedData.path(Self.hcpcs2025)).succeeded().withholding("warning")
    #expect(
      try desk.value(
        "SELECT (SELECT count(*) FROM cms.hcpcs_code) + (SELECT count(*) FROM cms.hcpcs_modifier)")
        == "\(rows)")
    #expect(try desk.value("SELECT release FROM rivulet.current_release") == "2025D")
  }
}
