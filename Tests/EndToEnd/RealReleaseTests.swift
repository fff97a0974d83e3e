import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Real releases of CMS, from the zip to the published tables.
@Suite("A real RVU release")
struct RealReleaseTests {
  @Test(
    "is loaded whole, recognised when it comes again, and is kept beside an earlier one",
    .needs(Loaded.latest, Loaded.first))
  func loadsAndRecognises() throws {
    let desk = try Desk()
    func load(_ bundle: String) throws -> Program.Outcome {
      try desk.load("cms-rvu", SharedData.path(bundle), options: ["--format", "json"]).succeeded()
    }
    let run = try load(Loaded.latest)
    let rvu = "sources/source=pprrvu/"
    #expect(
      try run.at("state", "release", rvu + "records_read", rvu + "records_loaded", rvu + "targets")
        == #"published 2025D 19090 19090 {"cms.rvu":19090}"#)
    for source in try #require(run.object()["sources"] as? [[String: Any]]) {
      let parts = ["records_loaded", "records_rejected", "records_skipped"].compactMap { source[$0] as? Int }
      #expect(source["records_read"] as? Int == parts.reduce(0, +))
    }
    #expect(
      try desk.value("SELECT count(DISTINCT hcpcs) FROM cms.rvu WHERE release = '2025D'") == "16852")
    #expect(try load(Loaded.latest).at("state", "revision") == "unchanged 1")
    #expect(try load(Loaded.first).at("state", "release") == "published 2025A")
    #expect(
      try desk.rows("SELECT release, count(*) FROM cms.rvu GROUP BY 1 ORDER BY 1")
        == ["2025A|18865", "2025D|19090"])
    #expect(try desk.value("SELECT DISTINCT release FROM cms.current_rvu") == "2025D")
  }

  @Test("keeps every work RVU to the hundredth", .needs(Loaded.latest))
  func sumOfWork() throws {
    let (database, _) = try Loaded.both.get()
    let lines = try Archive.text("PPRRVU2025_Oct.csv", in: SharedData.path(Loaded.latest))
      .split(whereSeparator: \.isNewline).drop { !$0.hasPrefix("HCPCS,") }.dropFirst()
    var hundredths = 0
    for line in lines {
      // The description may hold commas; the work RVU is the 26th field from the end of 31.
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let work = fields[fields.count - 26].split(separator: ".")
      hundredths += (Int(work[0]) ?? 0) * 100 + (Int(work[1]) ?? 0)
    }
    let sum = "SELECT (sum(work_rvu) * 100)::bigint FROM cms.rvu WHERE release = '2025D'"
    #expect(try database.value(sum) == "\(hundredths)")
    #expect(hundredths == 7_174_511)
  }

  @Test(
    "reproduces CMS's revised payment amounts, both settings, to the cent",
    .needs(Loaded.latest, "oracle/PFREV4.txt"))
  func revisedPayments() throws {
    let connection = try Loaded.both.get().0.connect()
    let lines = try String(contentsOfFile: SharedData.path("oracle/PFREV4.txt"), encoding: .isoLatin1)
      .split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\"TRL") }
    try connection.execute(
      "CREATE TEMP TABLE pfrev (carrier text, locality text, hcpcs text, modifier text, nonfacility numeric, facility numeric)"
    )
    let rows = try connection.copy(
      into: "pfrev", columns: ["carrier", "locality", "hcpcs", "modifier", "nonfacility", "facility"]
    ) { buffer in
      for line in lines {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
          $0.filter { $0 != "\"" && $0 != " " }
        }
        for field in fields[1...6] { buffer.field(field) }
        try buffer.endRow()
      }
    }
    #expect(rows == 1_526)
    #expect(try connection.execute(Oracle.sql("payments")).count == 0)
  }

  @Test("reproduces the capped payments and all caps of OPPSCAP, to the cent", .needs(Loaded.latest))
  func caps() throws {
    let connection = try Loaded.both.get().0.connect()
    let lines = try Archive.text("OPPSCAP_Oct.csv", in: SharedData.path(Loaded.latest))
      .split(whereSeparator: \.isNewline).dropFirst().filter { !$0.hasPrefix(",") }
    try connection.execute(
      "CREATE TEMP TABLE opps_file (hcpcs text, modifier text, status_code text, mac text, locality text, facility numeric, nonfacility numeric)"
    )
    let rows = try connection.copy(
      into: "opps_file",
      columns: ["hcpcs", "modifier", "status_code", "mac", "locality", "facility", "nonfacility"]
    ) { buffer in
      for line in lines {
        for field in line.split(separator: ",", omittingEmptySubsequences: false) {
          buffer.field(field.filter { $0 != " " })
        }
        try buffer.endRow()
      }
    }
    #expect(rows == 16_100)
    let known = """
      SELECT count(*) FROM opps_file o JOIN cms.gpci g
        ON g.release = '2025D' AND g.mac = o.mac AND g.locality = o.locality WHERE o.status_code = 'A'
      """
    #expect(try connection.execute(known)[0][0] == "6322")
    #expect(try connection.execute(Oracle.sql("capped-payments")).count == 0)
    #expect(try connection.execute(Oracle.sql("caps")).count == 0)
    // The oracle must be able to fail.
    try connection.execute("UPDATE opps_file SET facility = facility + 0.01 WHERE ctid = '(0,1)'")
    #expect(try connection.execute(Oracle.sql("caps")).count == 1)
  }

  @Test(
    "skips the copies of localities by name, restores zeros that a spreadsheet lost, and prices every paid row",
    .needs(Loaded.latest))
  func localities() throws {
    let (database, _) = try Loaded.both.get()
    for (asked, answer) in [
      (
        """
        f.skipped_by->>'copied-localities' || ' ' || f.records_loaded FROM rivulet.source_file f
        JOIN rivulet.run USING (run) WHERE release = '2025D' AND source = 'oppscap'
        """, "840 15260"
      ),
      ("count(*) FROM cms.opps_cap WHERE release = '2025D'", "15260"),
      (
        """
        mac || '-' || locality || ' ' || state || ', ' || fee_schedule_area FROM cms.locality_county
        WHERE release = '2025D' ORDER BY row OFFSET 1 LIMIT 1
        """, "02102-01 ALASKA, STATEWIDE"
      ),
      ("count(*) FROM cms.locality_county WHERE release = '2025D' AND state IS NULL", "0"),
      // The payment of every row paid from RVUs in every locality.
      (
        "count(*) || ' ' || count(nonfacility_amount) FROM mart.payment WHERE release = '2025D'",
        "\(9_133 * 109) \(9_133 * 109)"
      ),
      (
        """
        facility_amount FROM mart.payment
        WHERE release = '2025D' AND hcpcs = '61530' AND mac = '12502' AND locality = '99'
        """, "2911.19"
      ),
    ] { #expect(try database.value("SELECT " + asked) == answer) }
  }

  @Test("can be traced: each row names its file and line", .needs(Loaded.latest))
  func provenance() throws {
    let (database, _) = try Loaded.both.get()
    let row = try #require(
      try database.connect().execute(
        """
        SELECT r.hcpcs, r.source_line, f.entry FROM cms.rvu r JOIN rivulet.source_file f USING (source_file_id)
        WHERE r.release = '2025D' AND r.hcpcs = '99213'
        """
      ).first)
    let entry = try #require(row[2])
    let lines = try Archive.text(entry, in: SharedData.path(Loaded.latest))
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line: Int = try row.value(1)
    #expect(lines[line - 1].hasPrefix("99213,"))
  }
}

/// SQL that compares published oracles with what was loaded; each must find nothing.
enum Oracle {
  static func sql(_ name: String) throws -> String {
    try String(contentsOfFile: SharedData.project + "/Tests/EndToEnd/Oracle/\(name).sql", encoding: .utf8)
  }
}
