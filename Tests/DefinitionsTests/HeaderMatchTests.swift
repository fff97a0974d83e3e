import TestSupport
import Testing
import Values

@testable import Definitions

@Suite("A header is found by what it says")
struct HeaderMatchTests {
  let pipeline: Pipeline

  init() throws {
    pipeline = try Project.load(SharedData.project).pipeline(named: "cms-rvu")
  }

  private func layout(_ name: String) throws -> Layout {
    try #require(pipeline.layouts[name])
  }

  private func find(_ csv: String, _ name: String) throws -> HeaderMatch {
    try HeaderMatch.find(in: records(csv), layout: layout(name))
  }

  /// Records of csv without quotes.
  private func records(_ csv: String) -> [[String]] {
    csv.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("A header merged over rows below a banner is found, and the banner is the text above it")
  func merged() throws {
    let layout = try layout("pprrvu")
    let version = try #require(layout.version(named: "2020"))
    let columns = version.columns.compactMap { $0.place?.headers.first?.words }
    let height = columns.map(\.count).max() ?? 0
    let header = (0..<height).map { row in
      columns.map { words in
        let word = row - (height - words.count)
        return word < 0 ? "" : words[word]
      }
    }
    let banner = [["", "", "A Banner  of", " two "], ["", ""], ["RELEASED 01/02/2030"]]
    let match = try HeaderMatch.find(in: banner + header + [["99999", "", "x"]], layout: layout)
    #expect(match.lastRow == 7 && match.depth == 5)
    #expect(match.banner == "A Banner of two\nRELEASED 01/02/2030")
    #expect(match.fields == [nil] + (0..<32).map { $0 })
    #expect(match.unknown.isEmpty)
  }

  @Test("A header in one row between blank rows is found in that row")
  func single() throws {
    let match = try find(
      "COUNTIES IN 2025,,,,\n,,,,\nMedicare Adminstrative Contractor,Locality Number,State ,Fee Schedule Area ,"
        + "Counties\n,,,,\n10112,0,ALABAMA ,STATEWIDE ,ALL", "locco")
    #expect(match.lastRow == 2 && match.depth == 1)
    #expect(match.fields == [nil, 0, 1, 2, 3, 4])
    #expect(match.banner == "COUNTIES IN 2025")
  }

  @Test(
    "Years, numbers, case and blanks may change, and an alias will do",
    arguments: [
      ("Contractor,Locality,Locality Name,National Anes CF of 20.3178", "anes"),
      ("CARRIER, locality ,LOCALITY  NAME,national anes cf of 19", "anes"),
      (
        "Medicare Administrative Contractor,State,Locality Number,Locality Name,1999 PW GPCI (with 1.0 Floor),"
          + "1999 PE GPCI,1999 MP GPCI", "gpci"
      ),
      ("HCPCS,MOD,PROCSTAT,CARRIER,LOCALITY,FACILITY PRICE,NON-FACILITY PRICE", "oppscap"),
      ("\u{FEFF}HCPCS,MOD,PROCSTAT,CARRIER,LOCALITY,FACILITY PRICE,NON-FACILTY PRICE", "oppscap"),
    ])
  func wording(header: String, layout: String) throws {
    #expect(try find(header, layout).lastRow == 0)
  }

  @Test("Columns may come in any order, and one that is new is reported")
  func order() throws {
    let match = try find(
      "LOCALITY,NEW,HCPCS,MOD,PROCSTAT,CARRIER,NON-FACILTY PRICE,FACILITY PRICE", "oppscap")
    #expect(match.fields == [2, 3, 4, 5, 0, 7, 6])
    #expect(match.unknown.map(\.field) == [1] && match.unknown.map(\.text) == ["NEW"])
  }

  @Test("An optional column is found where it is and missed where it is not")
  func optional() throws {
    let with = try find(
      "MAC,State,Locality,Locality Name,2026 PW GPCI (without 1.0 Floor),2026 PW GPCI (with 1.0 Floor),"
        + "2026 PE GPCI,2026 MP GPCI", "gpci")
    #expect(with.fields == [0, 1, 2, 3, 5, 4, 6, 7])
    let without = try find(
      "MAC,State,Locality,Locality Name,2026 PW GPCI (with 1.0 Floor),2026 PE GPCI,2026 MP GPCI", "gpci")
    #expect(without.fields == [0, 1, 2, 3, 4, nil, 5, 6])
  }

  @Test("A missing column is reported with what the file has in its place")
  func missing() throws {
    let error = #expect(throws: HeaderMismatch.self) {
      try find(
        "banner\nHCPCS,MOD,PROCSTAT,CARRIER,LOCALITY,FACILITY PRISE,NON-FACILTY PRICE\n1,2,3,4,5,6,7",
        "oppscap")
    }
    #expect(
      error?.description
        == "no header of the layout 'oppscap' was found: record 2 comes nearest, with 6 of 7 columns of"
        + " version 2020; - is what it has, + what the file has:"
        + "\n  - 'FACILITY PRICE' (facility_price)\n  + 'FACILITY PRISE'")
  }

  @Test("A column under a name like no other is reported with the names that nobody knows")
  func renamed() throws {
    let error = #expect(throws: HeaderMismatch.self) {
      try find("HCPCS,MOD,PROCSTAT,CARRIER,LOCALITY,AMOUNT A,NON-FACILTY PRICE,NOTE", "oppscap")
    }
    #expect(error?.unknown == ["AMOUNT A", "NOTE"])
    #expect(
      error?.description.hasSuffix(
        "\n  - 'FACILITY PRICE' (facility_price)\n  + 'AMOUNT A'\n  + 'NOTE'") == true,
      "\(error?.description ?? "")")
  }

  @Test("A difference has at most ten lines")
  func longDifference() throws {
    let others = (1...20).map { ",OTHER \($0)" }.joined()
    let error = #expect(throws: HeaderMismatch.self) {
      try find("HCPCS,MOD,PROCSTAT,CARRIER\(others)", "oppscap")
    }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(lines.count == 11 && lines[10] == "  and 14 more", "\(lines)")
  }

  @Test("A file that names no column is refused with the names of the newest version")
  func newestNames() throws {
    let error = #expect(throws: HeaderMismatch.self) { try find("a,b\n1,2", "gpci") }
    #expect(
      error?.description.hasSuffix(
        "such as 'MEDICARE ADMINISTRATIVE CONTRACTOR (MAC)', 'STATE', 'LOCALITY NUMBER'")
        == true, "\(error?.description ?? "")")
  }

  @Test("A file of something else names none of the columns")
  func otherFile() throws {
    let error = #expect(throws: HeaderMismatch.self) { try find("a,b\n1,2", "anes") }
    #expect(
      error?.description
        == "no header of the layout 'anes' was found: no record names any of its columns, such as"
        + " 'CONTRACTOR', 'LOCALITY', 'LOCALITY NAME'")
    #expect(throws: HeaderMismatch.self) { try find("", "anes") }
  }

  @Test("A column that two fields are called by is not guessed")
  func ambiguous() throws {
    let error = #expect(throws: HeaderMismatch.self) {
      try find("HCPCS,MOD,MOD,PROCSTAT,CARRIER,LOCALITY,FACILITY PRICE,NON-FACILTY PRICE", "oppscap")
    }
    #expect(error?.ambiguous.map(\.column) == ["modifier"])
    #expect(error?.ambiguous.map(\.fields) == [[1, 2]])
    #expect(error?.description.hasSuffix("\n  + modifier could be field 2 and 3") == true)
  }

  @Test(
    "A number means digits only",
    arguments: [
      ("{year} PE", "2025 PE", true), ("{year} PE", "25 PE", false),
      ("CF of {number}", "CF of 20.3178", true),
      ("CF of {number}", "CF of", false), ("{number}{number}", "12", true), ("{number}", ".", false),
      ("{other}", "{OTHER}", true), ("a  B ", " A b", true),
    ])
  func placeholders(header: String, text: String, matches: Bool) throws {
    let place = FieldPlace(headers: [HeaderText([header])])
    let version = LayoutVersion(
      name: "1", columns: [LayoutColumn(name: "a", origin: .field(place), type: .text)])
    let layout = Layout(name: "x", versions: [version], file: "x.yaml")
    #expect(((try? HeaderMatch.find(in: [[text]], layout: layout)) != nil) == matches)
  }
}
