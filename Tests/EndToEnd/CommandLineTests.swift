import Foundation
import TestSupport
import Testing

/// The contract that users script against.
@Suite("The command line")
struct CommandLineTests {
  /// The commands under a path, as help lists them.
  private func subcommands(_ help: String) -> [String] {
    guard let start = help.range(of: "\nCommands:\n") else { return [] }
    return help[start.upperBound...].components(separatedBy: "\n").prefix { !$0.isEmpty }.compactMap { line in
      line.hasPrefix("  ") && !line.hasPrefix("   ") ? line.split(separator: " ").first.map(String.init) : nil
    }
  }

  @Test("has help on every level, with an example, on standard output, and a version")
  func help() throws {
    var waiting: [[String]] = [[]]
    var seen = 0
    while let path = waiting.popLast() {
      let outcome = try Program().run(path + ["--help"]).succeeded(
        showing: "Example", "Usage:\n  rivulet " + path.joined(separator: " "))
      #expect(outcome.errors.isEmpty)
      #expect(!outcome.output.components(separatedBy: "\n").contains { $0.count > 100 }, "\(path): too wide")
      waiting += subcommands(outcome.output).map { path + [$0] }
      seen += 1
    }
    #expect(seen > 25)
    #expect(try Program().run("--version").succeeded().output.hasPrefix("rivulet "))
  }

  @Test("writes exactly one JSON document, and everything else to standard error")
  func json() throws {
    let (database, program) = try Loaded.sample()
    let commands = [
      ["migrate", "status"], ["migrate", "up"], ["run", "cms-rvu", Sample.path], ["releases", "list"],
      ["releases", "pin", "cms-rvu", "2025D"], ["releases", "pin", "cms-rvu", "--clear"], ["runs", "list"],
      ["runs", "show", "1"], ["query"], ["query", "price", "--hcpcs", "99213", "--locality", "01112-05"],
      ["query", "mart.rvu_by_status"], ["pipelines", "list"], ["pipelines", "check"],
      ["refresh"], ["refresh", "--check"], ["refresh", "mart.nothing"], ["refresh", "mart.payment"],
      ["views", "list"], ["views", "show", "mart.payment"], ["views", "show", "mart.nothing"],
      ["views", "check"],
      ["run", "cms-rvu", "/nowhere"], ["query", "nothing"], ["bogus"], ["migrate", "up", "--bogus"],
      ["releases", "rollback", "cms-rvu"], ["releases", "publish", "cms-rvu", "2025D"],
      ["doctor"], ["roles"], ["cluster", "status"], ["cluster", "distribute"], ["nightly"],
      ["nightly", "--retries", "some"], ["migrate", "down"],
    ]
    for command in commands {
      let outcome = try program.run(command + ["--format", "json"])
      #expect(throws: Never.self, "\(command): \(outcome.output)") { try outcome.json() }
      if outcome.status != 0 {
        #expect(try outcome.at("error/code") == "\(outcome.status)")
        #expect(try !["", "(nothing)"].contains(outcome.at("error/message")))
      }
    }
    let status = try program.run("migrate", "status", "--format", "json")
    #expect(try status.at("applied/0/version") == "0001")
    for key in ["version", "name", "kind", "checksum", "applied_at", "state", "seconds"] {
      #expect(try status.at("applied/0/" + key) != "(nothing)", "\(key)")
    }
    let pending = try #require(try status.object()["pending"] as? [[String: Any]])
    // The last one, and the repeatable one, which runs again behind it.
    #expect(pending.map { Set($0.keys) } == Array(repeating: ["version", "name", "kind"], count: 2))
    try program.run("migrate", "down", "--to", "0", "--format", "json").succeeded()
    #expect(try database.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'cms'") == "0")
  }

