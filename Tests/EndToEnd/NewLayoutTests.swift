import Foundation
import TestSupport
import Testing

@Suite("A layout drafted into a pipeline")
struct NewLayoutTests {
  /// A project of its own with the lists of providers, and a database with their tables.
  private let own: OwnProject

  init() throws { own = try OwnProject(of: ["directory-csv", "oncall"]) }

  private func draft(
    _ file: String, into pipeline: String = "directory-csv", _ options: String...
  ) throws -> Program.Outcome {
    try own.command("pipelines", "new", "--into", pipeline, "--from", own.path(file), options: options)
  }

  private static let values = """
    SELECT string_agg(concat_ws('|', p.npi, n.last_name, n.first_name, n.middle_name, n.suffix, n.credential, a.phone,
      a.phone_extension, a.line_1, a.city, a.state, a.postal_code, t.taxonomy), '; ' ORDER BY source_line)
    FROM directory.provider p JOIN directory.provider_name n USING (release, source_id, source_line)
    LEFT JOIN directory.provider_address a USING (release, source_id, source_line)
    LEFT JOIN directory.provider_taxonomy t USING (release, source_id, source_line)
    """

  private static let list = [
    ["Attending", "Dept", "Pager #", "NPI No.", "Street Addr", "Town", "ST", "Postal", "Shift"],
    [
      "EXLEY, ADA B., M.D.", "Cardiology", "(203) 555-1000 x12", "1234567893", "1 Main St", "Wexley", "CT",
      "06001", "day",
    ],
    [
      "Dr. Bo Zane Jr., Nurse Practitioner", "Urology", "N/A", "", "2 Elm St", "Wexley", "CT", "06002",
      "night",
    ],
    ["TBD", "Urology", "203-555-1001", "1073050910", "2 Elm St", "Wexley", "CT", "06002", "night"],
  ]

  @Test("loads a hospital's list with headers of its own as it is drafted", arguments: ["csv", "xlsx"])
  func hospital(form: String) throws {
    let file = "st-anne-2025-11-20." + form
    if form == "csv" {
      let lines = Self.list.map { $0.map { "\"\($0)\"" }.joined(separator: ",") + "\n" }
      try own.scratch.write(file, "On call at St. Anne,,,,,,,,\n" + lines.joined())
    } else {
      try Workbook.write(Self.list, to: own.path(file))
    }
    try draft(file).succeeded(showing: "next: 'rivulet run directory-csv \(own.path(file))'")
    let text = try own.text(of: "Pipelines/directory-csv/layouts/list/st-anne.yaml")
    #expect(text.contains("# Columns of the sample that are not loaded:\n#   Shift\n"), "\(text)")
    #expect(!FileManager.default.fileExists(atPath: own.path("Migrations")))
    try own.command("pipelines", "check").succeeded()
    try own.load("directory-csv", file, options: ["--max-rejects", "1"]).succeeded()
    #expect(
      try own.value(Self.values)
        == "1234567893|Exley|Ada|B.|MD|+12035551000|12|1 Main St|Wexley|CT|06001|CARDIOLOGY; "
        + "Zane|Bo|Jr.|Nurse Practitioner|2 Elm St|Wexley|CT|06002|UROLOGY")
    try draft(file).failed(2, saying: "there is a layout")
  }

  @Test("knows names in columns of their own, and columns by their values where headers do not tell")
  func byValues() throws {
    try own.scratch.write(
      "clinic.csv",
      """
      Lic No,Family Name,Given Name,Quals,Ref,Where to Reach,Division,Group
      C-17,O'DALE,KIM,"MD, PHD",1234567893,(203) 555-3000,Pediatrics,Clinic A
      C-18,None,ANNA,DO,1073050910,(203) 555-3001,Surgery,Clinic A

      """)
    let drafted = try draft("clinic.csv", "clinic", "--format", "json").succeeded()
    #expect(
      try drafted.at("columns/1/stored", "columns/4/stored", "columns/7/stored")
        == #"["directory.provider_name.last_name"] ["directory.provider.npi"] "#
        + #"["directory.provider_affiliation.organization"]"#,
      "a group is not the name of a person")
    try own.load("directory-csv", "clinic.csv", options: ["--release", "clinic-2025-11-20"]).succeeded()
    #expect(
      try own.value(Self.values)
        == "1234567893|O'Dale|Kim|MD, PhD|+12035553000|PEDIATRICS; 1073050910|None|Anna|DO|+12035553001|SURGERY"
    )
  }

  @Test("is not written where the pipeline takes none, or nothing could be shown")
  func refused() throws {
    try own.scratch.write("beds.csv", "Room,Beds\nA,1\nB,2\n")
    try own.scratch.write("beds.ndjson", "{\"a\": 1}\n")
    for (file, pipeline, status, says) in [
      ("beds.csv", "directory-csv", 3, "no column of"), ("beds.csv", "oncall", 3, "it needs id"),
      ("beds.ndjson", "directory-csv", 2, "leave --into out"),
      ("beds.csv", "directry-csv", 2, "directory-csv"),
    ] as [(String, String, Int32, String)] { try draft(file, into: pipeline).failed(status, saying: says) }
    #expect(!FileManager.default.fileExists(atPath: own.path("Pipelines/directory-csv/layouts/list")))
  }
}
