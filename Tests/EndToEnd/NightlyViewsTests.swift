import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What `rivulet nightly` does with derived views.
@Suite("The views of a night")
struct NightlyViewsTests {
  /// A night in a project with stored views, one of which cannot be computed where words have five letters.
  private func night() throws -> Night {
    let night = try Night()
    let views = [
      "words": "SELECT code, words FROM own.item",
      "broken": "SELECT code, 1 / (length(words) - 5) AS n FROM own.item",
      "above": "SELECT code, n FROM own.broken",
    ]
    for (name, sql) in views {
      try night.own.scratch.write(
        "Pipelines/items/views/own.\(name).sql",
        "/* rivulet view\nstrategy: full\ndescription: \(name)\nkey: [code]\n*/\n\(sql)\n")
    }
    let up = try night.own.command("migrate", "up")
    try #require(up.status == 0, "\(up.errors)")
    return night
  }

  private func outcomes(_ summary: Night.Summary) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: summary.list("views").map {
        ($0["view"] as? String ?? "", $0["outcome"] as? String ?? "")
      })
  }

  @Test("are refreshed after the runs, and left alone where nothing has changed")
  func refreshed() throws {
    let night = try night()
    try night.put("ITEM_25a_.csv", Night.item("a001", "four letters"))
    let first = try night.pass()
    #expect(first.outcome.status == 0, "\(first.outcome.errors)")
    #expect(
      outcomes(first) == ["own.words": "refreshed", "own.broken": "refreshed", "own.above": "refreshed"])
    #expect(try night.own.database.value("SELECT words FROM own.words") == "four letters")
    #expect(Set(outcomes(try night.pass()).values) == ["unchanged"])
  }

  @Test("that fail are reported and do not keep the others, nor the steps after them, from their work")
  func failed() throws {
    let night = try night()
    try night.own.scratch.write(
      "rivulet.yaml", "project: own\ntime_zone: UTC\n\(Night.watching)\nfreshness: {items: 1d}\n")
    try night.put("ITEM_25a_.csv", Night.item("a001", "fives"))
    let summary = try night.pass()
    #expect(outcomes(summary) == ["own.words": "refreshed", "own.broken": "failed", "own.above": "skipped"])
    #expect(summary.outcome.status == 1)
    #expect(
      summary.problems.first == "views 1" && summary.problems.contains("freshness 5"), "\(summary.problems)")
    #expect(summary.problems.contains("views 5"), "it is behind what it reads: \(summary.messages)")
    #expect(!summary.outcome.output.contains("fives"))
    #expect(try night.own.database.value("SELECT words FROM own.words") == "fives")
  }

  @Test("that another session is refreshing are left to it, and reported with 4")
  func busy() throws {
    let night = try night()
    let holder = try night.own.database.connect()
    #expect(try holder.acquireLock("rivulet view own.words"))
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let summary = try night.pass()
    #expect(summary.problems.contains("views 4"), "\(summary.problems)")
    try holder.releaseLock("rivulet view own.words")
    try night.put("ITEM_25a_.csv", Night.item("a001", "better"))
    #expect(try night.pass().outcome.status == 0)
    #expect(try night.own.database.value("SELECT words FROM own.words") == "better")
  }

  @Test("that are defined and not made are reported with 5, and the others are refreshed")
  func unmade() throws {
    let night = try night()
    try night.own.scratch.write(
      "Pipelines/items/views/own.late.sql",
      "/* rivulet view\nstrategy: full\ndescription: late\nkey: [code]\n*/\nSELECT code FROM own.item\n")
    try night.put("ITEM_25a_.csv", Night.item("a001", "four letters"))
    let summary = try night.pass()
    #expect(outcomes(summary)["own.late"] == "failed" && outcomes(summary)["own.words"] == "refreshed")
    #expect(summary.problems.contains("views 5") && summary.outcome.status == 5, "\(summary.problems)")
    #expect(
      summary.messages.contains("own.late is not in the database as it is defined"), "\(summary.messages)")
  }
}