  @Test("prices with exactly two decimals, and nothing without a reason: what is not there is named")
  func price() throws {
    let desk = try Desk(with: Loaded.sample())
    func price(_ arguments: String...) throws -> Program.Outcome {
      try desk.program.run(
        ["query", "price", "--locality", "01112-05", "--format", "json", "--hcpcs"] + arguments)
    }
    let visit = try price("99213")
    let keys = [
      "hcpcs", "modifier", "release", "cf_class", "mac", "locality", "conversion_factor",
      "nonfacility_amount", "facility_amount", "nonfacility_limiting_charge", "facility_limiting_charge",
      "cap_applied", "reason", "notes",
    ]
    var rest = visit.output[...]
    for key in keys {
      let found = try #require(rest.range(of: "\"\(key)\":"), "\(key) in its order: \(visit.output)")
      rest = rest[found.upperBound...]
      if key.hasSuffix("amount") || key.hasSuffix("charge") {
        #expect(rest.prefix { $0 != "," }.wholeMatch(of: /\d+\.\d\d/) != nil, "\(key): \(visit.output)")
      }
    }
    let anaesthesia = try #require(
      try desk.value("SELECT min(hcpcs) FROM cms.rvu WHERE status_code = 'J'"))
    try price(anaesthesia).succeeded(showing: "\"nonfacility_amount\":null", "anaesthesia")
    for (arguments, reason) in [
      (["99213", "--modifier", "tc"], "2025D has no row of 99213 with modifier TC"),
      (
        ["99213", "--cf-class", "zz"],
        "zz is not a conversion factor class; they are qp and non_qp, from 2026"
      ),
    ] {
      let outcome = try desk.program.run(
        ["query", "price", "--locality", "01112-05", "--format", "json", "--hcpcs"] + arguments)
      #expect(try outcome.at("*/reason", "*/nonfacility_amount") == reason + " null")
    }
    for (arguments, reason) in [
      (["9921"], "9921 is not a code of 2025D; the nearest are 99213, "),
      (["99213", "--locality", "01112-99"], "01112-99 is not a payment locality of 2025D; "),
    ] {
      let words = ["query", "price", "--locality", "01112-05", "--format", "json", "--hcpcs"] + arguments
      let refused = try desk.program.run(words).failed(3, saying: "rivulet: \(reason)")
      #expect(!refused.output.contains("rivulet_refusal"), "\(refused.output)")
      #expect(try refused.at("error/code", "error/kind") == "3 query")
    }
    // Its quarter is over, which only an answer without a day is warned of.
    let late = "warning: the current release of cms-rvu, 2025D, was in effect 2025-10-01 to 2025-12-31: load"
    try price("99213").succeeded(saying: late)
    try price("99213", "--date", "2025-10-15").succeeded().withholding("warning")
    try desk.command("query", "cms.release").succeeded().withholding("warning")
    let one = try price("99213", "--cf-class", "QP")
    #expect(try one.at("*/cf_class", "*/reason") == "all null")
  }

  @Test(
    "writes rows in each of its forms, and a file whole or not at all, through a link to what is behind it")
  func forms() throws {
    let desk = try Desk(with: Loaded.sample())
    let csv = try desk.command("query", "cms.release", "--as", "csv").output.components(separatedBy: "\r\n")
    #expect(csv[0].hasPrefix("release,revision,effective_from"))
    #expect(csv[1].hasPrefix("2025D,1,2025-10-01,2025-12-31"))
    let lines = try desk.command("query", "mart.rvu_by_status", "--as", "ndjson").output
      .split(separator: "\n")
    #expect(lines.count > 3 && lines.allSatisfy { $0.hasPrefix("{\"release\":\"2025D\"") })
    let outcome = try desk.command(
      "query", "mart.rvu_by_status", "--as", "json", "-o", desk.path("status.json")
    ).succeeded()
    #expect(outcome.output.isEmpty)
    let rows = try JSONSerialization.jsonObject(with: Data(desk.text(of: "status.json").utf8))
    #expect((rows as? [[String: Any]])?.count == lines.count)

    let target = try desk.scratch.write("target.csv", "old\n")
    try FileManager.default.createSymbolicLink(
      atPath: desk.path("link.csv"), withDestinationPath: target)
    for (path, status) in [("link.csv", 0), ("/dev/full", 1), ("no/where", 1)] as [(String, Int32)] {
      let written = try desk.command("query", "cms.release", "--as", "csv", "-o", desk.path(path))
      #expect(written.status == status, "\(path): \(written.errors)")
    }
    #expect(try desk.text(of: "target.csv").hasPrefix("release,"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.scratch.path).sorted() == [
        "link.csv", "status.json", "target.csv",
      ])
  }

  @Test("names the quirks of a sample, and makes of it the formats and sources that are asked for")
  func sample() throws {
    let scratch = try Scratch()
    let quirks = try Program().run("sample", "cms-rvu", "--quirk", "list", "--format", "json")
      .at("quirks/*/quirk").split(separator: " ")
    #expect(quirks.contains("bare-cr") && quirks.contains("qpp"))
    let formats = try Program().run(
      "sample", "cms-rvu", "-o", scratch.path + "/a.zip", "--rows", "30", "--formats", "csv,xlsx",
      "--without", "oppscap,locco", "--quirk", "ctrl-z", "--format", "json")
    #expect(
      try formats.at("entries/*/entry")
        == "PPRRVU2025_Oct.csv GPCI2025.csv ANES2025.csv PPRRVU2025_Oct.xlsx GPCI2025.xlsx ANES2025.xlsx")
    for wrong in [["--formats", "xls"], ["--rows", "3"]] {
      try Program().run(["sample", "cms-rvu", "-o", scratch.path + "/b.zip"] + wrong).failed(2)
    }
    try Program().run("sample", "cms-rvu", "-o", scratch.path + "/b.zip", "--quirk", "lf,crtl-z").failed(
      2, saying: "unknown quirk 'crtl-z'; did you mean 'ctrl-z'?")
  }

  @Test(
    "has sample releases and exports that its own sampler makes",
    arguments: [("cms-rvu", "RVU25D", ["--rows", "400"])]
      + SystemExport.systems.map { ($0, $0, ["--rows", "60", "--formats", "ndjson"]) })
  func bundled(pipeline: String, name: String, options: [String]) throws {
    let scratch = try Scratch()
    let fresh = scratch.path + "/fresh.zip"
    let bundled = "Data/samples/\(name)-sample.zip"
    for (seed, isBundled) in [("1", true), ("2", false)] {
      try Program().run(["sample", pipeline, "-o", fresh, "--seed", seed] + options).succeeded()
      #expect(
        try
          (Data(contentsOf: URL(filePath: fresh))
          == Data(contentsOf: URL(filePath: SharedData.project + "/" + bundled))) == isBundled,
        "make it again: rivulet sample \(pipeline) -o \(bundled) \(options.joined(separator: " "))")
    }
  }

  // MARK: What cannot be done

  @Test("says a missing file with 6, wrong words with 2, and leaves no row")
  func exitCodes() throws {
    let (database, program) = try Loaded.migrated()
    let price = ["query", "price", "--hcpcs", "99213"]
    let cases: [(arguments: [String], status: Int32, says: String)] = [
      (["run", "cms-rvu", "/nowhere/RVU25D.zip"], 6, "/nowhere/RVU25D.zip"),
      (["run", "cms-rvu", "x.zip", "--bogus"], 2, "unknown option '--bogus'"),
      (["run", "cms-rvu"], 2, "SOURCE is missing"), (["run"], 2, "PIPELINE is missing: the pipeline"),
      (
        ["run", Sample.path], 2,
        "PIPELINE is missing: '\(Sample.path)' fits 'cms-rvu': rivulet run cms-rvu \(Sample.path)"
      ),
      (["run", Sample.path, "other.zip"], 2, "rivulet run cms-rvu \(Sample.path) other.zip"),
      (["run", "README.md"], 2, "none of the project's pipelines fits 'README.md'"),
      (["migrate", "status", "--database", "embeded"], 2, "did you mean 'embedded'?"),
      (["run", "cms-rvv", "/nowhere"], 2, "did you mean 'cms-rvu'?"),
      (["rnu"], 2, "did you mean 'run'?"),
      (["migrate", "up", "--to", "9999"], 2, "there is no migration 9999"),
      (["migrate", "up", "--steps", "0"], 2, "--steps takes a whole number"),
      // No empty value is taken for what was meant.
      (["migrate", "down", "--to", ""], 2, ""), (["migrate", "down", "--to="], 2, ""),
      (["migrate", "status", "--database", ""], 2, ""),
      (price, 2, "needs --locality or --zip"),
      (price + ["--zip", "99501", "--locality", "02102-01"], 2, "--locality and --zip exclude each other"),
      (
        price + ["--locality", "02102-01", "--plus-four", "1234"], 2,
        "--plus-four belongs to --zip, which is not given"
      ),
      (price + ["--locality", "1-1", "--date", "soon"], 2, "--date"),
      (["query", "pryce"], 2, "did you mean 'price'?"),
      (["query", "payments-of-all"], 2, " others: 'rivulet query' lists them all"),
      (["runs", "show", "77"], 2, "there is no run 77"), (["runs", "list", "--state", "odd"], 2, ""),
      (["rejects", "list", "77"], 2, "there is no run 77"),
      (["rejects", "list", "one"], 2, "RUN is a run's number"),
      (["rejects", "replay", "77", Sample.path], 2, "there is no run 77"),
      (["releases", "pin", "cms-rvu", "2031A"], 2, "no release '2031A'"),
      (["releases", "publish", "cms-rvu", "2031A"], 2, "no release '2031A'"),
      (["releases", "diff", "cms-rvu", "2025A", "2025D"], 2, "no release '2025A': none is loaded"),
      (["releases", "diff", "cms-rvu", "2025D"], 2, "TO is missing"),
      (["releases", "diff", "cms-rvv", "2025A", "2025D"], 2, "there is no pipeline 'cms-rvv'"),
      (["releases", "rollback", "cms-rvu"], 1, "nothing of cms-rvu is published"),
      (["pipelines", "show", "npes"], 2, "nppes"), (["pipelines", "new"], 2, "--from FILE is missing"),
      (["pipelines", "new", "--from", "/nowhere/nothing.csv"], 6, ""),
    ]
    for (arguments, status, says) in cases {
      let outcome = try program.run(arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
      #expect(says.isEmpty || outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(arguments): \(outcome.output)")
    }
    #expect(
      try database.value(
        """
        SELECT (SELECT count(*) FROM rivulet.run) + (SELECT count(*) FROM rivulet.source_file)
          + (SELECT count(*) FROM rivulet.release) + (SELECT count(*) FROM cms.rvu)
        """) == "0")
  }

  @Test("says what is wrong with a source or a rule before it asks a server")
  func alone() throws {
    let desk = try Desk(with: (Loaded.migrated().0, Program(database: "postgresql://nobody@127.0.0.1:1/no")))
    for (rule, says) in [
      ("row-chnge-pprrvu", "did you mean 'row-change-pprrvu'?"),
      ("unique-key-pprrvu", "a table without its key cannot be published"),
      ("copied-localities", "what it finds is taken out"),
    ] { try desk.load("cms-rvu", Sample.path, options: ["--accept", rule]).failed(2, saying: says) }
    let unknown = try Samples.make(quirks: ["missing-column"], rows: 60)
    for (source, options, status, member, value) in [
      (desk.path("absent.zip"), [], 6, "file", desk.path("absent.zip")),
      (unknown, [], 3, "file", unknown + ", entry "),
      (Sample.path, ["--release", "2025Z"], 2, "kind", "usage"),
    ] as [(String, [String], Int32, String, String)] {
      let outcome = try desk.load("cms-rvu", source, options: options + ["--format", "json"]).failed(status)
      #expect(try outcome.at("error/code") == "\(status)")
      #expect(try outcome.at("error/" + member).hasPrefix(value), "\(outcome.output)")
    }
    let text = #"{"resourceType":"Practitioner","id":"p1"}"#
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
      try desk.scratch.write(
        "ex-2025-01-01/Practitioner.json", bytes: Array(try #require(text.data(using: encoding))))
      try desk.load("fhir-directory", "ex-2025-01-01").failed(3, saying: "iconv -f UTF-16 -t UTF-8")
    }
  }

  @Test("says a database that is not there, or without its schema, and tells no password of one")
  func databases() throws {
    let program = Program(database: "postgresql://somebody:s3cret@127.0.0.1:1/nowhere?connect_timeout=2")
    for arguments in [["migrate", "status"], ["run", "cms-rvu", Sample.path], ["releases", "list"]] {
      try program.run(arguments).failed(1, saying: "Connection refused").withholding("s3cret")
    }
    for text in [
      "postgres//u:s3cret@h/db", "postgresql://u:s3%zzcret@h/db", "postgresql://u:s3cret@[::1/db",
      "jdbc:postgresql://u:s3cret@h/db", "dbname=postgresql://u:s3cret@h/db connect_timeout=1 host=/nowhere",
    ] {
      let outcome = try Program().run("migrate", "status", "--database", text, "--format", "json")
      #expect([1, 2].contains(outcome.withholding("cret").status))
    }
    // None is chosen where nobody sits at a terminal.
    try Program().run("migrate", "status").failed(2, saying: "no database is named")
    let empty = try Program(database: TestServer.shared.makeDatabase().url)
    for arguments in [
      ["run", "cms-rvu", Sample.path], ["query", "mart.payment"],
      ["query", "price", "--hcpcs", "99213", "--locality", "01112-05"],
    ] {
      try empty.run(arguments).failed(5, saying: "rivulet migrate up")
    }
  }

  @Test(
    "opens psql on the database of --database, and has the embedded one where XDG has state, also for root")
  func databaseFolder() throws {
    let scratch = try Scratch()
    let database = try TestServer.shared.makeDatabase()
    let script = try scratch.write("psqlrc", "SELECT 'in ' || current_database();\n")
    try Program(environment: ["PSQLRC": script]).run("db", "shell", "--database", database.url)
      .succeeded(showing: "in \(database.name)")
    let program = Program(environment: ["XDG_STATE_HOME": scratch.path, "RIVULET_STATE_DIR": ""])
    #expect(
      try program.run("db", "status", "--format", "json").at("data") == scratch.path + "/rivulet/cluster")
  }

  @Test(
    "says a publisher's zip of another dataset with 3, what was found and what was looked for",
    .needs("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip"))
  func otherDataset() throws {
    let desk = try Desk()
    try desk.load("cms-rvu", SharedData.path("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip")).failed(
      3, saying: "HCPC2018_CONTR_ANWEB_disc.txt", "PPRRVU* (csv, txt, xlsx)")
    #expect(try desk.value("SELECT count(*) FROM rivulet.run") == "0")
  }
}
