import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The page on rights, held against the program: what a command needs is enough, and each of it is needed.
@Suite("The page on rights")
struct RightsPageTests {
  private let database: TestDatabase
  private let administration: Connection
  private let owner: String

  /// A database that belongs to a role that is no superuser, with a release in it.
  init() throws {
    database = try TestServer.shared.makeDatabase()
    administration = try database.connect()
    owner = "owner_\(database.name)"
    try administration.execute("CREATE ROLE \(owner) LOGIN")
    let program = Program(database: database.url)
    let grants = try program.run("migrate", "grants", "--for", owner).succeeded().output
    for line in grants.split(separator: "\n") where !line.hasPrefix("--") {
      // Roles are the server's: another test may make one of the same name at this moment.
      do { try administration.execute(String(line)) } catch {
        try #require(line.hasPrefix("CREATE ROLE"), "\(error)")
      }
    }
    let own = Program(database: database.url(as: owner))
    try own.run("migrate", "up").succeeded()
    try own.run("run", "cms-rvu", Sample.path).succeeded()
  }

  /// What the words of the page stand for.
  private static let arguments: [String: [String]] = [
    "migrate repair": ["0001"], "runs show": ["1"], "rejects list": ["1"], "describe": ["cms.rvu"],
    "docs": ["-o", NSTemporaryDirectory() + "rights-docs-\(getpid())"], "pipelines show": ["cms-rvu"],
  ]
  /// Those that start a server for each try; with nothing pending `plan` needs less than the page says.
  private static let slow: Set<String> = ["migrate status --drift", "migrate plan", "migrate grants"]

  /// The rows of the page's table: commands, and the tables that they read.
  private func rows() throws -> [(commands: [String], tables: [String])] {
    let page = try String(contentsOfFile: SharedData.project + "/Documentation/Rights.md", encoding: .utf8)
    return page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { cell in cell.matches(of: /`([^`]+)`/).map { String($0.1) }
      }
      return (cells[0], cells.count > 1 ? cells[1] : [])
    }
  }

  private func hint(_ outcome: Program.Outcome) throws -> String {
    let error = try outcome.object()["error"] as? [String: Any]
    return error?["hint"] as? String ?? ""
  }

  @Test("has what each command needs: all of it is enough, and each that is missing is named")
  func exact() throws {
    let rows = try rows()
    try #require(rows.count > 8)
    for (number, row) in rows.enumerated() {
      for command in row.commands {
        let role = "looks\(number)_\(database.name)"
        try administration.execute(
          "DO $$ BEGIN CREATE ROLE \(role) LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
        let program = Program(database: database.url(as: role))
        let words = command.split(separator: " ").map(String.init) + (Self.arguments[command] ?? [])
        let grants =
          row.tables.isEmpty
          ? [] : ["USAGE ON SCHEMA rivulet"] + row.tables.map { "SELECT ON TABLE rivulet.\($0)" }
        for grant in grants { try administration.execute("GRANT \(grant) TO \(role)") }
        let outcome = try program.run(words)
        #expect(outcome.status == 0, "\(command): \(outcome.errors)")
        if Self.slow.contains(command) { continue }
        for grant in grants {
          try administration.execute("REVOKE \(grant) FROM \(role)")
          let refused = try program.run(words + ["--format", "json"]).failed(1)
          let hint = try hint(refused)
          #expect(
            hint.contains("GRANT \(grant) TO \(role);"), "\(command) without \(grant): \(refused.errors)")
          try administration.execute("GRANT \(grant) TO \(role)")
        }
      }
    }
  }

  @Test(
    "is right that who loads needs the role of the owner and nothing else",
    arguments: [
      "run cms-rvu SAMPLE --force", "refresh", "refresh --check", "views check", "views list", "migrate up",
      "releases pin cms-rvu 2025D", "query mart.rvu_by_status",
    ])
  func members(command: String) throws {
    let role = "loads_\(database.name)"
    try administration.execute("CREATE ROLE \(role) LOGIN")
    let program = Program(database: database.url(as: role))
    let words = command.replacing("SAMPLE", with: Sample.path).split(separator: " ").map(String.init)
    #expect(try program.run(words).status != 0)
    try administration.execute("GRANT \(owner) TO \(role)")
    try program.run(words).succeeded()
  }

  @Test("is right that hints lead from nothing to all that is needed, and to no role of a superuser")
  func led() throws {
    let role = "led_\(database.name)"
    try administration.execute("CREATE ROLE \(role) LOGIN")
    let program = Program(database: database.url(as: role))
    for words in [
      ["query", "mart.rvu_by_status"], ["views", "list"], ["run", "cms-rvu", Sample.path, "--force"],
    ] {
      var given: [String] = []
      while true {
        let outcome = try program.run(words + ["--format", "json"])
        if outcome.status == 0 { break }
        let hint = try hint(outcome)
        let grant = try #require(hint.firstMatch(of: /runs once: ([^;]+);/), "\(words): \(outcome.errors)").1
        try #require(!given.contains(String(grant)), "\(grant) is not enough")
        given.append(String(grant))
        try administration.execute(String(grant))
      }
      #expect(!given.contains { $0.contains("GRANT rivulet TO") })
    }
  }
}
