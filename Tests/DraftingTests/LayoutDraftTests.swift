import Definitions
import Drafting
import TestSupport
import Testing

@Suite("A column of a list")
struct LayoutDraftTests {
  /// What a column is stored as beside last names, the tables left out; of what goes nowhere a dash.
  private func stored(_ header: String, _ values: [String], beside name: String = "Last Name") throws
    -> String
  {
    let scratch = try Scratch()
    let rows = values.enumerated().map { "\"\($0.element)\",\(["Exley", "Zane", "Cole"][$0.offset])\n" }
    try scratch.write("list-2025-11-20.csv", "\"\(header)\",\(name)\n" + rows.joined())
    let pipeline = try Project.load(SharedData.project).pipeline(named: "directory-csv")
    let draft = try LayoutDraft(from: scratch.path + "/list-2025-11-20.csv", into: pipeline)
    let names = draft.columns[0].stored.map { String($0.split(separator: ".").last ?? "") }
    return names.isEmpty ? "-" : names.joined(separator: " ")
  }

  @Test("is known by the words of its header, and what they are short for")
  func headers() throws {
    for (headers, values, expected) in [
      (["frst_nm", "FNAME", "Given Name", "Prov Fst Nm", "first"], ["Ada", "Bo"], "first_name"),
      (["mid_nm", "MI", "Middle Initial"], ["B", "C"], "middle_name"),
      (["suff", "SFX", "Name Suffix"], ["Jr.", "III"], "suffix credential"),
      (["cred", "Degree", "Credentials"], ["MD", "DO"], "credential"),
      (
        ["adr_ln_1", "Street", "St_Adr", "Addr1", "Practice Address 1", "Address"], ["1 A", "2 B"], "line_1"
      ),
      (["First Line Business Practice Location Address"], ["1 A", "2 B"], "line_1"),
      (["adr_ln_2", "Suite", "Address Line 2"], ["Apt 1", "Apt 2"], "line_2"),
      (["cty", "City/Town", "Practice Location Address City Name"], ["Ely", "Rye"], "city"),
      (["st", "State Code", "Prov St"], ["CT", "PA"], "state"),
      (["Country", "cntry", "Country Code", "Office Country"], ["DE", "US"], "country"),
      (["zip_cd", "ZIP Code", "Postal"], ["06001", "19101"], "postal_code zip4"),
      (
        ["tel_num", "Ph No", "Practice Location Address Telephone Number"], ["203-555-1000", "203-555-1001"],
        "phone phone_extension"
      ),
      (["Fax No", "Facsimile"], ["203-555-1000", "203-555-1001"], "fax"),
      (["pri_spec", "Taxonomy Cd", "Dept", "Profession"], ["Urology", "Surgery"], "taxonomy"),
      (
        ["NPI No.", "npi_num", "National Provider Identifier", "Rendering NPI"],
        ["1234567893", "1073050910"],
        "npi"
      ),
      (["License Number", "LIC_NO", "State License #", "Lic"], ["ME1", "ME2"], "source_id license"),
      (["Provider ID", "ID", "Provider Number"], ["17", "18"], "source_id"),
      (["org_nm", "Group", "Facility Name", "Practice Name"], ["A Clinic", "B Clinic"], "organization"),
      (["org_pac_id", "Facility ID", "Group ID"], ["17", "18"], "identifier"),
      (
        [
          "License State", "Mailing Address", "Billing NPI", "License Expiration Date", "Address ID", "Email",
          "Authorized Official Last Name", "Hospital Type Note",
        ], ["x1", "x2"], "-"
      ),
    ] as [([String], [String], String)] {
      for header in headers { #expect(try stored(header, values) == expected, "\(header)") }
    }
  }

  @Test("of numbers is one of NPIs also where most of them are zeros")
  func zeros() throws {
    #expect(try stored("NPI", ["0000000000", "0000000000", "1234567893"]) == "npi")
    #expect(try stored("NPI", ["0000000000", "0000000000"]) == "npi")
    #expect(try stored("NPI", ["abc", "def"]) == "-")
  }

  @Test("that is blank in the sample is loaded all the same, unless it should have the name")
  func blank() throws {
    #expect(try stored("mid_nm", ["", ""]) == "middle_name")
    #expect(try stored("NPI", ["", "N/A"]) == "npi")
    #expect(try stored("Facility Name", ["", ""]) == "organization")
    #expect(throws: DraftError.self) { try stored("NPI", ["1234567893"], beside: "Ward") }
    #expect(throws: DraftError.self) { try stored("Provider Name", [""], beside: "Ward") }
  }

  @Test("with the identifiers of organisations is what these are known by, and not their name")
  func identifiers() throws {
    for header in ["Facility ID", "CCN", "CMS Certification Number (CCN)", "Hospital No"] {
      #expect(try stored(header, ["010001", "01014F"], beside: "Facility Name") == "source_id", "\(header)")
    }
  }
}
