import Foundation
import TestSupport
import Testing

/// Lists of made-up people, as hospitals, payers and states keep them.
@Suite("A list of providers")
struct ProviderListTests {
  private static let names = """
    SELECT string_agg(concat_ws('|', p.npi, n.last_name, n.first_name, n.middle_name, n.suffix, n.credential, a.phone,
      a.phone_extension, t.taxonomy), '; ' ORDER BY source_line)
    FROM directory.provider p JOIN directory.provider_name n USING (release, source_id, source_line)
    LEFT JOIN directory.provider_address a USING (release, source_id, source_line)
    LEFT JOIN directory.provider_taxonomy t USING (release, source_id, source_line)
    """

  @Test("of who is on call has each name taken apart, and a telephone number that can be dialled")
  func onCall() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    try scratch.write(
      "ward-2025-11-20.csv",
      """
      provider_name,specialty,phone_number,npi
      "Dr. Ada B. Exley, MD",Cardiology,(203) 555-1000 x12,1234567893
      "VAN DER WYE JR., TOM",urology,call the desk,1234567890
      Zed,Urology,,

      """)
    let run = try program.run("run", "directory-csv", scratch.path + "/ward-2025-11-20.csv")
    try #require(run.status == 0, "\(run.errors)")
    #expect(
      try database.value(Self.names)
        == "1234567893|Exley|Ada|B.|MD|+12035551000|12|CARDIOLOGY; Van der Wye|Tom|Jr.|UROLOGY; Zed|UROLOGY")
    // What is no number and no NPI is found, not lost in silence.
    #expect(run.errors.contains("phone: 1 values were left blank"), "\(run.errors)")
    #expect(run.errors.contains("npi: 1 values were left blank"), "\(run.errors)")
  }

  @Test("is read from a workbook as from a csv, form by form")
  func workbooks() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let lists: [(name: String, rows: [[String]], expected: String)] = [
      (
        "mercy-2025-11-20",
        [
          ["Service", "Last Name", "First Name", "Credentials", "On-Call Phone", "NPI"],
          ["PEDIATRICS", "O'DALE", "ANNA", "M.D.,PH.D.", "203-555-3000 x4", "1234567893"],
        ], "1234567893|O'Dale|Anna|MD, PhD|+12035553000|4|PEDIATRICS"
      ),
      (
        "state-2025-11-20",
        [
          [
            "License Number", "Licensee Last Name", "Licensee First Name", "Suffix", "Address", "City",
            "State", "Zip", "Profession",
          ],
          ["A1", "MCDALE", "KIM", "JR", "1 MAIN ST", "WEXLEY", "Connecticut", "6001", "NURSE"],
        ], "McDale|Kim|Jr.|NURSE"
      ),
      (
        "alder-2025-11-20",
        [
          [
            "Provider ID", "National Provider ID", "Provider Type", "Group Name", "Provider Last",
            "Provider First", "Title",
            "Office Address 1", "Office Address 2", "Office City", "Office State", "Office Zip",
            "Office Phone", "Office Fax",
            "Taxonomy",
          ],
          [
            "G1", "", "O", "CLINIC OF WEXLEY, LLC", "", "", "", "5 Elm St", "", "Wexley", "CT", "06002",
            "203-555-3000", "",
            "261QP2300X",
          ],
        ], "+12035553000|261QP2300X"
      ),
    ]
    for list in lists {
      try Workbook.write(list.rows, to: scratch.path + "/\(list.name).xlsx")
      let run = try program.run("run", "directory-csv", scratch.path + "/\(list.name).xlsx")
      try #require(run.status == 0, "\(run.errors)")
      #expect(try database.value(Self.names + " WHERE release = '\(list.name)'") == list.expected)
    }
    #expect(
      try database.value("SELECT organization FROM directory.provider_name WHERE release LIKE 'alder%'")
        == "Clinic of Wexley, LLC")
    #expect(
      try database.value(
        "SELECT state || postal_code FROM directory.provider_address WHERE release LIKE 'state%'")
        == "CT06001")
  }

  @Test("has nobody in it where a name says so, and refuses the record with its reason")
  func placeholders() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    try scratch.write(
      "ward-2025-11-20.csv",
      "provider_name,specialty,phone_number\nAda Exley,Urology,N/A\n"
        + ["N/A", "<UNAVAIL>", "-", "none", "tbd", " ", "...", "NaN"].map { "\($0),Urology,203-555-1000\n" }
        .joined()
        + "Nan Zane,Urology,\n")
    let words = ["run", "directory-csv", scratch.path + "/ward-2025-11-20.csv"]
    let refused = try program.run(words)
    #expect(refused.status == 3 && refused.errors.contains("the value is missing"), "\(refused.errors)")
    let run = try program.run(words + ["--max-rejects", "8"])
    try #require(run.status == 0, "\(run.errors)")
    #expect(try database.value(Self.names) == "Exley|Ada|UROLOGY; Zane|Nan|UROLOGY")
    try scratch.write(
      "mercy-2025-11-20.csv",
      """
      Service,Last Name,First Name,Credentials,On-Call Phone,NPI
      Urology,None,Anna,MD,203-555-1000,N/A
      Urology,none,NONE,n/a,203-555-1000,
      Urology,Nan,-,MD,203-555-1000,
      Urology,Exley,unknown,TBD,203-555-1001,

      """)
    let columns = try program.run(
      "run", "directory-csv", scratch.path + "/mercy-2025-11-20.csv", "--max-rejects", "2")
    try #require(columns.status == 0, "\(columns.errors)")
    #expect(
      try database.value(Self.names + " WHERE release LIKE 'mercy%'")
        == "None|Anna|MD|+12035551000|UROLOGY; Exley|+12035551001|UROLOGY")
  }

  @Test("tells the sheets of a workbook that nothing was read from")
  func sheets() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let header = ["provider_name", "specialty", "phone_number"]
    let path = scratch.path + "/ward-2025-11-20.xlsx"
    try Workbook.write(
      [
        ("Empty", [[" "]]), ("Day", [header, ["Ada Exley", "Urology", "203-555-1000"]]),
        ("Night", [header, ["Bo Zane", "Urology", "203-555-1001"]]),
      ], to: path)
    let run = try program.run("run", "directory-csv", path, "--format", "json")
    try #require(run.status == 0, "\(run.errors)")
    let found = "sheets that hold rows and that no source takes were left out: 'Night'"
    #expect(run.errors.contains(found), "\(run.errors)")
    let sources = try #require(try run.object()["sources"] as? [[String: Any]])
    #expect(sources.first?["warnings"] as? [String] == [found])
    #expect(try database.value(Self.names) == "Exley|Ada|+12035551000|UROLOGY")
    try Workbook.write(
      [("Day", [header, ["Ada Exley", "Urology", "203-555-1000"]]), ("Sheet2", [[]])], to: path)
    let again = try program.run("run", "directory-csv", path)
    #expect(again.status == 0 && !again.errors.contains("sheets"), "\(again.errors)")
  }

  @Test("keeps the zeros of a number that a workbook shows with them")
  func zeros() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let path = scratch.path + "/state-2025-11-20.xlsx"
    try Workbook.write(
      [
        [
          "License Number", "Licensee Last Name", "Licensee First Name", "Address", "City", "State", "Zip",
          "Profession",
        ],
        ["00000:42", "DALE", "KIM", "1 Main St", "Wexley", "CT", "00000:6001", "NURSE"],
      ], to: path)
    let run = try program.run("run", "directory-csv", path)
    try #require(run.status == 0, "\(run.errors)")
    #expect(
      try database.value("SELECT source_id || ' ' || postal_code FROM directory.provider_address")
        == "00042 06001")
  }

  @Test("can be made up, and is loaded whole")
  func sample() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let made = try program.run("sample", "directory-csv", "-o", scratch.path + "/", "--rows", "60")
    try #require(made.status == 0, "\(made.errors)")
    let run = try program.run("run", "directory-csv", scratch.path)
    try #require(run.status == 0 && !run.errors.contains("warning"), "\(run.errors)")
    #expect(
      try database.value(
        """
        SELECT concat_ws(' ', count(*), count(last_name), count(first_name), count(npi) BETWEEN 20 AND 59)
        FROM directory.provider JOIN directory.provider_name USING (release, source_id)
        """) == "60 60 60 t")
  }

  @Test("of another form needs a layout and nothing else, as the documentation has it")
  func documented() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let manual = try String(
      contentsOfFile: SharedData.project + "/Documentation/ProviderLists.md", encoding: .utf8)
    let blocks = manual.components(separatedBy: "```")
    let layout = try #require(blocks.first { $0.hasPrefix("yaml\nlayout: list") }).dropFirst("yaml\n".count)
    let list = try #require(blocks.first { $0.hasPrefix("csv\n") }).dropFirst("csv\n".count)
    for file in ["rivulet.yaml", "Pipelines/directory-csv/pipeline.yaml", "Data/lists/state.yaml"] {
      try scratch.write(
        file, try String(contentsOfFile: SharedData.project + "/" + file, encoding: .utf8))
    }
    try scratch.write("Pipelines/directory-csv/layouts/list.yaml", String(layout))
    try scratch.write("st-anne-2025-11-20.csv", String(list))
    let run = try program.run(
      "run", "directory-csv", scratch.path + "/st-anne-2025-11-20.csv", "--project", scratch.path)
    try #require(run.status == 0, "\(run.errors)")
    #expect(
      try database.value(Self.names)
        == "Exley|Ada|DO|+12035551000|12|CARDIOLOGY; Zane|Bo|+12035552000|UROLOGY")
  }
}
