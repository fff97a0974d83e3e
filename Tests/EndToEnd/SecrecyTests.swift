import Foundation
import TestSupport
import Testing

/// Passwords, and the files that a command leaves, as others on the machine find them.
@Suite("Passwords and files")
struct SecrecyTests {
  private static let password = "tops3cret"

  /// Words of a command line with a password, for a server that takes connections and says nothing.
  private static let words: [@Sendable (UInt16) -> [String]] = [
    { ["--database", "postgresql://etl:\(password)@127.0.0.1:\($0)/fees"] },
    { ["--database=postgresql://127.0.0.1:\($0)/fees?user=etl&password=\(password)"] },
    { ["--database", "host=127.0.0.1 port=\($0) dbname=fees user=etl password = '\(password)'"] },
  ]

  @Test("A password in --database is not in the list of processes, and is advised against", arguments: 0..<3)
  func processes(form: Int) throws {
    let silent = try LoopbackListener()
    let started = try Program().start(["migrate", "status"] + Self.words[form](silent.port))
    defer { started.signal(SIGKILL) }
    try #require(try started.says("~/.pgpass"))
    let line = try String(contentsOfFile: "/proc/\(started.identifier)/cmdline", encoding: .utf8)
    #expect(
      line.contains("--database") && line.contains("127.0.0.1") && !line.contains(Self.password), "\(line)")
    started.signal(SIGINT)
    try started.wait().failed(130).withholding(Self.password)
  }

  @Test("psql is not started with the password either, and has it all the same")
  func shell() throws {
    let (scratch, database) = (try Scratch(), try TestServer.shared.makeDatabase())
    let psql = try scratch.write("psql", "#!/bin/sh\necho \"$* / $PGPASSWORD\"\n")
    chmod(psql, 0o755)
    for name in ["postgres", "initdb", "pg_ctl"] {
      try FileManager.default.createSymbolicLink(atPath: scratch.path + "/" + name, withDestinationPath: psql)
    }
    let program = Program(environment: [
      "RIVULET_PG_BIN": scratch.path, "PATH": scratch.path + ":/usr/bin:/bin",
    ])
    let outcome = try program.run(
      "db", "shell", "--database", database.url + "?password=\(Self.password)&application_name=a")
    let parts = outcome.output.split(separator: "/").map {
      $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(parts.last == Self.password, "\(outcome)")
    #expect(parts.dropLast().joined().contains("application_name='a'"), "\(outcome)")
    #expect(!parts.dropLast().joined().contains(Self.password), "\(outcome)")
  }

  @Test("A password is in nothing that is said, written down or logged")
  func nowhere() throws {
    let (scratch, (database, _)) = (try Scratch(), try Loaded.migrated())
    let url = database.url + "?password=\(Self.password)"
    let machines = [
      "--metrics", scratch.path + "/run.prom", "--openlineage", scratch.path + "/events.ndjson",
    ]
    for program in [Program(database: url), Program()] {
      let words = try program.run("migrate", "status").status == 0 ? [] : ["--database", url]
      for command in [
        ["run", "cms-rvu", Sample.path, "--force", "-v"] + machines, ["doctor", "--format", "json"],
        ["doctor"],
        ["runs", "show", "1", "--format", "json"], ["report", "-o", scratch.path + "/report.html"],
        ["run", "cms-rvu", "/nowhere.zip", "-v", "--log-format", "json"], ["query", "no-such-query"],
        ["migrate", "verify", "--no-such-option"], ["db", "status", "--format", "json"],
      ] {
        try program.run(command + words).withholding(Self.password)
      }
      // What libpq cannot parse, does not know and cannot reach.
      for broken in [
        "postgresql://etl:\(Self.password)@[::1/fees", "postgresql://etl:\(Self.password)@127.0.0.1:1/fees",
        "password=\(Self.password) colour=red", "host=127.0.0.1 port=x password=\(Self.password)",
        "postgresql://etl:\(Self.password)@127.0.0.1:1/\(database.name)?sslmode=\(Self.password)",
      ] {
        for format in ["text", "json"] {
          let outcome = try Program().run("migrate", "status", "--database", broken, "--format", format, "-v")
          #expect(outcome.status != 0)
          if !broken.contains("sslmode") { outcome.withholding(Self.password) }
        }
      }
    }
    let tables = """
      SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'rivulet'::regnamespace
        AND query_to_xml(format('SELECT * FROM %s', oid::regclass), false, true, '')::text LIKE '%\(Self.password)%'
      """
    #expect(try database.rows(tables) == [])
    for name in ["run.prom", "events.ndjson", "report.html"] {
      #expect(try !String(contentsOfFile: scratch.path + "/" + name, encoding: .utf8).contains(Self.password))
    }
    let log = try TestServer.shared.log().split(separator: "\n").filter { !$0.contains("query_to_xml") }
    #expect(!log.contains { $0.contains(Self.password) })
  }

  /// Whether a program that is aborted after a moment leaves a core, as far as the shell is asked.
  private static func leavesCore(_ command: String) throws -> Bool {
    let scratch = try Scratch()
    let script = """
      ulimit -c unlimited; export SWIFT_BACKTRACE=enable=no; cd '\(scratch.path)'
      \(command) & sleep 1; kill -ABRT $!; wait $!; echo $?; ls
      """
    let words = try Shell.run("bash", "-c", script)
    try #require(words.contains("134"), "\(words)")
    return words.contains("core dumped") || words.contains("\ncore")
  }

  @Test(
    "A program that is aborted leaves no core, whatever the shell allows",
    .enabled(if: (try? leavesCore("sleep 30")) == true, "this machine writes no core of any program"))
  func cores() throws {
    let silent = try LoopbackListener()
    let words = Self.words[0](silent.port).map { "'\($0)'" }.joined(separator: " ")
    #expect(try !Self.leavesCore("'\(Program.path)' migrate status \(words)"))
  }

  @Test(
    "What a command writes of rows is for its owner only, other files are for whom the mask allows, and what is there stays as it is",
    arguments: ["022", "000", "077"])
  func files(mask: String) throws {
    let own = try OwnDataset()
    try own.scratch.write(
      "Pipelines/items/queries/all.sql",
      "/* rivulet query\ndescription: all rows\n*/\nSELECT * FROM own.item\n")
    try own.write("items25a", ["ITEM.csv": "a,3,one,x,,m\nb,3,two,1,,m"])
    try own.run("items25a", options: ["--max-rejects", "1"]).succeeded()
    let site = try LoopbackServer { _ in .init(body: Array((OwnDataset.header + "c,3,two,1,,m\n").utf8)) }
    func mode(_ name: String) throws -> String {
      let mode = try FileManager.default.attributesOfItem(atPath: own.path(name))[.posixPermissions] as? Int
      return String(mode ?? 0, radix: 8)
    }
    func run(_ command: String) throws {
      let words =
        "umask \(mask); exec '\(Program.path)' \(command) --project '\(own.scratch.path)'"
        + " --database '\(own.database.url)'"
      try Shell.run("env", "RIVULET_CACHE=\(own.path("cache/of"))", "no_proxy=*", "sh", "-c", words)
    }
    try run("query all -o \(own.path("rows.csv")) --as csv")
    try run("report -o \(own.path("report.html"))")
    try run("rejects export 1 -o \(own.path("rejects.csv"))")
    try run("run items \(site.address)/ITEM.csv --release 2025B")
    try run("migrate plan --script -o \(own.path("plan.sql"))")
    try run("roles -o \(own.path("roles.sql"))")
    let machines = "--metrics \(own.path("run.prom")) --openlineage \(own.path("events.ndjson"))"
    try run("run items \(own.path("items25a")) --max-rejects 1 --force \(machines)")
    for name in ["rows.csv", "report.html", "rejects.csv", "plan.sql", "roles.sql", "events.ndjson"] {
      #expect(try mode(name) == "600", "\(name)")
    }
    try run("docs -o \(own.path("site/docs"))")
    try run("migrate dump -o \(own.path("schema.sql"))")
    let (file, folder) = mask == "000" ? ("666", "777") : mask == "022" ? ("644", "755") : ("600", "700")
    for name in ["run.prom", "schema.sql", "site/docs/index.html"] {
      #expect(try mode(name) == file, "\(name)")
    }
    for name in ["site", "site/docs"] { #expect(try mode(name) == folder, "\(name)") }
    chmod(own.path("rows.csv"), 0o644)
    try run("query all -o \(own.path("rows.csv")) --as csv")
    #expect(try mode("rows.csv") == "644")
    let cached =
      FileManager.default.enumerator(atPath: own.path("cache/of"))?.compactMap { $0 as? String } ?? []
    #expect(cached.count > 4)
    for name in [""] + cached {
      let place = "cache/of/" + name
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: own.path(place), isDirectory: &isFolder)
      #expect(try mode(place) == (isFolder.boolValue ? "700" : "600"), "\(place)")
    }
  }
}
