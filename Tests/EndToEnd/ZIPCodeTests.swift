import Foundation
import TestSupport
import Testing

/// ZIP codes to localities, and prices by them.
@Suite("The ZIP codes of cms-zip5")
struct ZIPCodeTests {
  private static let real = "rvu/ZIP5_OCT2025.txt"

  /// A record of the txt, made up.
  private static func record(
    _ state: String, _ zip: String, _ mac: String, _ locality: String, flag: String = "0",
    quarter: String = "20254"
  ) -> String {
    "\(state)\(zip)\(mac)\(locality) Z9   \(flag) A" + String(repeating: " ", count: 52) + quarter + "\r\n"
  }

  private static let made =
    record("CA", "94103", "01112", "05") + record("NY", "00501", "13202", "02")
    + record("AL", "35958", "10112", "00", flag: "1") + record("PW", "96940", "99999", "01")

  @Test("are loaded from the real file, every record of it", .needs(real))
  func realFile() throws {
    let (database, program) = try Loaded.migrated()
    let run = try program.run("run", "cms-zip5", SharedData.path(Self.real), "--format", "json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.object()["release"] as? String == "2025D")
    let counts = """
      SELECT count(*) || ' ' || count(*) FILTER (WHERE plus_four_flag = '1') || ' ' || count(DISTINCT quarter)
      FROM cms.zip_locality
      """
    #expect(try database.value(counts) == "42956 580 1")
    let own =
      "SELECT string_agg(DISTINCT state, ' ') FROM cms.zip_locality WHERE state IN ('EM','WM','EK','WK','FM')"
    #expect(try database.value(own) == "EK EM FM WK WM")
    let first = """
      SELECT concat_ws(' ', state, mac, locality, coalesce(rural_indicator, '-'), lab_locality,
        coalesce(rural_indicator_2006, '-'), plus_four_flag, part_b_drug_indicator, quarter, source_line)
      FROM cms.zip_locality WHERE zip = '99501'
      """
    #expect(try database.value(first) == "AK 02102 01 - Z9 - 0 A 20254 1")
  }

  @Test("price a code on a sample, and invent no price where the ZIP code does not tell the locality")
  func price() throws {
    let (_, program) = try Loaded.migrated()
    let sample = SharedData.project + "/Data/samples/RVU25D-sample.zip"
    let loaded = try program.run("run", "cms-rvu", sample)
    try #require(loaded.status == 0, "\(loaded.errors)")
    func price(_ place: String...) throws -> [String: Any] {
      let outcome = try program.run(
        ["query", "price", "--hcpcs", "99213", "--modifier", "", "--format", "json"] + place)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let rows = try #require(try outcome.json() as? [[String: Any]])
      #expect(rows.count == 1)
      return rows.first ?? [:]
    }
    let before = try price("--zip", "94103")
    #expect((before["reason"] as? String)?.contains("rivulet run cms-zip5") == true)
    #expect(before["nonfacility_amount"] is NSNull && before["mac"] is NSNull)

    // As the publisher zips it: the record layout and the nine-digit file beside it.
    let scratch = try Scratch()
    try scratch.write("bundle/ZIP5_OCT2025.txt", Self.made)
    try scratch.write("bundle/ZIP5lyout.txt", "Zip5 Record Layout\n")
    try scratch.write("bundle/ZIP9_OCT2025.txt", "\n")
    let run = try program.run("run", "cms-zip5", scratch.path + "/bundle", "--format", "json")
    try #require(run.status == 0, "\(run.errors)")

    let byLocality = try price("--locality", "01112-05")
    #expect(byLocality["nonfacility_amount"] is NSNumber)
    for zip in [["--zip", "94103"], ["--zip", "94103-1234"], ["--zip", "94103", "--plus-four", "1234"]] {
      let byZIP = try program.run(
        ["query", "price", "--hcpcs", "99213", "--modifier", "", "--format", "json"] + zip)
      let rows = try #require(try byZIP.json() as? [NSDictionary])
      #expect(rows.first == byLocality as NSDictionary)
    }
    #expect(try price("--zip", "501")["mac"] as? String == "13202")
    let several = try price("--zip", "35958", "--plus-four", "1234")
    #expect(several["nonfacility_amount"] is NSNull && several["mac"] is NSNull)
    #expect(
      (several["reason"] as? String)?.hasPrefix("ZIP code 35958 lies in more than one locality") == true)
    #expect(
      try price("--zip", "12345")["reason"] as? String == "12345 is not a ZIP code of the file of 2025D")
    #expect(
      try price("--zip", "94103", "--plus-four", "12")["reason"] as? String
        == "12 is not the four digits after a ZIP code")
    #expect(
      try price("--zip", "96940")["reason"] as? String
        == "99999-01 is not a payment locality of 2025D; it is contractor and locality number, as 01112-05")
  }

  @Test("hold until the next file, and a price by an older one says so")
  func older() throws {
    let (_, program) = try Loaded.migrated()
    let sample = SharedData.project + "/Data/samples/RVU25D-sample.zip"
    try #require(try program.run("run", "cms-rvu", sample).status == 0)
    let scratch = try Scratch()
    try scratch.write("ZIP5_JUL2025.txt", Self.made.replacing("20254", with: "20253"))
    try #require(try program.run("run", "cms-zip5", scratch.path + "/ZIP5_JUL2025.txt").status == 0)
    let answer = try program.run(
      "query", "price", "--hcpcs", "99213", "--zip", "94103", "--date", "2025-10-15", "--format", "json")
    let rows = try #require(try answer.json() as? [[String: Any]])
    #expect(rows.first?["nonfacility_amount"] is NSNumber)
    #expect(
      (rows.first?["notes"] as? String)?.hasPrefix("locality of ZIP code 94103 by the file of 2025C") == true)
  }

  @Test("are refused where a record names another quarter than the file")
  func otherQuarter() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    try scratch.write(
      "ZIP5_OCT2025.txt", Self.made + Self.record("TX", "75001", "04412", "11", quarter: "20253"))
    let run = try program.run("run", "cms-zip5", scratch.path + "/ZIP5_OCT2025.txt")
    #expect(run.status == 3 && run.errors.contains("quarter-is-the-release"), "\(run.errors)")
    #expect(try database.value("SELECT count(*) FROM cms.zip_locality") == "0")
  }

  @Test(
    "are read from csv, with a warning for what is new, and refused with the difference where a column lacks")
  func delimited() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let header = "STATE,ZIP CODE,CARRIER,LOCALITY,RURAL IND,LAB CB LOCALITY,RURAL IND2,PLUS 4 FLAG,"
    let path = scratch.path + "/ZIP5_OCT2025.csv"
    try scratch.write(
      "ZIP5_OCT2025.csv",
      "A title,,,,,,,,,\n" + header
        + "PART B DRUG INDICATOR,YEAR/QTR,SIDE NOTE\nNY,501,13202,2,R,Z9,B,0,A,20254,x\n")
    let run = try program.run("run", "cms-zip5", path)
    #expect(run.status == 0, "\(run.errors)")
    #expect((run.output + run.errors).contains("'SIDE NOTE'"), "\(run.output)\(run.errors)")
    let row =
      "SELECT concat_ws(' ', zip, mac, locality, rural_indicator, rural_indicator_2006) FROM cms.zip_locality"
    #expect(try database.value(row) == "00501 13202 02 R B")

    try scratch.write("ZIP5_JAN2026.csv", header + "YEAR/QTER\nNY,501,13202,2,R,Z9,B,0,20261\n")
    let refused = try program.run("run", "cms-zip5", scratch.path + "/ZIP5_JAN2026.csv")
    #expect(refused.status == 3)
    #expect(
      refused.errors.contains("'YEAR/QTR' (quarter) is missing, the file has 'YEAR/QTER'"),
      "\(refused.errors)")
  }
}
