import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

/// `migrate verify` and `migrate status --drift`, as a user and as CI run them.
@Suite("Migrations proven") struct MigrateVerifyTests {
  // `make test` proves the project's migrations by this test: no step of its own is needed for it.
  @Test("this project's own migrations can all be reverted, which needs no database to be named")
  func ownMigrations() throws {
    let answer = try Program().run("migrate", "verify", "--format", "json").succeeded().object()
    #expect(answer["passed"] as? Bool == true)
    let migrations = try #require(answer["migrations"] as? [[String: Any]])
    let files = try Files.list(SharedData.project + "/Migrations").filter { $0.hasSuffix(".sql") }
    #expect(migrations.count == files.count)
    #expect(migrations.allSatisfy { $0["result"] as? String == "ok" })
    #expect(migrations.allSatisfy { ($0["warnings"] as? [Any])?.isEmpty == true })
    #expect(
      Set(try #require(migrations.first).keys)
        == ["version", "name", "kind", "result", "differences", "warnings", "seconds"])
  }

  @Test("roles that migrations name or make are there, and made once")
  func roles() throws {
    let database = try TestServer.shared.makeDatabase()
    let (scratch, role) = (try Scratch(), "r\(database.name)")
    try scratch.write(
      "0001_t.sql",
      "-- rivulet:up\nCREATE ROLE \(role);\nCREATE TABLE t (a int);\nGRANT SELECT ON t TO \(role);\n"
        + "-- rivulet:down\nDROP TABLE t;\nDROP ROLE \(role);\n")
    let program = Program(database: database.url)
    try program.run("migrate", "up", "--dir", scratch.path).succeeded()
    #expect(
      try program.run("migrate", "status", "--drift", "--dir", scratch.path).succeeded().output
        .contains("no drift"))
    try program.run("migrate", "down", "--dir", scratch.path, "--yes").succeeded()
    try scratch.write(
      "0002_o.sql",
      "-- rivulet:up\nALTER TABLE t OWNER TO postgres;\n-- rivulet:down\nALTER TABLE t OWNER TO CURRENT_USER;\n"
    )
    try program.run("migrate", "verify", "--dir", scratch.path).succeeded()
  }

  @Test("a way back that forgets an index fails with 1 and names it")
  func forgotten() throws {
    let scratch = try Scratch()
    try scratch.write(
      "0001_t.sql",
      "-- rivulet:up\nCREATE TABLE t (a int);\n-- rivulet:down\nDROP TABLE t;\n")
    try scratch.write(
      "0002_index.sql", "-- rivulet:up\nCREATE INDEX t_a ON t (a);\n-- rivulet:down\nSELECT 1;\n")
    let outcome = try Program().run("migrate", "verify", "--dir", scratch.path).failed(1)
    #expect(
      outcome.output.hasPrefix(
        """
        0001 t: up, down, up: ok
        0002 index: differs
          index public.t_a: is left over
        """))
    #expect(outcome.output.hasSuffix("1 of 2 migrations not as they should be\n"))
  }

  @Test("beside a database it leaves neither a shadow nor a trace in the database itself")
  func beside() throws {
    let database = try TestServer.shared.makeDatabase()
    let started = try Program(database: database.url).start(["migrate", "verify", "--here"])
    try started.wait().succeeded()
    #expect(try database.value("SELECT to_regnamespace('rivulet')") == nil)
    let own = "SELECT count(*) FROM pg_database WHERE datname ~ '^rivulet_shadow_\(started.identifier)_'"
    #expect(try database.value(own) == "0")
  }

  @Test(
    "when it is interrupted or ended by the system its server goes with it, and when it is killed with the next one",
    arguments: [SIGINT, SIGTERM, SIGKILL])
  func interrupted(signal: Int32) throws {
    let scratch = try Scratch()
    try scratch.write(
      "0001_slow.sql", "-- rivulet:up\nSELECT pg_sleep(60);\n-- rivulet:down\nSELECT 1;\n")
    let started = try Program().start(["migrate", "verify", "--dir", scratch.path])
    let folder = try #require(try shadowFolder(of: started.identifier))
    started.signal(signal)
    let isKilled = signal == SIGKILL
    try started.wait().failed(isKilled ? 128 + SIGKILL : 130)
    #expect(Files.exists(folder) == isKilled)
    guard isKilled else { return }
    try scratch.write("0001_slow.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    try Program().run("migrate", "verify", "--dir", scratch.path).succeeded()
    #expect(!Files.exists(folder))
  }

  /// The shadow server's folder of a process, once a statement runs in it.
  private func shadowFolder(of process: Int32) throws -> String? {
    for _ in 0..<2_400 {
      for name in try Files.list("/tmp") where name.hasPrefix("rivulet-shadow-") {
        let folder = "/tmp/" + name
        let data = folder + "/pg/cluster/base"
        guard Files.exists(data), try holds(process, folder) else { continue }
        // Its own databases come after the three of initdb and the cluster's own.
        if (try? Files.list(data).count) ?? 0 > 4 {
          Thread.sleep(forTimeInterval: 1)
          return folder
        }
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return nil
  }

  /// Whether a process has a folder open, which it does to lock it.
  private func holds(_ process: Int32, _ folder: String) throws -> Bool {
    let descriptors = "/proc/\(process)/fd"
    return ((try? Files.list(descriptors)) ?? []).contains { Path.resolved(descriptors + "/" + $0) == folder }
  }

  @Test(
    "there is no drift after migrations, derived views and a release; a change by hand is reported, with exit 5"
  )
  func drift() throws {
    let (database, program) = try Loaded.migrated()
    try program.run("run", "cms-rvu", Sample.path).succeeded()
    let clean = try program.run("migrate", "status", "--drift", "--format", "json").succeeded().object()
    #expect(clean["drift"] as? [String] == [])
    #expect(
      Set(clean.keys) == [
        "applied", "pending", "late", "awaits_contract", "datasets", "unused", "problems", "drift",
      ])
    try program.run("migrate", "status", "--drift", "--here").succeeded()
    try program.run("migrate", "status", "--here").failed(2)

    try database.connect().execute("CREATE INDEX by_hand ON cms.rvu (hcpcs)")
    for place in [[], ["--here"]] {
      let found = try program.run(["migrate", "status", "--drift", "--format", "json"] + place).failed(5)
      #expect(
        try found.object()["drift"] as? [String]
          == ["index cms.by_hand: is in the database, and no migration made it"])
    }
    let text = try program.run("migrate", "status", "--drift", "--here")
    #expect(text.output.contains("\n  index cms.by_hand: is in the database"))
  }

  @Test("what rivulet.yaml ignores is no drift, and what names no object is refused with its place")
  func ignored() throws {
    let database = try TestServer.shared.makeDatabase()
    let scratch = try Scratch()
    func ignore(_ pattern: String) throws {
      try scratch.write(
        "rivulet.yaml",
        "project: own\ntime_zone: UTC\ndrift:\n  ignore: [schema scratch, \(pattern)]\n")
    }
    func migrate(_ words: String...) throws -> Program.Outcome {
      try Program(database: database.url).run(["--project", scratch.path, "migrate"] + words)
    }
    try ignore("table app.tmp_*")
    try scratch.write(
      "Migrations/0001_app.sql", "-- rivulet:up\nCREATE SCHEMA app;\n-- rivulet:down\nDROP SCHEMA app;\n")
    try migrate("up").succeeded()
    try database.connect().execute(
      "CREATE TABLE app.tmp_1 (n int UNIQUE); CREATE SCHEMA scratch; CREATE TABLE scratch.x (n int)")
    try migrate("status", "--drift", "--here").succeeded(showing: "no drift")
    try database.connect().execute("CREATE TABLE app.fee (n int)")
    let found = try migrate("status", "--drift", "--here", "--format", "json").failed(5)
    #expect(
      try found.object()["drift"] as? [String]
        == ["table app.fee: is in the database, and no migration made it"])
    try ignore("app.tmp_*")
    try migrate("status", "--drift", "--here").failed(
      2, saying: "rivulet.yaml:4:28: 'app.tmp_*' is not a kind of object and a name")
  }
}
