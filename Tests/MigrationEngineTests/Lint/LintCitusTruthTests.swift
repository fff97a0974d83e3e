import Foundation
import PostgreSQL
import SQLText
import TestSupport
import Testing

@testable import MigrationEngine

/// The examples of the lint for Citus, run by a coordinator.
@Suite("What the lint claims of Citus")
struct LintCitusTruthTests {
  /// Rules about what is not refused where it is said, and one whose example is about a table that is there.
  private static let accepted: Set<String> = ["citus-unnamed-constraint", "citus-grant", "citus-partitions"]

  private static var cases: [LintCase] {
    LintCitusTests.cases.filter { example in
      example.earlier == [LintCitusTests.placed] && !accepted.contains(example.rule)
        && !example.sql.hasPrefix("-- rivulet:up")
    }
  }

  @Test("is true: what is named fails, and all else runs", .needsCitus)
  func truth() throws {
    let connection = try CitusServer.shared.makeDatabase().connect()
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
      #expect((error != nil) == isFound, "\(example.plain)\n\(error?.description ?? "it runs")")
      // A table that is misspelt would prove nothing.
      #expect(error?.sqlState != "42P01", "\(example.plain)\n\(error?.description ?? "")")
    }
  }

  /// What the coordinator says of an example, or of a use of the function or view that it makes.
  private static func failure(of example: LintCase, on connection: Connection) -> PostgreSQLError? {
    let isAlone = example.plain.contains("CONCURRENTLY")
    var statements = (try? SQLScript(example.plain))?.statements.map(\.text) ?? []
    if example.plain.hasPrefix("CREATE VIEW app.w") { statements.append("SELECT * FROM app.w") }
    if example.rule == "citus-sql-function" {
      let isBare = example.plain.hasPrefix("CREATE FUNCTION app.f()")
      statements.append("SELECT * FROM app.f(\(isBare ? "" : "'1'"))")
    }
    defer { _ = try? connection.execute(isAlone ? "DROP INDEX IF EXISTS app.u" : "ROLLBACK") }
    do throws(PostgreSQLError) {
      if !isAlone { try connection.execute("BEGIN") }
      for statement in statements { try connection.execute(statement) }
      return nil
    } catch {
      return error
    }
  }
}
