import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

/// What `rivulet doctor` has found.
struct Diagnosed {
  /// One thing that it found.
  struct Found {
    let check: String
    let state: String
    let found: String
    let fix: String?

    fileprivate init(_ member: [String: Any]) {
      check = member["check"] as? String ?? "?"
      state = member["state"] as? String ?? "?"
      found = member["found"] as? String ?? "?"
      fix = member["fix"] as? String
    }
  }

  let outcome: Program.Outcome
  let all: [Found]

  /// Runs it, with the words that follow `doctor`.
  init(_ program: Program, _ words: [String] = []) throws {
    outcome = try program.run(["doctor", "--format", "json"] + words)
    all = (try outcome.object()["checks"] as? [[String: Any]] ?? []).map(Found.init)
    #expect(!all.isEmpty, "\(outcome.output)\(outcome.errors)")
    let errors = all.count { $0.state == "error" }
    let counts = try outcome.at("errors", "warnings")
    #expect(counts == "\(errors) \(all.count { $0.state == "warning" })")
    #expect(outcome.status == (errors > 0 ? 1 : 0))
  }

  /// What is wrong, but that the tests' own server never vacuums by itself.
  var wrong: [Found] {
    all.filter { ["error", "warning"].contains($0.state) && $0.found != Self.withoutVacuum }
  }

  /// What is wrong, as `indexes warning`.
  var problems: [String] { wrong.map { "\($0.check) \($0.state)" } }

  /// What is found of a server that keeps nothing for good.
  static let withoutVacuum = "autovacuum is off"

  /// What a check found.
  subscript(check: String) -> [Found] { all.filter { $0.check == check } }

  /// The one thing that a check found.
  func only(_ check: String, at place: SourceLocation = #_sourceLocation) throws -> Found {
    let found = self[check]
    try #require(found.count == 1, "\(check): \(found)", sourceLocation: place)
    return found[0]
  }
}

extension Workplace {
  /// Examines the set-up, all of it or some checks.
  func doctor(_ checks: String..., as other: Program? = nil) throws -> Diagnosed {
    try Diagnosed(other ?? program, checks + project)
  }

  /// Does what fixes something, as who pastes it does: for psql where it ends in a
  /// semicolon, else in a shell.
  func paste(_ fix: String, into other: TestDatabase? = nil) throws {
    guard fix.hasSuffix(";") else {
      try Self.shell(fix, environment: ["RIVULET_DATABASE_URL": database.url])
      return
    }
    let connection = try (other ?? database).connect()
    for statement in fix.split(separator: "; ") { try connection.execute(String(statement)) }
  }

  /// Runs a line in a shell that finds the program.
  @discardableResult
  static func shell(_ line: String, environment: [String: String] = [:]) throws -> String {
    var process = Subprocess(["sh", "-c", line])
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = environment.merging(["PATH": Path.parent(Program.path) + ":" + path]) { $1 }
    let outcome = try process.run()
    try #require(outcome.status == 0, "\(line): \(outcome.output)")
    return outcome.output
  }

  /// Expects that a check finds a problem whose fix makes it go away.
  func expectFixed(
    _ check: String, _ state: String, saying words: String..., as other: Program? = nil,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    func finding() throws -> Diagnosed.Found? {
      try doctor(check, as: other)[check].first { found in
        found.state == state && words.allSatisfy(found.found.contains)
      }
    }
    let before = try doctor(check, as: other).outcome.output
    let found = try #require(try finding(), "\(before)", sourceLocation: place)
    let fix = try #require(found.fix, "\(found)", sourceLocation: place)
    try paste(fix)
    #expect(try finding()?.found == nil, "\(fix)", sourceLocation: place)
  }
}
