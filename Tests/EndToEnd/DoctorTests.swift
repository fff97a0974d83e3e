import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

/// What `rivulet doctor` answers, whatever it looks at.
@Suite("rivulet doctor")
struct DoctorTests {
  @Test("finds nothing wrong with a project that is loaded, in any of its checks")
  func healthy() throws {
    let desk = try Desk(with: Loaded.sample())
    let found = try desk.doctor()
    #expect(found.problems == [], "\(found.outcome.output)")
    let names = Set(found.all.map(\.check))
    #expect(names.isSuperset(of: ["project", "connection", "rights", "indexes", "views", "libraries"]))
    #expect(names.count > 30)
    let unseen = found.all.filter { $0.found.contains("not looked at") }
    #expect(unseen.isEmpty, "\(unseen)")
    try desk.program.run("doctor").succeeded(
      showing: "definitions", "machine", "0 errors, 1 warning",
      Diagnosed.withoutVacuum)
  }

  @Test("has a document of checks with their group, state, reason and fix")
  func document() throws {
    let own = try OwnDataset()
    let outcome = try own.doctor().outcome
    let document = try outcome.object()
    #expect(Set(document.keys) == ["checks", "errors", "warnings"])
    let checks = try #require(document["checks"] as? [[String: Any]])
    for check in checks {
      #expect(Set(check.keys) == ["check", "group", "state", "found", "reason", "fix"])
      #expect(["ok", "note", "warning", "error"].contains(check["state"] as? String))
      #expect((check["reason"] as? String)?.isEmpty == false)
    }
  }

