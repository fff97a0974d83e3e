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

  @Test("has help on every level, with an example, on standard output")
  func help() throws {
    var waiting: [[String]] = [[]]
    var seen = 0
    while let path = waiting.popLast() {
      let outcome = try Program().run(path + ["--help"])
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.output.contains("Example"), "\(path) has no example")
      #expect(outcome.output.contains("Usage:\n  rivulet " + path.joined(separator: " ")))
      #expect(!outcome.output.components(separatedBy: "\n").contains { $0.count > 100 }, "\(path): too wide")
      waiting += subcommands(outcome.output).map { path + [$0] }
      seen += 1
    }
    #expect(seen > 25)
  }

  @Test("gives its version")
  func version() throws {
    let outcome = try Program().run("--version")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("rivulet "))
  }

  @Test("writes exactly one JSON document, and everything else to standard error")
  func json() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
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
      ["nightly"], ["nightly", "--retries", "some"], ["migrate", "down", "--to", "0"],
    ]
    for command in commands {
      let outcome = try program.run(command + ["--format", "json"])
      #expect(throws: Never.self, "\(command): \(outcome.output)") { try outcome.json() }
      if outcome.status != 0 {
        let error = try #require(try outcome.object()["error"] as? [String: Any])
        #expect(error["code"] as? Int == Int(outcome.status))
        #expect(error["message"] as? String != "")
      }
    }
    #expect(try database.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'cms'") == "0")
  }

  @Test("reports the status of migrations with the promised keys")
  func migrateStatus() throws {
    let (_, program) = try Loaded.migrated()
    #expect(try program.run("migrate", "down").status == 0)
    let status = try program.run("migrate", "status", "--format", "json").object()
    let applied = try #require(status["applied"] as? [[String: Any]])
    let pending = try #require(status["pending"] as? [[String: Any]])
    #expect(applied.first?["version"] as? String == "0001")
    for key in ["version", "name", "kind", "checksum", "applied_at", "state", "seconds"] {
      #expect(applied.first?[key] != nil, "\(key)")
    }
    #expect(pending.count == 1)
    #expect(Set(pending[0].keys) == ["version", "name", "kind"])
  }

  @Test("prices with exactly two decimals, and says why where there is no price")
  func price() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let price = try program.run(
      "query", "price", "--hcpcs", "99213", "--locality", "01112-05", "--format", "json")
    let keys = [
      "hcpcs", "modifier", "release", "cf_class", "mac", "locality", "conversion_factor",
      "nonfacility_amount", "facility_amount", "nonfacility_limiting_charge", "facility_limiting_charge",
      "cap_applied", "reason", "notes",
    ]
    var rest = price.output[...]
    for key in keys {
      let found = try #require(rest.range(of: "\"\(key)\":"), "\(key) in its order: \(price.output)")
      rest = rest[found.upperBound...]
      if key.hasSuffix("amount") || key.hasSuffix("charge") {
        #expect(rest.prefix { $0 != "," }.wholeMatch(of: /\d+\.\d\d/) != nil, "\(key): \(price.output)")
      }
    }
    let anaesthesia = try #require(
      try database.value("SELECT min(hcpcs) FROM cms.rvu WHERE status_code = 'J'"))
    let none = try program.run(
      "query", "price", "--hcpcs", anaesthesia, "--locality", "01112-05", "--format", "json")
    #expect(none.output.contains("\"nonfacility_amount\":null"))
    #expect(none.output.contains("anaesthesia"))
  }

  @Test("prices nothing without a reason: what is not there is named")
  func noPrice() throws {
    let (_, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let cases = [
      (["--hcpcs", "9921"], "9921 is not a code of 2025D"),
      (["--hcpcs", "99213", "--modifier", "tc"], "2025D has no row of 99213 with modifier TC"),
      (
        ["--hcpcs", "99213", "--cf-class", "zz"],
        "zz is not a conversion factor class; they are qp and non_qp, from 2026"
      ),
    ]
    for (arguments, reason) in cases {
      let outcome = try program.run(
        ["query", "price", "--locality", "01112-05", "--format", "json"] + arguments)
      let rows = try #require(try outcome.json() as? [[String: Any]])
      #expect(rows.count == 1 && rows.first?["reason"] as? String == reason, "\(outcome.output)")
      #expect(rows.first?["nonfacility_amount"] is NSNull)
    }
    let one = try program.run(
      "query", "price", "--hcpcs", "99213", "--locality", "01112-05", "--cf-class", "QP", "--format", "json")
    #expect(one.output.contains("\"cf_class\":\"all\"") && one.output.contains("\"reason\":null"))
  }

  @Test("writes rows in each of its forms, to a file too")
  func forms() throws {
    let (_, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let csv = try program.run("query", "cms.release", "--as", "csv").output.components(separatedBy: "\r\n")
    #expect(csv[0].hasPrefix("release,revision,effective_from"))
    #expect(csv[1].hasPrefix("2025D,1,2025-10-01,2025-12-31"))
    let lines = try program.run("query", "mart.rvu_by_status", "--as", "ndjson").output.split(separator: "\n")
    #expect(lines.count > 3 && lines.allSatisfy { $0.hasPrefix("{\"release\":\"2025D\"") })
    let scratch = try Scratch()
    let file = scratch.path + "/status.json"
    let outcome = try program.run("query", "mart.rvu_by_status", "--as", "json", "-o", file)
    #expect(outcome.status == 0 && outcome.output.isEmpty)
    let rows =
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [[String: Any]]
    #expect(rows?.count == lines.count)
  }

  @Test("makes the same sample from the same seed")
  func sample() throws {
    let scratch = try Scratch()
    let names = ["a", "b", "c"]
    for (name, seed) in zip(names, ["5", "5", "6"]) {
      let outcome = try Program().run(
        "sample", "cms-rvu", "-o", "\(scratch.path)/\(name).zip", "--rows", "50", "--seed", seed)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let bytes = try names.map { try Data(contentsOf: URL(filePath: "\(scratch.path)/\($0).zip")) }
    #expect(bytes[0] == bytes[1])
    #expect(bytes[0] != bytes[2])
    #expect(try Program().run("sample", "cms-rvu", "-o", scratch.path + "/d.zip", "--rows", "3").status == 2)
  }

  @Test("names the quirks of a sample, and refuses one that there is not with the nearest")
  func quirks() throws {
    let list = try Program().run("sample", "cms-rvu", "--quirk", "list", "--format", "json")
    let quirks = try #require(try list.object()["quirks"] as? [[String: Any]])
    let names = quirks.compactMap { $0["quirk"] as? String }
    #expect(names.contains("bare-cr") && names.contains("qpp"))
    let scratch = try Scratch()
    let outcome = try Program().run(
      "sample", "cms-rvu", "-o", scratch.path + "/a.zip", "--quirk", "lf,crtl-z")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("unknown quirk 'crtl-z'; did you mean 'ctrl-z'?"), "\(outcome.errors)")
    let formats = try Program().run(
      "sample", "cms-rvu", "-o", scratch.path + "/a.zip", "--rows", "30", "--formats", "csv,xlsx",
      "--without",
      "oppscap,locco", "--quirk", "ctrl-z", "--format", "json")
    let entries = try #require(try formats.object()["entries"] as? [[String: Any]])
    #expect(
      entries.compactMap { $0["entry"] as? String } == [
        "PPRRVU2025_Oct.csv", "GPCI2025.csv", "ANES2025.csv", "PPRRVU2025_Oct.xlsx", "GPCI2025.xlsx",
        "ANES2025.xlsx",
      ])
    #expect(
      try Program().run("sample", "cms-rvu", "-o", scratch.path + "/b.zip", "--formats", "xls").status == 2)
  }

  @Test("has a sample release that its own sampler makes")
  func bundledSample() throws {
    let scratch = try Scratch()
    let fresh = scratch.path + "/fresh.zip"
    #expect(try Program().run("sample", "cms-rvu", "-o", fresh, "--rows", "400").status == 0)
    #expect(
      try Data(contentsOf: URL(filePath: fresh)) == Data(contentsOf: URL(filePath: Sample.path)),
      "make it again: rivulet sample cms-rvu -o Data/samples/RVU25D-sample.zip --rows 400")
  }

  @Test("has sample exports that its own sampler makes", arguments: SystemExport.systems)
  func bundledExports(system: String) throws {
    let scratch = try Scratch()
    let fresh = scratch.path + "/fresh.zip"
    let options = ["--rows", "60", "--formats", "ndjson"]
    #expect(try Program().run(["sample", system, "-o", fresh] + options).status == 0)
    let bundled = "Data/samples/\(system)-sample.zip"
    #expect(
      try Data(contentsOf: URL(filePath: fresh))
        == Data(contentsOf: URL(filePath: SharedData.project + "/" + bundled)),
      "make it again: rivulet sample \(system) -o \(bundled) \(options.joined(separator: " "))")
  }

  @Test(
    "takes no empty value for what was meant",
    arguments: [
      ["migrate", "down", "--to", ""], ["migrate", "down", "--to="], ["migrate", "status", "--database", ""],
    ])
  func emptyValues(arguments: [String]) throws {
    let (database, program) = try Loaded.migrated()
    let outcome = try program.run(arguments)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(try database.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'cms'") == "1")
  }

  @Test("tells no password of a database that it cannot make out")
  func malformedDatabase() throws {
    let texts = [
      "postgres//u:s3cret@h/db", "postgresql://u:s3%zzcret@h/db", "postgresql://u:s3cret@[::1/db",
      "jdbc:postgresql://u:s3cret@h/db", "dbname=postgresql://u:s3cret@h/db connect_timeout=1 host=/nowhere",
    ]
    for text in texts {
      let outcome = try Program().run("migrate", "status", "--database", text, "--format", "json")
      #expect([1, 2].contains(outcome.status))
      #expect(!(outcome.errors + outcome.output).contains("cret"), "\(text): \(outcome.errors)")
    }
  }

  @Test("writes a file whole or not at all, and through a link to what is behind it")
  func files() throws {
    let (_, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let target = try scratch.write("target.csv", "old\n")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/link.csv", withDestinationPath: target)
    #expect(
      try program.run("query", "cms.release", "--as", "csv", "-o", scratch.path + "/link.csv").status == 0)
    #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("release,"))
    #expect(try program.run("query", "cms.release", "--as", "csv", "-o", "/dev/full").status == 1)
    #expect(
      try program.run("query", "cms.release", "--as", "csv", "-o", scratch.path + "/no/where").status == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [
        "link.csv", "target.csv",
      ])
  }
}
