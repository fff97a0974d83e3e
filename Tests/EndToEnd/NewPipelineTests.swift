import Foundation
import TestSupport
import Testing

@Suite("A pipeline drafted from a file")
struct NewPipelineTests {
  /// An empty project with a database of its own.
  private let own: OwnProject

  init() throws {
    own = try OwnProject(["rivulet.yaml": "project: own\ntime_zone: UTC\n"])
    for folder in ["Pipelines", "Migrations"] {
      try FileManager.default.createDirectory(
        atPath: own.path(folder), withIntermediateDirectories: true)
    }
  }

  private func draft(_ file: String, _ options: String...) throws -> Program.Outcome {
    try own.command("pipelines", "new", "--from", own.path(file), options: options)
  }

  private static let people = [
    ["Code", "Name", "NPI", "Phone", "Since", "Beds", "Zip"],
    ["001", "O'DALE, KIM", "1234567893", "203-555-3000 x4", "2025-01-31", "4", "06001"],
    ["002", "LEE, BO", "", "", "2024-02-29", "12", "60021234"],
  ]

  /// The people as a file of each form, by the name of the pipeline that is drafted from it.
  private static func text(of form: String) -> String {
    func list(_ separator: String) -> String {
      people.map {
        $0.map { $0.contains(separator) ? "\"\($0)\"" : $0 }.joined(separator: separator) + "\n"
      }.joined()
    }
    let records = people.dropFirst().map { row in
      let members = zip(people[0], row).map { "\"\($0)\": " + ($1.isEmpty ? "null" : "\"\($1)\"") }
      return "{\(members.joined(separator: ", "))}"
    }
    let elements = people.dropFirst().map { row in
      let named = zip(people[0], row).map { "<\($0)>\($1)</\($0)>" }
      return "<person Code=\"\(row[0])\">\(named.dropFirst().joined())</person>"
    }
    return switch form {
    case "semicolons": list(";")
    case "tabs": list("\t")
    case "latin":
      "Staff of the house\n\n" + list(",").replacing("LEE", with: "L\u{C9}E") + "as of today\n"
    case "jsonl": records.joined(separator: "\n")
    case "xml": "<staff day=\"2025\">\(elements.joined(separator: "\n"))</staff>"
    case "json": "{\"staff\": [\(records.joined(separator: ",\n"))]}"
    default: list(",")
    }
  }

