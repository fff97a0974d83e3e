import Foundation
import TestSupport
import Testing

/// ZIP codes to localities, and prices by them.
@Suite("The ZIP codes of cms-zip5")
struct ZIPCodeTests {
  /// A whole file has thousands.
  private static let few = ["--accept", "rows-zip5"]
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
    let desk = try Desk()
    let run = try desk.load("cms-zip5", SharedData.path(Self.real), options: ["--format", "json"]).succeeded()
    #expect(try run.at("release") == "2025D")
    for (asked, answer) in [
      (
        "count(*), count(*) FILTER (WHERE plus_four_flag = '1'), count(DISTINCT quarter) FROM cms.zip_locality",
        "42956|580|1"
      ),
      (
        "string_agg(DISTINCT state, ' ') FROM cms.zip_locality WHERE state IN ('EM','WM','EK','WK','FM')",
        "EK EM FM WK WM"
      ),
      (
        """
        state, mac, locality, rural_indicator, lab_locality, rural_indicator_2006, plus_four_flag,
          part_b_drug_indicator, quarter, source_line FROM cms.zip_locality WHERE zip = '99501'
        """, "AK|02102|01|-|Z9|-|0|A|20254|1"
      ),
    ] { #expect(try desk.rows("SELECT " + asked) == [answer]) }
  }

  @Test("price a code on a sample, and invent no price where the ZIP code does not tell the locality")
  func price() throws {
    let desk = try Desk(with: Loaded.sample())
    func price(_ place: String...) throws -> Program.Outcome {
      let outcome = try desk.command(
        "query", "price", "--hcpcs", "99213", "--modifier", "", "--format", "json", options: place
      ).succeeded()
      #expect(try (outcome.json() as? [Any])?.count == 1)
      return outcome
    }
    let (amount, mac, reason) = ("0/nonfacility_amount", "0/mac", "0/reason")
    let before = try price("--zip", "94103")
    #expect(try before.at(reason).contains("rivulet run cms-zip5"))
    #expect(try before.at(amount, mac) == "null null")

    // As the publisher zips it: the record layout and the nine-digit file beside it.
    try desk.scratch.write("bundle/ZIP5_OCT2025.txt", Self.made)
    try desk.scratch.write("bundle/ZIP5lyout.txt", "Zip5 Record Layout\n")
    try desk.scratch.write("bundle/ZIP9_OCT2025.txt", "\n")
    try desk.scratch.write("bundle/\(ProviderFiles.notice)", "")
    try desk.load("cms-zip5", "bundle").succeeded()

    let byLocality = try price("--locality", "01112-05")
    #expect(try Double(byLocality.at(amount)) != nil)
    #expect(try price("--zip", "94103").output == byLocality.output)
    #expect(try price("--zip", "94103-1234").output == byLocality.output)
    #expect(try price("--zip", "94103", "--plus-four", "1234").output == byLocality.output)
    #expect(try price("--zip", "501").at(mac) == "\"13202\"")
    let several = try price("--zip", "35958", "--plus-four", "1234")
    #expect(try several.at(amount, mac) == "null null")
    #expect(try several.at(reason).hasPrefix("ZIP code 35958 lies in more than one locality"))
    func refused(_ zip: String, _ reason: String) throws {
      try desk.command("query", "price", "--hcpcs", "99213", "--zip", zip).failed(3, saying: reason)
    }
    try refused("12345", "12345 is not a ZIP code of the file of 2025D; the nearest are ")
    try refused(
      "96940",
      "99999-01 is not a payment locality of 2025D; it is contractor and locality number, as 01112-05")

    #expect(
      try price("--zip", "94103", "--plus-four", "12").at(reason)
        == "12 is not the four digits after a ZIP code")
  }

  @Test("hold until the next file, and a price by an older one says so")
  func older() throws {
    let desk = try Desk(with: Loaded.sample())
    try desk.scratch.write("ZIP5_JUL2025.txt", Self.made.replacing("20254", with: "20253"))
    try desk.load("cms-zip5", "ZIP5_JUL2025.txt", options: Self.few).succeeded()
    let answer = try desk.command(
      "query", "price", "--hcpcs", "99213", "--zip", "94103", "--date", "2025-10-15", "--format", "json")
    #expect(try Double(answer.at("0/nonfacility_amount")) != nil)
    #expect(try answer.at("0/notes").hasPrefix("locality of ZIP code 94103 by the file of 2025C"))
  }

  @Test(
    "are refused where a record names another quarter than the file, or a column lacks; of csv with a title")
  func delimited() throws {
    let desk = try Desk()
    try desk.scratch.write(
      "ZIP5_OCT2025.txt", Self.made + Self.record("TX", "75001", "04412", "11", quarter: "20253"))
    try desk.load("cms-zip5", "ZIP5_OCT2025.txt").failed(3, saying: "quarter-is-the-release")
    #expect(try desk.value("SELECT count(*) FROM cms.zip_locality") == "0")
    let header = "STATE,ZIP CODE,CARRIER,LOCALITY,RURAL IND,LAB CB LOCALITY,RURAL IND2,PLUS 4 FLAG,"
    try desk.scratch.write(
      "ZIP5_OCT2025.csv",
      "A title,,,,,,,,,\n" + header
        + "PART B DRUG INDICATOR,YEAR/QTR,SIDE NOTE\nNY,501,13202,2,R,Z9,B,0,A,20254,x\n")
    let run = try desk.load("cms-zip5", "ZIP5_OCT2025.csv", options: Self.few).succeeded()
    #expect((run.output + run.errors).contains("'SIDE NOTE'"), "\(run.output)\(run.errors)")
    #expect(
      try desk.rows("SELECT zip, mac, locality, rural_indicator, rural_indicator_2006 FROM cms.zip_locality")
        == ["00501|13202|02|R|B"])
    try desk.scratch.write("ZIP5_JAN2026.csv", header + "YEAR/QTER\nNY,501,13202,2,R,Z9,B,0,20261\n")
    try desk.load("cms-zip5", "ZIP5_JAN2026.csv").failed(
      3, saying: "- 'YEAR/QTR' (quarter)\n  + 'YEAR/QTER'")
  }
}
