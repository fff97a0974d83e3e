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

  /// The people as a file of each form, by the name of the pipeline that is drafted from it.
  private func files(in scratch: Scratch) throws -> [(name: String, path: String)] {
    func list(_ name: String, _ separator: String, above: String = "", below: String = "") throws -> String {
      let lines = Self.people.map {
        $0.map { $0.contains(separator) ? "\"\($0)\"" : $0 }.joined(separator: separator) + "\n"
      }
      return try scratch.write("\(name)-2025-11-20.csv", above + lines.joined() + below)
    }
    let header = Self.people[0]
    let records = Self.people.dropFirst().map { row in
      let members = zip(header, row).map { "\"\($0)\": " + ($1.isEmpty ? "null" : "\"\($1)\"") }
      return "{\(members.joined(separator: ", "))}"
    }
    let latin = try String(contentsOfFile: list("latin", ","), encoding: .utf8).replacing(
      "LEE", with: "L\u{C9}E")
    let sheet = scratch.path + "/sheet-2025-11-20.xlsx"
    try Workbook.write(Self.people, to: sheet)
    return [
      ("commas", try list("commas", ",")), ("semicolons", try list("semicolons", ";")),
      ("tabs", try list("tabs", "\t")),
      ("titled", try list("titled", ",", above: "Staff of the house\n\n", below: "as of today\n")),
      (
        "latin",
        try scratch.write("latin-2025-11-20.csv", bytes: Array(try #require(latin.data(using: .isoLatin1))))
      ),
      ("sheet", sheet),
      ("ndjson", try scratch.write("ndjson-2025-11-20.ndjson", records.joined(separator: "\n"))),
      ("jsonl", try scratch.write("jsonl-2025-11-20.jsonl", records.joined(separator: "\n"))),
      (
        "json",
        try scratch.write("json-2025-11-20.json", "{\"staff\": [\(records.joined(separator: ",\n"))]}")
      ),
    ]
  }

  @Test("passes the check, and loads the file it was made from, of whatever form that is")
  func loads() throws {
    let (scratch, database, program) = try project()
    let place = ["--project", scratch.path + "/project"]
    let files = try files(in: scratch)
    for (name, path) in files {
      let drafted = try program.run(["pipelines", "new", "--from", path, "--format", "json"] + place)
        .succeeded()
      let document = try drafted.object()
      #expect(document["pipeline"] as? String == name && document["key"] as? [String] == ["code"])
      for file in try #require(document["files"] as? [String]) {
        #expect(FileManager.default.fileExists(atPath: file), "\(file)")
      }
    }
    for words in [["pipelines", "check"], ["migrate", "up"]] {
      try program.run(words + place).succeeded()
    }
    for (name, path) in files {
      try program.run(["run", name, path] + place).succeeded()
      #expect(
        try database.value(
          """
          SELECT string_agg(concat_ws('|', release, code, npi, phone, phone_extension, since, beds, zip, zip_plus4), '; '
            ORDER BY code)
          FROM \(name)_list.record
          """)
          == "\(name)-2025-11-20|001|1234567893|+12035553000|4|2025-01-31|4|06001; "
          + "\(name)-2025-11-20|002|2024-02-29|12|06002|1234", "\(name)")
    }
    try program.run(["migrate", "down", "--to", "0"] + place).succeeded()
  }

  @Test("has its refused records exported and corrected with what is between its fields")
  func replay() throws {
    let (scratch, database, program) = try project()
    let place = ["--project", scratch.path + "/project"]
    try scratch.write("staff-2025-11-20.csv", "Code;Beds;Name\n01;4;x\n02;5;y, z\n")
    for words in [
      ["pipelines", "new", "--from", scratch.path + "/staff-2025-11-20.csv"], ["migrate", "up"],
    ] {
      try program.run(words + place).succeeded()
    }
    try scratch.write("staff-2025-11-21.csv", "Code;Beds;Name\n01;4;x\n02;five;y, z\n")
    try program.run(
      ["run", "staff", scratch.path + "/staff-2025-11-21.csv", "--max-rejects", "1"] + place
    ).succeeded()
    let number = try #require(try database.value("SELECT max(run) FROM rivulet.run"))
    let file = scratch.path + "/corrected.csv"
    try #require(try program.run(["rejects", "export", number, "-o", file] + place).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text.hasSuffix("rivulet_reason;Code;Beds;Name\n\"line 3, beds: not-an-integer\";02;five;y, z\n"),
      "\(text)")
    try text.replacing("five", with: "5").write(toFile: file, atomically: true, encoding: .utf8)
    try program.run(["rejects", "replay", number, file] + place).succeeded()
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
    try program.run(["pipelines", "new", "st-anne"] + place).failed(
      2, saying: "there is a pipeline 'st-anne' already")
    try program.run(["pipelines", "new", "--name", "St Anne"] + place).failed(
      2, saying: "--name mercy-on-call")
    try program.run(["pipelines", "new", "--project", scratch.path + "/project"]).failed(
      2, saying: "--from FILE is missing")
    try program.run(["pipelines", "new", "--from", scratch.path + "/nothing.csv"]).failed(6)
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
      try program.run(words + place).succeeded()
    }
    let run = try program.run(["run", "staff", file] + place)
    try #require(run.status == 0 && run.errors.contains("'Day'"), "\(run.errors)")
    #expect(
      try database.value(
        "SELECT string_agg(concat_ws(' ', code, ward, zip), '; ' ORDER BY code) FROM staff_list.record")
        == "00003 East 06001; 00004 West 06002")
    try program.run(["pipelines", "new", "x", "--from", file, "--sheet", "Noon"] + place).failed(
      3, saying: "\"Day\", \"Night\"")
    try scratch.write("staff.csv", "Code,Name\n1,x\n")
    try program.run(
      ["pipelines", "new", "x", "--from", scratch.path + "/staff.csv", "--sheet", "Day"] + place
    ).failed(2, saying: "leave --sheet out")
  }

  @Test("is not begun where nothing can be drafted")
  func refused() throws {
    let (scratch, _, program) = try project()
    try scratch.write("staff.csv", "Code,Code\n1,2\n")
    try program.run(
      "pipelines", "new", "--from", scratch.path + "/staff.csv", "--project", scratch.path + "/project"
    ).failed(3, saying: "'Code'")
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
    try program.run("pipelines", "show", "npes").failed(2, saying: "nppes")
  }
}
