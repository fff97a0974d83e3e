import Foundation
import TestSupport
import Testing

@Suite("A pipeline drafted from a file")
struct NewPipelineTests {
  /// An empty project with a database of its own.
  private func project() throws -> (scratch: Scratch, database: TestDatabase, program: Program) {
    let scratch = try Scratch()
    try scratch.write("project/rivulet.yaml", "project: own\ntime_zone: UTC\n")
    for folder in ["Pipelines", "Migrations"] {
      try FileManager.default.createDirectory(
        atPath: scratch.path + "/project/" + folder, withIntermediateDirectories: true)
    }
    let database = try TestServer.shared.makeDatabase()
    return (scratch, database, Program(database: database.url))
  }

  private static let people = [
    ["Code", "Name", "NPI", "Phone", "Since", "Beds", "Zip"],
    ["001", "O'DALE, KIM", "1234567893", "203-555-3000 x4", "2025-01-31", "4", "06001"],
    ["002", "LEE, BO", "", "", "2024-02-29", "12", "60021234"],
  ]

  @Test(
    "passes the check, and loads the file it was made from",
    arguments: [
      "csv", "semicolons.csv", "tabs.csv", "latin.csv", "xlsx", "ndjson", "jsonl", "json", "title.csv",
    ])
  func loads(form: String) throws {
    let (scratch, database, program) = try project()
    let kind = String(form.split(separator: ".").last ?? "")
    let file = scratch.path + "/staff-2025-11-20." + kind
    func lines(_ separator: String) -> String {
      Self.people.map {
        $0.map { $0.contains(separator) ? "\"\($0)\"" : $0 }.joined(separator: separator) + "\n"
      }.joined()
    }
    switch form {
    case "csv": try scratch.write("staff-2025-11-20.csv", lines(","))
    case "semicolons.csv": try scratch.write("staff-2025-11-20.csv", lines(";"))
    case "tabs.csv": try scratch.write("staff-2025-11-20.csv", lines("\t"))
    case "title.csv":
      try scratch.write("staff-2025-11-20.csv", "Staff of the house\n\n" + lines(",") + "as of today\n")
    case "latin.csv":
      let text = lines(",").replacing("Beds", with: "Bétten").replacing("LEE", with: "LÉE")
      try #require(text.data(using: .isoLatin1)).write(to: URL(filePath: file))
    case "xlsx": try Workbook.write(Self.people, to: file)
    default:
      let header = Self.people[0]
      let records = Self.people.dropFirst().map { row in
        "{"
          + zip(header, row).map { "\"\($0)\": " + ($1.isEmpty ? "null" : "\"\($1)\"") }.joined(
            separator: ", ") + "}"
      }
      try scratch.write(
        "staff-2025-11-20." + kind,
        kind == "json"
          ? "{\"staff\": [\(records.joined(separator: ",\n"))]}" : records.joined(separator: "\n"))
    }
    let place = ["--project", scratch.path + "/project"]
    let drafted = try program.run(["pipelines", "new", "--from", file, "--format", "json"] + place)
    try #require(drafted.status == 0, "\(drafted.errors)")
    let document = try drafted.object()
    #expect(document["pipeline"] as? String == "staff" && document["key"] as? [String] == ["code"])
    for file in try #require(document["files"] as? [String]) {
      #expect(FileManager.default.fileExists(atPath: file), "\(file)")
    }
    let check = try program.run(["pipelines", "check"] + place)
    #expect(check.status == 0, "\(check.errors)")
    let up = try program.run(["migrate", "up"] + place)
    try #require(up.status == 0, "\(up.errors)")
    let run = try program.run(["run", "staff", file] + place)
    try #require(run.status == 0, "\(run.errors)")
    let beds = form == "latin.csv" ? "b_tten" : "beds"
    #expect(
      try database.value(
        """
        SELECT string_agg(concat_ws('|', release, code, npi, phone, phone_extension, since, \(beds), zip, zip_plus4), '; ' ORDER BY code)
        FROM staff_list.record
        """)
        == "staff-2025-11-20|001|1234567893|+12035553000|4|2025-01-31|4|06001; "
        + "staff-2025-11-20|002|2024-02-29|12|06002|1234")
    let down = try program.run(["migrate", "down", "--steps", "1"] + place)
    #expect(down.status == 0, "\(down.errors)")
  }

  @Test("has its refused records exported and corrected with what is between its fields")
  func replay() throws {
    let (scratch, database, program) = try project()
    let place = ["--project", scratch.path + "/project"]
    try scratch.write("staff-2025-11-20.csv", "Code;Beds;Name\n01;4;x\n02;5;y, z\n")
    for words in [
      ["pipelines", "new", "--from", scratch.path + "/staff-2025-11-20.csv"], ["migrate", "up"],
    ] {
      let outcome = try program.run(words + place)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    try scratch.write("staff-2025-11-21.csv", "Code;Beds;Name\n01;4;x\n02;five;y, z\n")
    let run = try program.run(
      ["run", "staff", scratch.path + "/staff-2025-11-21.csv", "--max-rejects", "1"] + place)
    try #require(run.status == 0, "\(run.errors)")
    let number = try #require(try database.value("SELECT max(run) FROM rivulet.run"))
    let file = scratch.path + "/corrected.csv"
    try #require(try program.run(["rejects", "export", number, "-o", file] + place).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text.hasSuffix("rivulet_reason;Code;Beds;Name\n\"line 3, beds: not-an-integer\";02;five;y, z\n"),
      "\(text)")
    try text.replacing("five", with: "5").write(toFile: file, atomically: true, encoding: .utf8)
    let replay = try program.run(["rejects", "replay", number, file] + place)
    try #require(replay.status == 0, "\(replay.errors)")
    #expect(
      try database.value(
        "SELECT string_agg(name, '|' ORDER BY code) FROM staff_list.record WHERE release = 'staff-2025-11-21'"
      )
        == "x|y, z")
  }

  @Test("is named as the user says, and takes nobody's place")
  func names() throws {
    let (scratch, _, program) = try project()
    try scratch.write("staff.csv", "Code,Name\n1,x\n")
    let place = ["--from", scratch.path + "/staff.csv", "--project", scratch.path + "/project"]
    let first = try program.run(["pipelines", "new", "--name", "st-anne"] + place)
    #expect(
      first.status == 0 && first.output.contains("--release st-anne-YYYY-MM-DD"),
      "\(first.output)\(first.errors)")
    let again = try program.run(["pipelines", "new", "st-anne"] + place)
    #expect(
      again.status == 2 && again.errors.contains("there is a pipeline 'st-anne' already"), "\(again.errors)")
    let odd = try program.run(["pipelines", "new", "--name", "St Anne"] + place)
    #expect(odd.status == 2 && odd.errors.contains("--name mercy-on-call"), "\(odd.errors)")
    let none = try program.run(["pipelines", "new", "--project", scratch.path + "/project"])
    #expect(none.status == 2 && none.errors.contains("--from FILE is missing"), "\(none.errors)")
    let missing = try program.run(["pipelines", "new", "--from", scratch.path + "/nothing.csv"])
    #expect(missing.status == 6, "\(missing.errors)")
  }

  @Test("is one of the sheet that is named, and says which others there are")
  func sheets() throws {
    let (scratch, database, program) = try project()
    let file = scratch.path + "/staff-2025-11-20.xlsx"
    try Workbook.write(
      [
        ("Day", [["Code", "Name"], ["00000:1", "A"], ["00000:2", "B"]]),
        (
          "Night",
          [["Code", "Ward", "Zip"], ["00000:3", "East", "00000:6001"], ["00000:4", "West", "00000:6002"]]
        ),
      ], to: file)
    let place = ["--project", scratch.path + "/project"]
    let first = try program.run(["pipelines", "new", "day", "--from", file] + place)
    #expect(
      first.status == 0 && first.output.contains("drafted from the sheet 'Day'; there are rows in 'Night'")
        && first.output.contains("--sheet 'Night'"), "\(first.output)\(first.errors)")
    for words in [["pipelines", "new", "staff", "--from", file, "--sheet", "Night"], ["migrate", "up"]] {
      let outcome = try program.run(words + place)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    let run = try program.run(["run", "staff", file] + place)
    try #require(run.status == 0 && run.errors.contains("'Day'"), "\(run.errors)")
    #expect(
      try database.value(
        "SELECT string_agg(concat_ws(' ', code, ward, zip), '; ' ORDER BY code) FROM staff_list.record")
        == "00003 East 06001; 00004 West 06002")
    let none = try program.run(["pipelines", "new", "x", "--from", file, "--sheet", "Noon"] + place)
    #expect(none.status == 3 && none.errors.contains("\"Day\", \"Night\""), "\(none.errors)")
    try scratch.write("staff.csv", "Code,Name\n1,x\n")
    let list = try program.run(
      ["pipelines", "new", "x", "--from", scratch.path + "/staff.csv", "--sheet", "Day"] + place)
    #expect(list.status == 2 && list.errors.contains("leave --sheet out"), "\(list.errors)")
  }

  @Test("is not begun where nothing can be drafted")
  func refused() throws {
    let (scratch, _, program) = try project()
    try scratch.write("staff.csv", "Code,Code\n1,2\n")
    let outcome = try program.run(
      "pipelines", "new", "--from", scratch.path + "/staff.csv", "--project", scratch.path + "/project")
    #expect(outcome.status == 3 && outcome.errors.contains("'Code'"), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/project/Pipelines").isEmpty)
  }

  @Test("can be looked at with all that belongs to it")
  func show() throws {
    let program = Program()
    let text = try program.run("pipelines", "show", "nppes")
    #expect(
      text.status == 0 && text.output.contains("known-taxonomies")
        && text.output.contains("directory.endpoint"))
    let document = try program.run("pipelines", "show", "nppes", "--format", "json").object()
    let sources = try #require(document["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["source"] as? String }.first == "providers" && sources.count == 5)
    let unknown = try program.run("pipelines", "show", "npes")
    #expect(unknown.status == 2 && unknown.errors.contains("nppes"), "\(unknown.errors)")
  }
}
