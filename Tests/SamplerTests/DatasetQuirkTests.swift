import Definitions
import Testing

@testable import Sampler

@Suite("Quirks of the RVU files are in their sample.yaml")
struct DatasetQuirkTests {
  private func records(_ zip: ZipContents, _ name: String) -> [[String]] {
    zip.lines(name).map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  @Test("From 2026 on there are two national files, of which one lacks codes")
  func qpp() throws {
    let zip = try ZipContents.sample("qpp")
    #expect(
      zip.names == [
        "PPRRVU2026_Jan_nonQPP.csv", "PPRRVU2026_Jan_QPP.csv", "GPCI2026.csv", "26LOCCO.csv",
        "ANES2026.csv", "OPPSCAP_Jan.csv",
      ])
    let others = records(zip, "PPRRVU2026_Jan_nonQPP.csv").dropFirst(10)
    let taking = records(zip, "PPRRVU2026_Jan_QPP.csv").dropFirst(10)
    #expect(Set(others.map { $0[25] }) == ["33.4009"] && Set(taking.map { $0[25] }) == ["33.5675"])
    #expect(Set(others.map { $0[23] }) == ["9"] && Set(taking.map { $0[23] }) == ["1"])
    #expect(others.count == 30 && taking.count < others.count)
    func bare(_ record: [String]) -> String {
      (record[..<23] + [record[24]] + record[26...]).joined(separator: ",")
    }
    #expect(Set(taking.map(bare)).isSubset(of: Set(others.map(bare))))
  }

  @Test(
    "From 2026 on ANES has both factors, that of qualifying clinicians first",
    arguments: [("qpp", "Qualifying"), ("qpp anes-mislabelled", "Non-Qualifying")])
  func bothFactors(quirks: String, word: String) throws {
    let zip = try ZipContents.sample(quirks, formats: [.csv, .txt])
    let rows = records(zip, "ANES2026.csv").filter { $0[0] != "" }
    #expect(rows[0][3].hasPrefix(word + " APM") && rows[0][3].hasSuffix(" 20.599835"))
    #expect(rows[0][4].hasPrefix("Non-Qualifying APM") && rows[0][4].hasSuffix(" 20.49754"))
    for (row, line) in Swift.zip(rows.dropFirst(), zip.lines("ANES2026.txt")) where row.count == 5 {
      #expect(units(row[3], scale: 2) > units(row[4], scale: 2))
      let text = line.dropFirst(66).split(separator: " ")
      #expect(
        text == [row[3].filter { $0 != "." }[...], row[4].filter { $0 != "." }[...]] && line.utf8.count == 77)
    }
  }

  @Test("The caps of a release of two files are those of its first factor")
  func capsOfTwoFiles() throws {
    let plain = try ZipContents.sample(release: "2026A")
    let two = try ZipContents.sample("qpp")
    #expect(plain["OPPSCAP_Jan.csv"] != two["OPPSCAP_Jan.csv"])
  }

  @Test("PRIC IND is between TEAM SURG and ENDO BASE, byte 121 of the txt")
  func pricingIndicator() throws {
    let zip = try ZipContents.sample("pric-ind", formats: [.csv, .txt, .xlsx])
    let csv = records(zip, "PPRRVU2025_Oct.csv")
    #expect(csv[8][22...24] == ["TEAM", "PRIC", "ENDO"] && csv[9][22...24] == ["SURG", "IND", "BASE"])
    let plain = try ZipContents.sample(formats: [.txt]).lines("PPRRVU2025_Oct.txt").dropFirst(3)
    let lines = zip.lines("PPRRVU2025_Oct.txt").dropFirst(3)
    for (index, pair) in Swift.zip(plain, lines).enumerated() {
      var bytes = Array(pair.0.utf8)
      bytes[120] = csv[10 + index][23].utf8.first ?? 0
      #expect(Array(pair.1.utf8) == bytes)
    }
    #expect(Set(csv.dropFirst(10).map { $0[23] }) == ["9"])
    let sheet = try SheetContents(zip["PPRRVU2025_Oct.xlsx"])
    #expect(sheet.rows[10]?["X"]?.text == "IND" && sheet.rows[10]?["AF"]?.text == "AMOUNT")
  }

  @Test("It goes with the two files of 2026")
  func together() throws {
    let zip = try ZipContents.sample("qpp pric-ind")
    for name in ["PPRRVU2026_Jan_nonQPP.csv", "PPRRVU2026_Jan_QPP.csv"] {
      #expect(Set(records(zip, name).dropFirst(5).map(\.count)) == [32])
      #expect(records(zip, name)[9][23] == "IND")
    }
  }

  @Test("GPCI lacks its states, has both floors, or a locality twice")
  func indices() throws {
    let name = "GPCI2025.csv"
    let plain = try ZipContents.sample().lines(name)
    let header = try ZipContents.sample("gpci-no-state").lines(name)[2]
    #expect(!header.contains("State") && header.count { $0 == "," } == 5)
    let both = try records(ZipContents.sample("gpci-both-floors"), name)
    #expect(both[2][4...5] == ["2025 PW GPCI (without 1.0 Floor)", "2025 PW GPCI (with 1.0 Floor)"])
    let rows = both.filter { $0[0].first?.isNumber == true }
    #expect(rows.contains { $0[4...5] == ["0.975", "1"] } && rows.contains { $0[4...5] == ["1.5", "1.5"] })
    let none = try records(ZipContents.sample("gpci-no-floor"), name)
    #expect(none[2][4] == "2025 PW GPCI (without 1.0 Floor)" && none[2].count == 7)
    let twice = try ZipContents.sample("locality-twice").lines(name)
    let row = try #require(plain.first { $0.hasPrefix("05302,MO,99") })
    #expect(twice.count == plain.count + 1 && twice.count { $0 == row } == 2)
  }

  @Test(
    "One row is wrong in one value", arguments: [("unknown-status", 3, "Z"), ("unknown-indicator", 18, "8")])
  func values(quirk: String, field: Int, value: String) throws {
    let plain = try records(ZipContents.sample(), "PPRRVU2025_Oct.csv")
    let quirky = try records(ZipContents.sample(quirk), "PPRRVU2025_Oct.csv")
    let changed = plain.indices.filter { plain[$0] != quirky[$0] }
    #expect(changed == [10] && quirky[10][field] == value)
    var record = plain[10]
    record[field] = value
    #expect(quirky[10] == record)
  }

  @Test("A total is not the sum of its parts; no row has a description")
  func others() throws {
    let off = try records(ZipContents.sample("totals-off"), "PPRRVU2025_Oct.csv")
    #expect(off[10][12] == "1.00" && off[10][11] == "0.00")
    let blank = try records(ZipContents.sample("blank-description"), "PPRRVU2025_Oct.csv")
    #expect(blank.dropFirst(10).allSatisfy { $0[2].isEmpty })
  }
}
