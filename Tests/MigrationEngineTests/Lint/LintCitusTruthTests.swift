import Foundation
import PostgreSQL
import SQLText
import Testing

@testable import MigrationEngine

/// The examples of the lint for Citus, run by a coordinator that `RIVULET_CITUS_URL` names: a database with
/// nodes, and without a schema `app`.
@Suite("What the lint claims of Citus")
struct LintCitusTruthTests {
  private static let url = ProcessInfo.processInfo.environment["RIVULET_CITUS_URL"]

  /// Rules about what is not refused where it is said, and one whose example is about a table that is there.
  private static let accepted: Set<String> = ["citus-unnamed-constraint", "citus-grant", "citus-partitions"]

  private static var cases: [LintCase] {
    LintCitusTests.cases.filter { example in
      example.earlier == [LintCitusTests.placed] && !accepted.contains(example.rule)
        && !example.sql.hasPrefix("-- rivulet:up")
    }
  }

  @Test(
    "is true: what is named fails, and all else runs",
    .enabled(if: url != nil, "RIVULET_CITUS_URL names no coordinator"))
  func truth() throws {
    let connection = try Connection(to: try ConnectionTarget(Self.url ?? ""))
    try connection.execute("SET client_min_messages = error")
    defer {
      _ = try? connection.execute("DROP SCHEMA IF EXISTS app CASCADE")
      _ = try? connection.execute("DROP ROLE IF EXISTS citus_reader, citus_account")
    }
    for statement in try SQLScript(LintCitusTests.placed).statements {
      try connection.execute(statement.text)
    }
    for example in Self.cases {
      let error = Self.failure(of: example, on: connection)
      let isFound = !example.expected.isEmpty
      #expect((error != nil) == isFound, "\(example.plain)\n\(error ?? "it runs")")
    }
  }

  /// What the coordinator says of an example, or of a use of the function or view that it makes.
  private static func failure(of example: LintCase, on connection: Connection) -> String? {
    let isAlone = example.plain.contains("CONCURRENTLY")
    var statements = (try? SQLScript(example.plain))?.statements.map(\.text) ?? []
    if example.plain.hasPrefix("CREATE VIEW app.w") { statements.append("SELECT * FROM app.w") }
    if example.rule == "citus-sql-function" {
      let isBare = example.plain.hasPrefix("CREATE FUNCTION app.f()")
      statements.append("SELECT * FROM app.f(\(isBare ? "" : "'1'"))")
    }
    defer { _ = try? connection.execute(isAlone ? "DROP INDEX IF EXISTS app.u" : "ROLLBACK") }
    do {
      if !isAlone { try connection.execute("BEGIN") }
      for statement in statements { try connection.execute(statement) }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
