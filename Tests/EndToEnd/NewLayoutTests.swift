import Foundation
import TestSupport
import Testing

@Suite("A layout drafted into a pipeline")
struct NewLayoutTests {
  /// A project of its own with the lists of providers, and a database with their tables.
  private func project() throws -> (scratch: Scratch, database: TestDatabase, program: Program) {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    for file in [
      "rivulet.yaml", "Pipelines/directory-csv/pipeline.yaml", "Pipelines/directory-csv/layouts/list.yaml",
      "Pipelines/oncall/pipeline.yaml", "Pipelines/oncall/layouts/schedule.yaml",
      "Pipelines/oncall/layouts/directory.yaml",
      "Data/lists/state.yaml",
    ] {
      try scratch.write(
        "project/" + file, try String(contentsOfFile: SharedData.project + "/" + file, encoding: .utf8))
    }
    return (scratch, database, program)
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
      "06001",
      "day",
    ],
    [
      "Dr. Bo Zane Jr., Nurse Practitioner", "Urology", "N/A", "", "2 Elm St", "Wexley", "CT", "06002",
      "night",
    ],
    ["TBD", "Urology", "203-555-1001", "1073050910", "2 Elm St", "Wexley", "CT", "06002", "night"],
  ]

  @Test("loads a hospital's list with headers of its own as it is drafted", arguments: ["csv", "xlsx"])
  func hospital(form: String) throws {
    let (scratch, database, program) = try project()
    let file = scratch.path + "/st-anne-2025-11-20." + form
    if form == "csv" {
      try scratch.write(
        "st-anne-2025-11-20.csv",
        "On call at St. Anne,,,,,,,,\n"
          + Self.list.map { $0.map { "\"\($0)\"" }.joined(separator: ",") + "\n" }.joined())
    } else {
      try Workbook.write(Self.list, to: file)
    }
    let place = ["--project", scratch.path + "/project"]
    let drafted = try program.run(["pipelines", "new", "--into", "directory-csv", "--from", file] + place)
      .succeeded()
    #expect(drafted.output.contains("next: 'rivulet run directory-csv \(file)'"), "\(drafted.output)")
    let path = scratch.path + "/project/Pipelines/directory-csv/layouts/list/st-anne.yaml"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("# Columns of the sample that are not loaded:\n#   Shift\n"), "\(text)")
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: scratch.path + "/project").contains("Migrations"))
    #expect(try program.run(["pipelines", "check"] + place).status == 0)
    try program.run(["run", "directory-csv", file, "--max-rejects", "1"] + place).succeeded()
    #expect(
      try database.value(Self.values)
        == "1234567893|Exley|Ada|B.|MD|+12035551000|12|1 Main St|Wexley|CT|06001|CARDIOLOGY; "
        + "Zane|Bo|Jr.|Nurse Practitioner|2 Elm St|Wexley|CT|06002|UROLOGY")
    try program.run(["pipelines", "new", "--into", "directory-csv", "--from", file] + place).failed(
      2, saying: "there is a layout")
  }

  @Test("knows names in columns of their own, and columns by their values where headers do not tell")
  func byValues() throws {
    let (scratch, database, program) = try project()
    try scratch.write(
      "clinic.csv",
      """
      Lic No,Family Name,Given Name,Quals,Ref,Where to Reach,Division,Group
      C-17,O'DALE,KIM,"MD, PHD",1234567893,(203) 555-3000,Pediatrics,Clinic A
      C-18,None,ANNA,DO,1073050910,(203) 555-3001,Surgery,Clinic A

      """)
    let place = ["--project", scratch.path + "/project"]
    let file = scratch.path + "/clinic.csv"
    let drafted = try program.run(
      ["pipelines", "new", "clinic", "--into", "directory-csv", "--from", file, "--format", "json"] + place
    ).succeeded()
    let columns = try #require(try drafted.object()["columns"] as? [[String: Any]])
    let stored = columns.map { ($0["stored"] as? [String] ?? []).joined(separator: ",") }
    #expect(stored[1] == "directory.provider_name.last_name" && stored[4] == "directory.provider.npi")
    #expect(stored[7].isEmpty, "a group is not the name of a person")
    try program.run(
      ["run", "directory-csv", file, "--release", "clinic-2025-11-20"] + place
    ).succeeded()
    #expect(
      try database.value(Self.values)
        == "1234567893|O'Dale|Kim|MD, PhD|+12035553000|PEDIATRICS; 1073050910|None|Anna|DO|+12035553001|SURGERY"
    )
  }

  @Test("is not written where the pipeline takes none, or nothing could be shown")
  func refused() throws {
    let (scratch, _, program) = try project()
    let place = ["--project", scratch.path + "/project"]
    try scratch.write("beds.csv", "Room,Beds\nA,1\nB,2\n")
    for (pipeline, expected) in [("directory-csv", "no column of"), ("oncall", "it needs id")] {
      try program.run(
        ["pipelines", "new", "--into", pipeline, "--from", scratch.path + "/beds.csv"] + place
      ).failed(3, saying: expected)
    }
    try scratch.write("beds.ndjson", "{\"a\": 1}\n")
    try program.run(
      ["pipelines", "new", "--into", "directory-csv", "--from", scratch.path + "/beds.ndjson"] + place
    ).failed(2, saying: "leave --into out")
    try program.run(
      ["pipelines", "new", "--into", "directry-csv", "--from", scratch.path + "/beds.csv"] + place
    ).failed(2, saying: "directory-csv")
    #expect(
      !FileManager.default.fileExists(
        atPath: scratch.path + "/project/Pipelines/directory-csv/layouts/list"))
  }
}
