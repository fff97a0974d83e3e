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
    let (database, program) = try Loaded.migrated()
    let zip = SharedData.path(Loaded.latest)
    let run = try program.run("run", "cms-rvu", zip, "--format", "json").succeeded()
    let report = try run.object()
    #expect(report["state"] as? String == "published")
    #expect(report["release"] as? String == "2025D")
    let sources = try #require(report["sources"] as? [[String: Any]])
    let rvu = try #require(sources.first { ($0["targets"] as? [String: Int])?["cms.rvu"] != nil })
    #expect(rvu["records_read"] as? Int == 19_090)
    #expect(rvu["records_loaded"] as? Int == 19_090)
    #expect((rvu["targets"] as? [String: Int])?["cms.rvu"] == 19_090)
    for source in sources {
      let read = try #require(source["records_read"] as? Int)
      let parts = ["records_loaded", "records_rejected", "records_skipped"].compactMap { source[$0] as? Int }
      #expect(read == parts.reduce(0, +))
    }
    #expect(
      try database.value("SELECT count(DISTINCT hcpcs) FROM cms.rvu WHERE release = '2025D'") == "16852")

    let again = try program.run("run", "cms-rvu", zip, "--format", "json").object()
    #expect(again["state"] as? String == "unchanged")
    #expect(again["revision"] as? Int == 1)

    let earlier = try program.run("run", "cms-rvu", SharedData.path(Loaded.first), "--format", "json")
      .object()
    #expect(earlier["state"] as? String == "published")
    #expect(earlier["release"] as? String == "2025A")
    let counts =
      "SELECT string_agg(release || ' ' || n, ', ' ORDER BY release) FROM (SELECT release, count(*) n FROM cms.rvu GROUP BY 1) c"
    #expect(try database.value(counts) == "2025A 18865, 2025D 19090")
    #expect(try database.value("SELECT DISTINCT release FROM cms.current_rvu") == "2025D")
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

  @Test("gives the payment of every row paid from RVUs in every locality", .needs(Loaded.latest))
  func paymentRows() throws {
    let (database, _) = try Loaded.both.get()
    let count =
      "SELECT count(*) || ' ' || count(nonfacility_amount) FROM mart.payment WHERE release = '2025D'"
    #expect(try database.value(count) == "\(9_133 * 109) \(9_133 * 109)")
    let tie = """
      SELECT p.facility_amount FROM mart.payment p
      WHERE release = '2025D' AND hcpcs = '61530' AND mac = '12502' AND locality = '99'
      """
    #expect(try database.value(tie) == "2911.19")
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
    "skips the copies of localities under another contractor by name, so that joins do not double",
    .needs(Loaded.latest))
  func copiedLocalities() throws {
    let (database, _) = try Loaded.both.get()
    let skipped = """
      SELECT f.skipped_by->>'copied-localities' || ' ' || f.records_loaded FROM rivulet.source_file f
      JOIN rivulet.run USING (run) WHERE release = '2025D' AND source = 'oppscap'
      """
    #expect(try database.value(skipped) == "840 15260")
    #expect(try database.value("SELECT count(*) FROM cms.opps_cap WHERE release = '2025D'") == "15260")
  }

  @Test("restores the leading zeros that a spreadsheet lost", .needs(Loaded.latest))
  func leadingZeros() throws {
    let (database, _) = try Loaded.both.get()
    let row = """
      SELECT mac || '-' || locality || ' ' || state || ', ' || fee_schedule_area FROM cms.locality_county
      WHERE release = '2025D' ORDER BY row OFFSET 1 LIMIT 1
      """
    #expect(try database.value(row) == "02102-01 ALASKA, STATEWIDE")
    #expect(
      try database.value("SELECT count(*) FROM cms.locality_county WHERE release = '2025D' AND state IS NULL")
        == "0")
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