  @Test("has every check in its manual")
  func manual() throws {
    let page = try String(
      contentsOfFile: SharedData.project + "/Documentation/Operations.md", encoding: .utf8)
    let section = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("When something") })
    for name in try Set(Diagnosed(Program()).all.map(\.check)) {
      #expect(section.contains("`\(name)`"), "\(name)")
    }
  }

  @Test("does only the checks that are named, or those of a group, and knows a word that is near")
  func named() throws {
    let own = try OwnDataset()
    #expect(try Set(own.doctor("locks", "server-version").all.map(\.check)) == ["locks", "server-version"])
    let tables = try Set(own.doctor("tables").all.map(\.check))
    #expect(tables == ["indexes", "constraints", "autovacuum", "statistics", "wraparound"])
    try own.command("doctor", "indxes").failed(2, saying: "did you mean 'indexes'")
  }

  @Test("shows states at a terminal by words and marks, in colour unless that is not wanted")
  func terminal() throws {
    let own = try OwnDataset()
    try own.database.connect().execute("ALTER TABLE own.meaning SET (autovacuum_enabled = off)")
    func shown(_ environment: [String: String]) throws -> String {
      let program = Program(
        database: own.database.url,
        environment: environment.merging(["TERM": "xterm", "NO_COLOR": "", "LC_ALL": "C.UTF-8"]) { first, _ in
          first
        })
      return try program.start(["doctor", "tables", "--no-pager"] + own.project, typing: "", size: (100, 60))
        .wait()
        .output
    }
    let coloured = try shown([:])
    #expect(coloured.contains("\u{1b}[32m✓ ok\u{1b}[0m"), "\(coloured)")
    #expect(coloured.contains("\u{1b}[33m! warning\u{1b}[0m"))
    let plain = try shown(["NO_COLOR": "1"])
    #expect(!plain.contains("\u{1b}[3"))
    #expect(plain.contains("✓ ok") && plain.contains("! warning") && plain.contains("0 errors, 2 warnings"))
    #expect(try shown(["NO_COLOR": "1", "LC_ALL": "C"]).contains(" warning  autovacuum"))
    #expect(try !shown(["NO_COLOR": "1", "LC_ALL": "C"]).contains("✓"))
    #expect(plain.contains("why: ") && plain.contains("fix: ALTER TABLE own.meaning RESET"))
  }

  @Test("says where no database is named, and looks at the rest")
  func unnamed() throws {
    let found = try Diagnosed(Program())
    #expect(try found.only("connection").state == "error")
    #expect(try found.only("connection").fix == "rivulet doctor --database embedded")
    #expect(found["pipelines"].map(\.state) == ["ok"])
    #expect(found["libraries"].map(\.state) == ["ok"])
    #expect(found["indexes"].map(\.found) == ["not looked at: there is no connection"])
    #expect(found.problems == ["connection error"])
  }

  @Test(
    "says where the server does not answer, and never the password",
    arguments: [
      "postgresql://etl:tops3cret@127.0.0.1:1/fees", "host=127.0.0.1 port=1 user=etl password=tops3cret",
    ])
  func unreachable(url: String) throws {
    for (program, words) in [(Program(database: url), []), (Program(), ["--database", url])] {
      let found = try Diagnosed(program, words)
      #expect(try found.only("connection").state == "error")
      #expect(try found.only("connection").found.contains("refused"))
      #expect(try found.only("connection").fix != nil)
      #expect(found["pipelines"].map(\.state) == ["ok"])
      found.outcome.withholding("tops3cret")
      try program.run(["doctor"] + words).withholding("tops3cret")
    }
  }

  @Test("names commands with the options of its own, but for a URL with a password")
  func options() throws {
    let own = try OwnProject(OwnDataset.files)
    func fix(_ url: String) throws -> String? {
      let found = try Diagnosed(Program(), ["ledger", "--database", url] + own.project)
      found.outcome.withholding("tops3cret")
      return try found.only("ledger").fix
    }
    let up = "rivulet migrate up --project \(own.scratch.path) --database"
    #expect(try fix(own.database.url + "?password=tops3cret") == "\(up) URL")
    #expect(try fix(own.database.url) == "\(up) '\(own.database.url)'")
    try OwnDataset.shell(try #require(try fix(own.database.url)))
    #expect(try own.doctor("ledger").only("ledger").state == "ok")
  }

  @Test("names the line that makes a database or a role that is not there")
  func missingDatabase() throws {
    let own = try OwnDataset()
    let name = "made_\(own.database.name)"
    func found(_ url: String) throws -> Diagnosed.Found {
      try own.doctor("connection", as: Program(database: url)).only("connection")
    }
    let role = own.database.url(as: name)
    #expect(try found(role).state == "error")
    #expect(try found(role).fix?.hasPrefix("createuser ") == true)
    let database = own.database.url.replacing("/" + own.database.name, with: "/" + name)
    #expect(try found(database).fix?.hasPrefix("createdb ") == true)
    // As the tests' own superuser, who has no name on this machine.
    for url in [role, database] {
      try OwnDataset.shell(
        try #require(try found(url).fix), environment: ["PGUSER": "rivulet", "PGDATABASE": own.database.name])
      #expect(try found(url).state == "ok")
    }
  }

  @Test("neither makes nor starts the embedded server, and says how it is started")
  func embedded() throws {
    // The socket's folder must be one that the server's user can enter.
    let state = "/tmp/rivulet-test-doctor-\(UUID().uuidString.prefix(8))"
    defer { try? Files.remove(state) }
    let program = Program(environment: ["RIVULET_STATE_DIR": state])
    let words = ["--database", "embedded"]
    var found = try Diagnosed(program, words)
    #expect(try found.only("connection").found.contains("not made yet"))
    #expect(!Files.exists(state))
    let fix = try #require(try found.only("connection").fix)
    try Desk.shell(fix, environment: ["RIVULET_STATE_DIR": state])
    defer { _ = try? program.run("db", "destroy", "--yes") }
    found = try Diagnosed(program, words)
    #expect(try found.only("connection").state == "ok")
    #expect(found["server-disk"].map(\.state) == ["ok"])
    try program.run("db", "down").succeeded()
    found = try Diagnosed(program, words)
    #expect(try found.only("connection").found.contains("does not run"))
    #expect(found.problems == ["connection warning"])
    try program.run("db", "status").succeeded(showing: "stopped")
    try preparedTransaction(state, program, words)
  }

  /// A server of its own is needed: others keep no prepared transactions.
  private func preparedTransaction(_ state: String, _ program: Program, _ words: [String]) throws {
    let settings = state + "/cluster/postgresql.conf"
    let text = try String(contentsOfFile: settings, encoding: .utf8)
    try (text + "\nmax_prepared_transactions = 2\n").write(
      toFile: settings, atomically: false, encoding: .utf8)
    try program.run("db", "up").succeeded()
    let url = try program.run("db", "url").succeeded().output.trimmingCharacters(in: .whitespacesAndNewlines)
    let connection = try Connection(to: try ConnectionTarget(url))
    try connection.execute("BEGIN; CREATE TABLE kept (a int)")
    try connection.execute("PREPARE TRANSACTION 'it''s kept'")
    let found = try Diagnosed(program, ["transactions"] + words).only("transactions")
    #expect(found.state == "warning" && found.found.contains("it's kept"))
    try connection.execute(try #require(found.fix))
    #expect(try Diagnosed(program, ["transactions"] + words).only("transactions").state == "ok")
  }

  @Test("looks at the database where rivulet.yaml or a definition has a mistake, and names its place")
  func definitions() throws {
    let own = try OwnDataset()
    try own.edit("Pipelines/items/pipeline.yaml", "publish: release", to: "publish: sometimes")
    var found = try own.doctor()
    #expect(try found.only("pipelines").state == "error")
    #expect(try found.only("pipelines").found.hasPrefix("Pipelines/items/pipeline.yaml:"))
    #expect(found["indexes"].map(\.state) == ["ok"])
    #expect(found.problems == ["pipelines error"])
    try own.scratch.write("rivulet.yaml", "project: [\n")
    found = try own.doctor()
    #expect(try found.only("project").found.hasPrefix("rivulet.yaml:"))
    #expect(found["pipelines"].map(\.found) == ["not looked at: rivulet.yaml cannot be read"])
    #expect(found["indexes"].map(\.state) == ["ok"])
    #expect(found["locks"].map(\.state) == ["ok"])
    #expect(found.problems == ["project error"])
  }

  @Test("names a database that has no schema yet, and one of a newer program")
  func ledger() throws {
    let own = try OwnProject(OwnDataset.files)
    #expect(try own.doctor().problems == ["migrations warning", "ledger warning"])
    try own.expectFixed("ledger", "warning", saying: "not there")
    #expect(try own.doctor().problems == [])
    try own.database.connect().execute("INSERT INTO rivulet.catalog_version (version) VALUES (99)")
    let found = try own.doctor()
    #expect(try found.only("ledger").state == "error")
    #expect(try found.only("views").found == "not looked at: the schema 'rivulet' is of a newer program")
  }

  @Test("works where the server takes no writes, and says so")
  func readOnly() throws {
    let own = try OwnDataset()
    let role = "reader_\(own.database.name)"
    try own.database.connect().execute(
      """
      CREATE ROLE \(role) LOGIN SUPERUSER;
      ALTER DATABASE \(own.database.name) SET default_transaction_read_only = on
      """)
    let program = Program(database: own.database.url(as: role))
    let found = try own.doctor(as: program)
    #expect(found.problems == ["writable error"])
    try own.expectFixed("writable", "error", as: program)
    #expect(try own.doctor(as: program).problems == [])
  }
}
