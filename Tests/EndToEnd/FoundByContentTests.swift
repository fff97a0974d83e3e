import Definitions
import Foundation
import PipelineCore
import PipelineEngine
import TestSupport
import Testing

/// Files that are called as people call them.
@Suite("A file that no name tells of")
struct FoundByContentTests {
  private static let options = ["--allow-missing", "--no-refresh", "--format", "json"]

  /// A desk with an unpacked sample, in a folder.
  private func unpacked(_ formats: String...) throws -> Desk {
    let desk = try Desk()
    try Loaded.unzip(Samples.make(formats: formats, rows: 60), into: desk.path("in"))
    return desk
  }

  private func move(_ desk: Desk, _ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: desk.path(name), toPath: desk.path(other))
  }

  @Test(
    "is the table whose header it has, in whatever format",
    arguments: [
      ("csv", "rvu.csv"), ("xlsx", "rvu.xlsx"), ("txt", "rvu.txt"), ("csv", "download"), ("xlsx", "download"),
      ("csv", "rvu (1).csv"),
    ])
  func found(format: String, name: String) throws {
    let desk = try unpacked(format)
    try move(desk, "in/PPRRVU2025_Oct.\(format)", to: name)
    let run = try desk.load("cms-rvu", name, options: Self.options + ["--release", "2025D"]).succeeded()
    #expect(try run.at("state", "sources/*/source", "release") == "published pprrvu 2025D")
    #expect(try run.at("sources/0/file") == desk.path(name))
  }

  @Test(
    "of a publisher is found under any name",
    .needs("rvu/RVU22A", "hcpcs", "rvu/ZIP5_OCT2025.txt", "directory/nppes", "directory/nucc", Loaded.latest),
    arguments: [
      ("hcpcs/HCPC2025_OCT_ANWEB.xlsx", "anweb.xlsx", "cms-hcpcs", "2025D", "codes modifiers"),
      ("rvu/RVU22A/PPRRVU22_JAN.csv", "rvu.csv", "cms-rvu", nil, "pprrvu"),
      ("rvu/RVU22A/PPRRVU22_JAN.xlsx", "download", "cms-rvu", nil, "pprrvu"),
      ("rvu/RVU22A/GPCI2022.xlsx", "g.xlsx", "cms-rvu", "2022A", "gpci"),
      ("rvu/ZIP5_OCT2025.txt", "zips.txt", "cms-zip5", "2025D", "zip5"),
      ("directory/nucc/nucc_taxonomy_240.csv", "taxonomy.csv", "nucc", "nucc-24.0", "taxonomy"),
      (
        "directory/nppes/endpoint_pfile_20251103-20251109.csv", "endpoints.csv", "nppes", "nppes-2025-11",
        "endpoints"
      ),
      ("directory/nppes/pl_pfile_20251103-20251109.csv", "pl.csv", "nppes", "nppes-2025-11", "locations"),
    ])
  func publishers(
    file: String, name: String, pipeline: String, release: String?, sources: String
  ) throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/\(name)"
    try FileManager.default.copyItem(atPath: SharedData.path(file), toPath: path)
    var request = RunRequest(source: path)
    (request.release, request.allowsMissing) = (release, true)
    let found = try Discovered(
      request, pipeline: try Project.load(SharedData.project).pipeline(named: pipeline))
    #expect(found.plan.entries.map(\.source.name).joined(separator: " ") == sources)
  }

  @Test("is found again by its records that were refused, in the format it was read in")
  func replayed() throws {
    let desk = try unpacked("csv")
    let text = try desk.text(of: "in/GPCI2025.csv")
    try desk.scratch.write("list", text.replacing(",", with: ";").replacing("0.869", with: "much"))
    try desk.load("cms-rvu", "list", options: Self.options + ["--release", "2025D", "--max-rejects", "1"])
      .succeeded()
    try desk.command("rejects", "export", "1", "-o", desk.path("bad.csv")).succeeded()
    #expect(try desk.text(of: "bad.csv").contains(";much;"))
    try desk.edit("bad.csv", ";much;", to: ";0.869;")
    try desk.command("rejects", "replay", "1", desk.path("bad.csv"), options: ["--no-refresh"]).succeeded()
    #expect(try desk.value("SELECT count(*) FROM cms.gpci") == "109")
  }

  @Test(
    "has a semicolon, a tab or a bar between its fields, or is refused with the name of what it has",
    arguments: [(";", "';'"), ("\t", "tab"), ("|", "'|'")])
  func delimiters(mark: String, name: String) throws {
    let desk = try unpacked("csv")
    let text = try desk.text(of: "in/GPCI2025.csv").replacing(",", with: mark)
    try desk.scratch.write("GPCI2025.csv", text)
    try desk.load("cms-rvu", "GPCI2025.csv", options: Self.options + ["--release", "2025D"]).succeeded()
    #expect(try desk.value("SELECT count(*) FROM cms.gpci") == "109")
    try desk.scratch.write("GPCI2025.csv", text.replacing("2025 PE GPCI", with: "nothing"))
    try desk.load("cms-rvu", "GPCI2025.csv", options: Self.options + ["--release", "2025D"])
      .failed(3, saying: "pe_gpci", "with \(name) between the fields")
  }

  @Test("is a question where two could be the same table, which --as answers")
  func ambiguous() throws {
    let desk = try unpacked("csv")
    let file = "in/PPRRVU2025_Oct.csv"
    try desk.scratch.write(
      "in/PPRRVU copy.csv", try desk.text(of: file).replacing("Release", with: "Relaese"))
    let refused = try desk.load("cms-rvu", "in", options: Self.options).failed(
      3, saying: "PPRRVU2025_Oct.csv", "PPRRVU copy.csv", "bytes", "the first line that differs is")
    #expect(try refused.at("error/hint").contains("--as pprrvu=FILE"))
    for given in ["PPRRVU2025_Oct.csv", desk.path(file)] {
      let run = try desk.load("cms-rvu", "in", options: Self.options + ["--as", "pprrvu=" + given])
        .succeeded()
      #expect(try run.at("sources/source=pprrvu/file") == desk.path(file))
    }
    // What nobody could know by its header, and a file beside the source.
    try move(desk, file, to: "beside.txt.csv")
    let run = try desk.load(
      "cms-rvu", "in", options: Self.options + ["--as", "pprrvu=" + desk.path("beside.txt.csv")]
    ).succeeded()
    #expect(try run.at("state", "sources/*/source") == "unchanged pprrvu gpci locco anes oppscap")
    try desk.load("cms-rvu", "in", options: ["--as", "pprvu=x.csv"])
      .failed(2, saying: "has no source 'pprvu'; did you mean 'pprrvu'?")
    try desk.load("cms-rvu", "in", options: ["--as", "pprrvu"]).failed(2, saying: "SOURCE=FILE")
    try desk.load("cms-rvu", "in", options: ["--as", "pprrvu=" + desk.path("gone.csv")]).failed(6)
    try desk.load("cms-rvu", "in", options: ["--as", "pprrvu=" + desk.path("in")])
      .failed(2, saying: "name the one that is meant")
  }

  /// The names of the sources that a run has read, and what it said.
  private func sources(_ desk: Desk, _ name: String, _ options: String...) throws -> (String, said: String) {
    let run = try desk.load("cms-rvu", name, options: Self.options + options).succeeded()
    return (try run.at("sources/*/source"), run.errors)
  }

  @Test(
    "is taken in a bundle whose other files have their names, which is said",
    arguments: ["csv", "xlsx", "txt"])
  func inBundle(format: String) throws {
    let desk = try unpacked(format)
    try move(desk, "in/GPCI2025.\(format)", to: "in/download (3).\(format)")
    try desk.scratch.write("in/notes.csv", "a,b\n1,2\n")
    try Archive.zip(desk.path("in"), to: desk.path("RVU25D (1).zip"))
    for name in ["in", "RVU25D (1).zip"] {
      let (sources, said) = try sources(desk, name, "--force")
      #expect(sources == "pprrvu gpci locco anes oppscap")
      #expect(said.contains("'download (3).\(format)' is read as gpci, whose header it has"), "\(said)")
      #expect(said.contains("left alone: 'notes.csv'"), "\(said)")
    }
    #expect(try desk.value("SELECT count(*) FROM cms.gpci") == "109")
  }

  @Test("is a question in a bundle in which another file carries its table, or where two could")
  func rivalInBundle() throws {
    let desk = try unpacked("csv")
    let text = try desk.text(of: "in/GPCI2025.csv")
    try desk.scratch.write("in/mine.csv", text.replacing("0.869", with: "0.870"))
    let refused = try desk.load("cms-rvu", "in", options: Self.options).failed(
      3, saying: "GPCI2025.csv", "mine.csv", "the first line that differs is")
    #expect(try refused.at("error/hint").contains("--as gpci=FILE"))
    let mine = try desk.load("cms-rvu", "in", options: Self.options + ["--as", "gpci=mine.csv"]).succeeded()
    #expect(try mine.at("sources/source=gpci/file") == desk.path("in/mine.csv"))
    let named = try desk.load("cms-rvu", "in", options: Self.options + ["--as", "gpci=GPCI2025.csv"])
      .succeeded(saying: "left alone: 'mine.csv'")
    #expect(try named.at("sources/source=gpci/file") == desk.path("in/GPCI2025.csv"))
    // Neither has its name.
    try move(desk, "in/GPCI2025.csv", to: "in/yours.csv")
    try desk.load("cms-rvu", "in", options: Self.options).failed(3, saying: "mine.csv", "yours.csv")

    // Two sources know as much of the header.
    let own = try MergedDataset()
    try own.scratch.write("in/patients.csv", "ID,NAME,WEIGHT,PHONE1,PHONE2\n1,Ann,,,\n")
    try own.scratch.write("in/x.csv", "VISIT,PATIENT,DAY,ID,NAME,WEIGHT,PHONE1,PHONE2\n1,1,,1,Ann,,,\n")
    try own.load("clinic", "in", options: ["--allow-missing"]).failed(3, saying: "x.csv")
  }

  @Test("that is given beside another of the same release is a question, too")
  func sameRelease() throws {
    let desk = try Desk()
    let one = try Samples.make(rows: 60)
    let two = try Samples.make(rows: 60, seed: 2, name: "RVU25D (1).zip")
    let refused = try desk.load("cms-rvu", one, two).failed(
      3, saying: one, "RVU25D (1).zip", "of 2025D", "the first line that differs is")
    #expect(refused.errors.contains("--as pprrvu=FILE") || refused.errors.contains("--as gpci=FILE"))
    #expect(refused.errors.contains("--force"))
    #expect(try desk.value("SELECT count(*) FROM rivulet.run") == "0")
    try desk.load("cms-rvu", one, one, options: ["--no-refresh"]).succeeded(showing: "unchanged")

    let options = Self.options + ["--force"]
    let unpacked = try unpacked("csv")
    for name in ["a.csv", "b.csv"] {
      let text = try unpacked.text(of: "in/PPRRVU2025_Oct.csv")
      try unpacked.scratch.write(name, name == "a.csv" ? text : text + "\n")
    }
    let (a, b) = (unpacked.path("a.csv"), unpacked.path("b.csv"))
    try unpacked.load("cms-rvu", a, b, options: Self.options).failed(3, saying: a, b)
    let run = try unpacked.load("cms-rvu", a, b, options: Self.options + ["--as", "pprrvu=" + b])
      .succeeded(saying: "\(a) was left alone")
    #expect(try run.at("sources/*/file") == b)
    try unpacked.load("cms-rvu", a, b, options: Self.options + ["--as", "pprrvu=c.csv"]).failed(2)
    try unpacked.load("cms-rvu", a, b, options: options).succeeded()
  }

  @Test("may come on standard input, and from an address under the name that it has there")
  func elsewhere() throws {
    let desk = try Desk()
    let sample = try Samples.make(rows: 60)
    let bytes = try Data(contentsOf: URL(filePath: sample))
    let server = try LoopbackServer { request in
      request.target == "/a/RVU25D.zip?x=1" ? .init(200, body: [UInt8](bytes)) : .init(404)
    }
    let program = Program(
      database: desk.database.url,
      environment: ["RIVULET_CACHE": desk.path("cache"), "no_proxy": "*", "TMPDIR": desk.path("tmp")])
    try FileManager.default.createDirectory(atPath: desk.path("tmp"), withIntermediateDirectories: true)
    let run = ["run", "cms-rvu", "--no-refresh", "--format", "json"]
    let secret = server.address.replacing("http://", with: "http://somebody:secret@")
    let fetched = try program.run(run + ["\(secret)/a/RVU25D.zip?x=1"]).succeeded()
    for word in ["secret", "x=1"] {
      #expect(!(fetched.output + fetched.errors).contains(word), "\(fetched.errors)")
    }
    #expect(try fetched.at("state", "release") == "published 2025D")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.path("tmp")) == [])
    // What is kept is the user's word, but nothing that may be secret.
    let shown = "\(server.address)/a/RVU25D.zip"
    #expect(try fetched.at("sources/0/file") == shown)
    #expect(try desk.value("SELECT DISTINCT file FROM rivulet.source_file") == shown)
    for words in [
      ["runs", "list"], ["runs", "show", "1"], ["report", "--run", "1", "-o", desk.path("run.html")],
    ] {
      let answer = try program.run(words + ["--format", "json"]).succeeded()
      #expect(!answer.output.contains(desk.path("tmp")) && !answer.output.contains("x=1"), "\(answer.output)")
    }
    #expect(try program.run("runs", "list", "--format", "json").at("runs/0/files/0") == shown)
    #expect(try !desk.text(of: "run.html").contains(desk.path("tmp")))
    let command = "\"$0\" run cms-rvu --no-refresh --format json --database \"$1\" - < \"$2\""
    let out = try Shell.run("sh", "-c", command, Program.path, desk.database.url, sample)
    #expect(out.contains("\"release\":\"2025D\"") && out.contains("\"state\":\"unchanged\""))
    let forced = command.replacing("--format json", with: "--force --quiet")
    try Shell.run("sh", "-c", forced, Program.path, desk.database.url, sample)
    #expect(
      try desk.value(
        "SELECT DISTINCT file FROM rivulet.source_file WHERE run = (SELECT max(run) FROM rivulet.run)")
        == "standard input")
    try desk.scratch.write("list", "a,b\n1,2\n")
    let refused = try Shell.run(
      "sh", "-c", "! \"$0\" run cms-rvu --database \"$1\" - < \"$2\" 2>&1", Program.path, desk.database.url,
      desk.path("list"))
    #expect(refused.contains("standard input is not a bundle of cms-rvu"), "\(refused)")
    try Loaded.unzip(sample, "PPRRVU*", into: desk.path("loose"))
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: desk.path("loose")).first)
    let text = try desk.text(of: "loose/\(name)").replacing("10004,", with: "10004!,")
    try desk.scratch.write("list", text)
    let rejected = try Shell.run(
      "sh", "-c",
      "! \"$0\" run cms-rvu --allow-missing --force --as pprrvu=- --database \"$1\" - < \"$2\" 2>&1",
      Program.path,
      desk.database.url, desk.path("list"))
    #expect(rejected.contains("standard input") && !rejected.contains("/standard-input"), "\(rejected)")
    try program.run(run + ["\(server.address)/gone.zip"]).failed(6)
    try program.run(run + ["-", "-"]).failed(2, saying: "standard input")
  }

  @Test("of two sources is a question, and one that is of none is refused")
  func sources() throws {
    let own = try MergedDataset()
    try own.scratch.write("x.csv", "ID,NAME,WEIGHT,PHONE1,PHONE2\n1,Ann,,,\n")
    try own.load("clinic", "x.csv", options: ["--allow-missing"]).succeeded()
    #expect(try own.value("SELECT name FROM app.patient") == "Ann")
    // In a folder, too, but not among so many that they are something else.
    try own.scratch.write("in/x.csv", "ID,NAME,WEIGHT,PHONE1,PHONE2\n2,Bob,,,\n")
    try own.load("clinic", "in", options: ["--allow-missing"]).succeeded()
    for number in 1...64 { try own.scratch.write("in/\(number).csv", "a,b\n") }
    try own.load("clinic", "in", options: ["--allow-missing"]).failed(3, saying: "is not a bundle of clinic")
    try own.scratch.write("x.csv", "VISIT,PATIENT,DAY,ID,NAME,WEIGHT,PHONE1,PHONE2\n")
    try own.load("clinic", "x.csv", options: ["--allow-missing"]).failed(3)
    try own.scratch.write("x.csv", "a,b\n1,2\n")
    try own.load("clinic", "x.csv", options: ["--allow-missing"]).failed(
      3, saying: "is not a bundle of clinic")
  }
}
