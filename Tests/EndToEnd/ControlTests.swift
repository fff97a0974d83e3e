import Definitions
import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A rule that finds nothing may be a rule that cannot find anything: each is seen to find what is there.
@Suite("Each rule of our pipelines")
struct ControlTests {
  static let all =
    Control.feeSchedule + Control.codes + Control.places + Control.providers + Control.deactivations
    + Control.taxonomy + Control.directories + Control.lists + Control.payable
    + Control.systems

  /// A result in the ledger.
  private struct Result {
    let found: Int
    let passed: Bool
  }

  /// Runs a bundle without publishing it, and gives what the rules found, with what the program said.
  private func judge(_ base: Control.Base, _ files: Control.Files, in database: TestDatabase) throws -> (
    gates: [String: Result], outcome: Program.Outcome
  ) {
    let newest = "SELECT coalesce(max(run), 0) FROM rivulet.run"
    let before = try database.value(newest) ?? ""
    let outcome = try Program(database: database.url).run(
      "run", base.pipeline, try files.written(), "--dry-run", "--allow-missing")
    let rows = try database.connect().query(
      """
      SELECT rule, found, passed FROM rivulet.gate_result
      WHERE run > \(before)
      """)
    let gates = try rows.rows.map {
      (try $0.value(0, String.self), Result(found: try $0.value(1), passed: try $0.value(2)))
    }
    return (Dictionary(gates) { first, _ in first }, outcome)
  }

  /// One after the other: they share a database.
  @Test(
    "finds nothing in a good bundle, and what is wrong in a broken one, and how much of it",
    arguments: Control.Base.allCases)
  func base(_ base: Control.Base) throws {
    let database = try base.database()
    try good(base, in: database)
    for control in Self.all where control.base == base {
      do { try broken(control, in: database) } catch { Issue.record(error, "\(control.testDescription)") }
    }
  }

  private func good(_ base: Control.Base, in database: TestDatabase) throws {
    let (gates, outcome) = try judge(base, try base.files(), in: database)
    #expect(outcome.status == 0 && !outcome.errors.contains("warning"), "\(outcome.errors)")
    let expected = Self.all.filter { $0.base == base }.map(\.rule)
    for rule in expected { #expect(gates[rule] != nil, "\(rule) was not judged") }
    for (rule, result) in gates {
      let rows = rule.hasPrefix("rows-") ? base.rows[String(rule.dropFirst(5))] : nil
      #expect(result.passed && result.found == rows ?? 0, "\(rule): \(result)")
    }
  }

  private func broken(_ control: Control, in shared: TestDatabase) throws {
    var files = try control.base.files()
    try control.edit(&files)
    let database = try control.sql == nil ? shared : TestServer.shared.makeDatabase(from: shared)
    if let sql = control.sql { try database.connect().execute(sql) }
    let (gates, outcome) = try judge(control.base, files, in: database)
    let found = "\(control.testDescription): \(outcome.errors)"
    let result = try #require(gates[control.rule], "\(found)")
    #expect(result.found == control.found, "\(found)")
    #expect(result.passed == control.passes, "\(found)")
    if !control.passes {
      #expect(outcome.status == 3 && outcome.errors.contains("  \(control.rule): "), "\(found)")
    }
  }

  @Test("has a control, and each control a rule")
  func none() throws {
    for pipeline in try Project.load(SharedData.project).pipelines() {
      // What two formats of a table hold is compared in CrossCheckTests.
      let rules = pipeline.gateRules.filter { $0.subject != .crossCheck }.map(\.name)
      let controlled = Self.all.filter { $0.base.pipeline == pipeline.name }.map(\.rule)
      #expect(
        Set(rules).subtracting(controlled).isEmpty, "\(pipeline.name) has rules that nobody has seen to work")
      #expect(Set(controlled).subtracting(rules).isEmpty, "\(pipeline.name) has no such rules")
    }
  }
}
