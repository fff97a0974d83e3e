import Foundation
import TestSupport
import Testing

/// Lists of made-up people, as hospitals, payers and states keep them.
@Suite("A list of providers")
struct ProviderListTests {
  private static let names = """
    SELECT string_agg(concat_ws('|', p.npi, n.organization, n.last_name, n.first_name, n.middle_name, n.suffix, n.credential,
      a.phone, a.phone_extension, a.state, a.postal_code, t.taxonomy), '; ' ORDER BY source_line)
    FROM directory.provider p JOIN directory.provider_name n USING (release, source_id, source_line)
    LEFT JOIN directory.provider_address a USING (release, source_id, source_line)
    LEFT JOIN directory.provider_taxonomy t USING (release, source_id, source_line)
    """

  private static let mercy = ["Service", "Last Name", "First Name", "Credentials", "On-Call Phone", "NPI"]
  private static let state = [
    "License Number", "Licensee Last Name", "Licensee First Name", "Suffix", "Address", "City", "State",
    "Zip", "Profession",
  ]
  private static let payer = [
    "Provider ID", "National Provider ID", "Provider Type", "Group Name", "Provider Last", "Provider First",
    "Title", "Office Address 1", "Office Address 2", "Office City", "Office State", "Office Zip",
    "Office Phone", "Office Fax", "Taxonomy",
  ]

  /// Lists by their releases: of one workbook a sheet, or a csv; what is loaded, and of what a run tells.
  private static let lists: [(name: String, rows: [[String]], expected: String, warnings: [String])] = [
    (
      "ward-2025-11-20.csv",
      [
        ["provider_name", "specialty", "phone_number", "npi"],
        ["\"Dr. Ada B. Exley, MD\"", "Cardiology", "(203) 555-1000 x12", "1234567893"],
        ["\"VAN DER WYE JR., TOM\"", "urology", "call the desk", "1234567890"], ["Zed", "Urology", "", ""],
      ],
      "1234567893|Exley|Ada|B.|MD|+12035551000|12|CARDIOLOGY; Van der Wye|Tom|Jr.|UROLOGY; Zed|UROLOGY",
      // What is no number and no NPI is found, not lost in silence.
      ["phone: 1 values were left blank", "npi: 1 values were left blank"]
    ),
    (
      "mercy-2025-11-20.xlsx",
      [mercy, ["PEDIATRICS", "O'DALE", "ANNA", "M.D.,PH.D.", "203-555-3000 x4", "1234567893"]],
      "1234567893|O'Dale|Anna|MD, PhD|+12035553000|4|PEDIATRICS", []
    ),
    (
      "state-2025-11-20.xlsx",
      [
        state, ["A1", "MCDALE", "KIM", "JR", "1 MAIN ST", "WEXLEY", "Connecticut", "6001", "NURSE"],
        // A workbook shows zeros that its number has not.
        ["00000:42", "DALE", "KIM", "", "1 Main St", "Wexley", "CT", "00000:6001", "NURSE"],
      ], "McDale|Kim|Jr.|CT|06001|NURSE; Dale|Kim|CT|06001|NURSE", []
    ),
    (
      "alder-2025-11-20.xlsx",
      [
        payer,
        [
          "G1", "", "O", "CLINIC OF WEXLEY, LLC", "", "", "", "5 Elm St", "", "Wexley", "CT", "06002",
          "203-555-3000", "", "261QP2300X",
        ],
      ], "Clinic of Wexley, LLC|+12035553000|CT|06002|261QP2300X", []
    ),
    // Of which country a number, a state and a ZIP code are says the address.
    (
      "pine-2025-11-20.csv",
      [
        payer + ["Office Country"],
        [
          "P1", "", "I", "", "EXLEY", "ADA", "MD", "1 Elm Str", "", "Landstuhl", "Rheinland-Pfalz", "66849",
          "3145907269", "+49 6371 9464", "207R00000X", "Germany",
        ],
        [
          "P2", "", "I", "", "ZANE", "BO", "DO", "2 Elm St", "", "Wexley", "Connecticut", "6001",
          "3145907269", "", "207R00000X", "USA",
        ],
      ],
      "Exley|Ada|MD|3145907269|Rheinland-Pfalz|66849|207R00000X; "
        + "Zane|Bo|DO|+13145907269|CT|06001|207R00000X", []
    ),
    // A degree is no suffix.
    (
      "birch-2025-11-20.csv",
      [
        state, ["A1", "EXLEY", "ADA", "MD", "1 Main St", "Wexley", "CT", "06001", "NURSE"],
        ["A2", "ZANE", "BO", "\"JR, RN\"", "1 Main St", "Wexley", "CT", "06001", "NURSE"],
        ["A3", "COLE", "CY", "III", "1 Main St", "Wexley", "CT", "06001", "NURSE"],
      ],
      "Exley|Ada|MD|CT|06001|NURSE; Zane|Bo|Jr.|RN|CT|06001|NURSE; Cole|Cy|III|CT|06001|NURSE", []
    ),
    // Who is nobody by name is refused, and a placeholder is no other value.
    (
      "ward-2025-11-21.csv",
      [["provider_name", "specialty", "phone_number"], ["Ada Exley", "Urology", "N/A"]]
        + ["N/A", "<UNAVAIL>", "-", "none", "tbd", " ", "...", "NaN"].map {
          [$0, "Urology", "203-555-1000"]
        }
        + [["Nan Zane", "Urology", ""]], "Exley|Ada|UROLOGY; Zane|Nan|UROLOGY",
      ["7 of 10 records were refused and kept"]
    ),
    (
      "mercy-2025-11-21.csv",
      [
        mercy, ["Urology", "None", "Anna", "MD", "203-555-1000", "N/A"],
        ["Urology", "none", "NONE", "n/a", "203-555-1000", ""],
        ["Urology", "Nan", "-", "MD", "203-555-1000", ""],
        ["Urology", "Exley", "unknown", "TBD", "203-555-1001", ""],
      ], "None|Anna|MD|+12035551000|UROLOGY; Exley|+12035551001|UROLOGY",
      ["2 of 4 records were refused and kept"]
    ),
  ]

