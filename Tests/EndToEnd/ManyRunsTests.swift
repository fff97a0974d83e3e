import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Many programs that run pipelines of one database at once.
@Suite("Many runs at once", .serialized)
struct ManyRunsTests {
  private static let pipelines = (1...16).map { "items\($0)" }
  private static let records = NumberedPipelines.records

  /// A project of sixteen pipelines with its tables, and the records of some releases.
  private func project(_ releases: [String]) throws -> OwnProject {
    let own = try OwnProject(NumberedPipelines.files(Self.pipelines.count))
    try own.command("migrate", "up", options: ["-q"]).succeeded()
    try NumberedPipelines.write(releases, in: own)
    return own
  }

  /// Starts all commands before it waits for any.
  private func outcomes(of commands: [[String]], in own: OwnProject) throws -> [Program.Outcome] {
    try commands.map { try own.program.start($0 + own.project) }.map { try $0.wait() }
  }

  @Test("of different pipelines all end well, with the view that reads all of them exact")
  func different() throws {
    let own = try project(["R202501", "R202502"])
    let commands = Self.pipelines.flatMap { name in
      [["run", name, own.path("R202501"), own.path("R202502"), "--lock-wait", "300", "--format", "json"]]
    }
    for (name, outcome) in zip(Self.pipelines, try outcomes(of: commands, in: own)) {
      #expect(outcome.status == 0, "\(name): \(outcome.errors)")
    }
    for name in Self.pipelines {
      try NumberedPipelines.expectExact(own, name, releases: ["R202501", "R202502"])
    }
    #expect(
      try own.value("SELECT count(*) || ' ' || sum(rows) FROM many.totals")
        == "16 \(16 * 2 * Self.records)")
    #expect(try own.value("SELECT string_agg(DISTINCT state, ' ') FROM rivulet.run") == "published")
    #expect(try own.value("SELECT count(*) FROM rivulet.run") == "32")
  }

  @Test("of one pipeline wait for each other: fifty, of twenty-five releases, each of which comes twice")
  func same() throws {
    let releases = (0..<25).map { "R\(2001 + $0 / 12)" + String(String($0 % 12 + 101).dropFirst()) }
    let own = try project(releases)
    let commands = (releases + releases).map {
      ["run", "items1", own.path($0), "--lock-wait", "600", "--format", "json"]
    }
    let outcomes = try outcomes(of: commands, in: own)
    for outcome in outcomes { #expect(outcome.status == 0, "\(outcome.errors)") }
    let states = try outcomes.filter { $0.status == 0 }.map { try $0.at("state") }
    #expect(Dictionary(grouping: states) { $0 }.mapValues(\.count) == ["published": 25, "unchanged": 25])
    try NumberedPipelines.expectExact(own, "items1", releases: releases)
    #expect(try own.value("SELECT rows FROM many.totals WHERE name = 'items1'") == "\(25 * Self.records)")
  }

  @Test("than the server has connections for end with 0, or with 1 and a sentence, and lose nothing")
  func exhausted() throws {
    let releases = ["R202501"]
    let own = try OwnProject(NumberedPipelines.files(Self.pipelines.count))
    let role = "few_\(own.database.name)"
    try own.database.connect().execute(
      """
      CREATE ROLE \(role) LOGIN CONNECTION LIMIT 12;
      GRANT CREATE ON DATABASE \(Quote.identifier(own.database.name)) TO \(role)
      """)
    let program = Program(database: own.database.url(as: role))
    try program.run(["migrate", "up", "-q"] + own.project).succeeded()
    try NumberedPipelines.write(releases, in: own)
    let started = try Self.pipelines.map {
      try program.start(
        ["run", $0, own.path("R202501"), "--retries", "1", "--lock-wait", "300"] + own.project)
    }
    var failed: [String] = []
    for (name, run) in zip(Self.pipelines, started) {
      let outcome = try run.wait()
      #expect(outcome.status == 0 || outcome.status == 1, "\(outcome.errors)")
      guard outcome.status != 0 else { continue }
      failed.append(name)
      #expect(outcome.errors.contains("CONNECTION LIMIT"), "\(outcome.errors)")
    }
    #expect(!failed.isEmpty, "there were enough connections for all of them")
    // The same again, one after the other.
    for name in failed {
      try program.run(["run", name, own.path("R202501")] + own.project).succeeded()
    }
    for name in Self.pipelines { try NumberedPipelines.expectExact(own, name, releases: releases) }
    #expect(try own.value("SELECT count(*) FROM rivulet.run WHERE state = 'published'") == "16")
    try own.database.connect().execute(
      "REASSIGN OWNED BY \(role) TO rivulet; DROP OWNED BY \(role); DROP ROLE \(role)")
  }
}