  @Test("passes the check, and loads the file it was made from, of whatever form that is")
  func loads() throws {
    let files = ["semicolons", "tabs", "latin", "sheet", "jsonl", "json", "xml"].map { form in
      let ending = form.hasPrefix("j") || form == "xml" ? form : form == "sheet" ? "xlsx" : "csv"
      return (name: form, file: "\(form)-2025-11-20.\(ending)")
    }
    for (name, file) in files {
      if name == "sheet" {
        try Workbook.write(Self.people, to: own.path(file))
      } else {
        let text = Self.text(of: name).data(using: name == "latin" ? .isoLatin1 : .utf8)
        try own.scratch.write(file, bytes: Array(try #require(text)))
      }
      let drafted = try draft(file, "--format", "json").succeeded()
      #expect(try drafted.at("pipeline", "key") == "\(name) [\"code\"]")
      for file in try #require(drafted.object()["files"] as? [String]) {
        #expect(FileManager.default.fileExists(atPath: file), "\(file)")
      }
    }
    try own.command("pipelines", "check").succeeded()
    try own.command("migrate", "up").succeeded()
    for (name, file) in files {
      try own.load(name, file).succeeded()
      #expect(
        try own.value(
          """
          SELECT string_agg(concat_ws('|', release, code, npi, phone, phone_extension, since, beds, zip, zip_plus4), '; '
            ORDER BY code)
          FROM \(name)_list.record
          """)
          == "\(name)-2025-11-20|001|1234567893|+12035553000|4|2025-01-31|4|06001; "
          + "\(name)-2025-11-20|002|2024-02-29|12|06002|1234", "\(name)")
    }
    try own.command("migrate", "down", "--to", "0").succeeded()
    // Refused records are exported and corrected with what is between their fields.
    try own.command("migrate", "up").succeeded()
    try own.scratch.write(
      "semicolons-2025-11-21.csv", Self.text(of: "semicolons").replacing(";12;", with: ";twelve;"))
    try own.load("semicolons", "semicolons-2025-11-21.csv", options: ["--max-rejects", "1"]).succeeded()
    let number = try #require(try own.value("SELECT max(run) FROM rivulet.run"))
    try own.command("rejects", "export", number, "-o", own.path("corrected.csv")).succeeded()
    let exported =
      "rivulet_reason;Code;Name;NPI;Phone;Since;Beds;Zip\n"
      + "\"line 3, beds: not-an-integer\";002;LEE, BO;;;2024-02-29;twelve;60021234\n"
    #expect(try own.text(of: "corrected.csv").hasSuffix(exported))
    try own.edit("corrected.csv", "twelve", to: "5")
    try own.command("rejects", "replay", number, own.path("corrected.csv")).succeeded()
    #expect(
      try own.value(
        """
        SELECT string_agg(name || beds, '|' ORDER BY code) FROM semicolons_list.record
        WHERE release = 'semicolons-2025-11-21'
        """) == "O'DALE, KIM4|LEE, BO5")
  }

  @Test("is named as the user says, takes nobody's place, and is not begun where nothing can be drafted")
  func names() throws {
    try own.scratch.write("twice.csv", "Code,Code\n1,2\n")
    try draft("twice.csv").failed(3, saying: "'Code'")
    #expect(try FileManager.default.contentsOfDirectory(atPath: own.path("Pipelines")).isEmpty)
    try own.scratch.write("staff.csv", "Code,Name\n1,x\n")
    try draft("staff.csv", "--name", "st-anne").succeeded(showing: "--release st-anne-YYYY-MM-DD")
    try draft("staff.csv", "st-anne").failed(2, saying: "there is a pipeline 'st-anne' already")
    try draft("staff.csv", "--name", "St Anne").failed(2, saying: "--name mercy-on-call")
    try draft("staff.csv", "x", "--sheet", "Day").failed(2, saying: "leave --sheet out")
  }

  @Test("is one of the sheet that is named, and says which others there are")
  func sheets() throws {
    let file = "staff-2025-11-20.xlsx"
    try Workbook.write(
      [
        ("Day", [["Code", "Name"], ["00000:1", "A"], ["00000:2", "B"]]),
        (
          "Night",
          [["Code", "Ward", "Zip"], ["00000:3", "East", "00000:6001"], ["00000:4", "West", "00000:6002"]]
        ),
      ], to: own.path(file))
    try draft(file, "day").succeeded(
      showing: "drafted from the sheet 'Day'; there are rows in 'Night'", "--sheet 'Night'")
    try draft(file, "staff", "--sheet", "Night").succeeded()
    try draft(file, "x", "--sheet", "Noon").failed(3, saying: "\"Day\", \"Night\"")
    try own.command("migrate", "up").succeeded()
    try own.load("staff", file).succeeded(saying: "'Day'")
    #expect(
      try own.value(
        "SELECT string_agg(concat_ws(' ', code, ward, zip), '; ' ORDER BY code) FROM staff_list.record")
        == "00003 East 06001; 00004 West 06002")
  }

  @Test("can be looked at with all that belongs to it")
  func show() throws {
    try Program().run("pipelines", "show", "nppes").succeeded(
      showing: "known-taxonomies", "directory.endpoint")
    let sources = try Program().run("pipelines", "show", "nppes", "--format", "json").at("sources/*/source")
      .split(separator: " ")
    #expect(sources.first == "providers" && sources.count == 5)
  }
}