  @Test("has names taken apart, numbers that can be dialled, and nobody in it where a name says so")
  func forms() throws {
    let desk = try Desk()
    for (name, rows, expected, warnings) in Self.lists {
      if name.hasSuffix("csv") {
        let lines = rows.map { $0.joined(separator: ",") + "\n" }
        try desk.scratch.write(name, lines.joined())
      } else {
        try Workbook.write(rows, to: desk.path(name))
      }
      if warnings.contains(where: { $0.contains("refused") }) {
        try desk.load("directory-csv", name).failed(3, saying: "the value is missing")
      }
      let run = try desk.load("directory-csv", name, options: ["--max-rejects", "8"]).succeeded()
      for warning in warnings { #expect(run.errors.contains(warning), "\(name): \(run.errors)") }
      #expect(
        try desk.value(Self.names + " WHERE release = '\(name.split(separator: ".")[0])'") == expected)
    }
    #expect(
      try desk.value("SELECT source_id FROM directory.provider_name WHERE last_name = 'Dale'") == "00042")
  }

  @Test("tells the sheets of a workbook that nothing was read from")
  func sheets() throws {
    let desk = try Desk()
    let header = ["provider_name", "specialty", "phone_number"]
    let name = "ward-2025-11-20.xlsx"
    try Workbook.write(
      [
        ("Empty", [[" "]]), ("Day", [header, ["Ada Exley", "Urology", "203-555-1000"]]),
        ("Night", [header, ["Bo Zane", "Urology", "203-555-1001"]]),
      ], to: desk.path(name))
    let found = "sheets that hold rows and that no source takes were left out: 'Night'"
    let run = try desk.load("directory-csv", name, options: ["--format", "json"]).succeeded(saying: found)
    #expect(try run.at("sources/0/warnings/*") == found)
    #expect(try desk.value(Self.names) == "Exley|Ada|+12035551000|UROLOGY")
    try Workbook.write(
      [("Day", [header, ["Ada Exley", "Urology", "203-555-1000"]]), ("Sheet2", [[]])], to: desk.path(name))
    #expect(try !desk.load("directory-csv", name).succeeded().errors.contains("sheets"))
  }

  @Test("can be made up, and is loaded whole")
  func sample() throws {
    let desk = try Desk()
    try desk.command("sample", "directory-csv", "-o", desk.scratch.path + "/", "--rows", "60").succeeded()
    #expect(
      try !desk.load("directory-csv", desk.scratch.path).succeeded().errors.contains("warning"))
    #expect(
      try desk.value(
        """
        SELECT concat_ws(' ', count(*), count(last_name), count(first_name), count(npi) BETWEEN 20 AND 59)
        FROM directory.provider JOIN directory.provider_name USING (release, source_id)
        """) == "60 60 60 t")
  }

  @Test("of another form needs a layout and nothing else, as the documentation has it")
  func documented() throws {
    let desk = try OwnProject(of: ["directory-csv"])
    let manual = try String(
      contentsOfFile: SharedData.project + "/Documentation/ProviderLists.md", encoding: .utf8)
    let blocks = manual.components(separatedBy: "```")
    let layout = try #require(blocks.first { $0.hasPrefix("yaml\nlayout: list") }).dropFirst("yaml\n".count)
    let list = try #require(blocks.first { $0.hasPrefix("csv\n") }).dropFirst("csv\n".count)
    try desk.scratch.write("Pipelines/directory-csv/layouts/list/st-anne.yaml", String(layout))
    try desk.scratch.write("st-anne-2025-11-20.csv", String(list))
    try desk.load("directory-csv", "st-anne-2025-11-20.csv").succeeded()
    #expect(
      try desk.value(Self.names)
        == "Exley|Ada|DO|+12035551000|12|CARDIOLOGY; Zane|Bo|+12035552000|UROLOGY")
  }
}
