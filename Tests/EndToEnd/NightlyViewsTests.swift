import PostgreSQL
import TestSupport
import Testing

/// What `rivulet nightly` does with derived views.
@Suite("The views of a night")
struct NightlyViewsTests {
  /// A project with stored views, one of which cannot be computed where words have five letters.
  private let night: Night

  init() throws {
    night = try Night()
    try define("words", "SELECT code, words FROM own.item")
    try define("broken", "SELECT code, 1 / (length(words) - 5) AS n FROM own.item")
    try define("above", "SELECT code, n FROM own.broken")
    try night.command("migrate", "up").succeeded()
  }

  private func define(_ name: String, _ sql: String) throws {
    try night.scratch.write("Pipelines/items/views/own.\(name).sql", OwnProject.view(by: "code", sql))
  }

  @Test(
    "are refreshed after the runs, and left alone where nothing has changed or another session is at them")
  func refreshed() throws {
    try night.put("ITEM_25a_.csv", Night.item("a001", "four letters"))
    let first = try night.pass("2025A published")
    #expect(first.views == ["own.words refreshed", "own.broken refreshed", "own.above refreshed"])
    #expect(try night.value("SELECT words FROM own.words") == "four letters")
    #expect(try night.pass().views.allSatisfy { $0.hasSuffix(" unchanged") })

    let holder = try night.database.connect()
    #expect(try holder.acquireLock("rivulet view own.words"))
    try night.put("ITEM_25a_.csv", Night.item("a001", "other letters"))
    let busy = try Night.Summary(night.start().wait())
    #expect(busy.problems.contains("views 4"), "\(busy.problems)")
    try holder.releaseLock("rivulet view own.words")
    try night.put("ITEM_25a_.csv", Night.item("a001", "better"))
    try night.pass("2025A published")
    #expect(try night.value("SELECT words FROM own.words") == "better")
    // One that is defined and not made is reported, and the others are refreshed.
    try define("late", "SELECT code FROM own.item")
    try night.put("ITEM_25a_.csv", Night.item("a001", "more letters"))
    let summary = try Night.Summary(night.start().wait())
    #expect(summary.views.isSuperset(of: ["own.late failed", "own.words refreshed"]), "\(summary.views)")
    #expect(summary.problems.contains("views 5") && summary.outcome.status == 5, "\(summary.problems)")
    #expect(
      summary.messages.contains("own.late is not in the database as it is defined"), "\(summary.messages)")
  }

  @Test("that fail are reported and do not keep the others, nor the steps after them, from their work")
  func failed() throws {
    try night.define(Night.watching + "\nfreshness: {items: 1d}")
    try night.put("ITEM_25a_.csv", Night.item("a001", "fives"))
    let summary = try Night.Summary(night.start().wait())
    #expect(summary.views == ["own.words refreshed", "own.broken failed", "own.above skipped"])
    #expect(summary.outcome.status == 1)
    #expect(
      summary.problems.first == "views 1" && summary.problems.contains("freshness 5"), "\(summary.problems)")
    #expect(summary.problems.contains("views 5"), "it is behind what it reads: \(summary.messages)")
    #expect(!summary.outcome.output.contains("fives"))
    #expect(try night.value("SELECT words FROM own.words") == "fives")
  }
}
