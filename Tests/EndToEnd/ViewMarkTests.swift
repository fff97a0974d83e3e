import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What marks views have of releases that come and go, in the transaction that moves them.
@Suite("Views of releases")
struct ViewMarkTests {
  private let views: OwnViews
  private var own: OwnDataset { views.own }

  init() throws {
    views = try OwnViews()
    try views.bundle("items25a", "a001 first", "a002 second")
    try views.bundle("later/items25a", "a001 third")
  }

  private func came(_ release: String, _ revision: Int = 1) -> [String] {
    [
      "by_release item \(release) revision \(revision) (changed: release \(release) came)",
      "by_words item \(release) revision \(revision) (changed: release \(release) came)",
      "current item (changed: release \(release) came)",
      "current rivulet.release (changed: release \(release) of items came)",
    ]
  }

  private func went(_ release: String, _ revision: Int) -> [String] {
    [
      "by_release item \(release) revision \(revision) (changed: revision \(revision) of release \(release) went)",
      "by_words item \(release) revision \(revision) (changed: revision \(revision) of release \(release) went)",
      "current item (changed: revision \(revision) of release \(release) went)",
    ]
  }

  private func run(_ bundle: String, _ options: String...) throws {
    let run = try own.run(bundle, options: ["--no-refresh"] + options)
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test(
    "are marked when a release comes, when a revision takes another's place, and when that is rolled back")
  func publish() throws {
    try run("items25a")
    #expect(try views.marks() == came("2025A"))
    try views.clearMarks()
    try run("later/items25a")
    #expect(try views.marks() == (came("2025A", 2) + went("2025A", 1)).sorted())
    try views.clearMarks()
    #expect(try own.command("releases", "rollback", "items", "--no-refresh").status == 0)
    #expect(try views.marks() == (came("2025A", 1) + went("2025A", 2)).sorted())
    try views.clearMarks()
    #expect(try own.command("releases", "rollback", "items", "--no-refresh").status == 0)
    let gone = went("2025A", 1) + ["current rivulet.release (changed: release 2025A of items went)"]
    #expect(try views.marks() == gone.sorted())
    try views.clearMarks()
    #expect(try own.command("releases", "publish", "items", "2025A", "--no-refresh").status == 0)
    #expect(try views.marks() == came("2025A"))
  }

  @Test("are marked when a release is pinned or not any more, and not when nothing changes by it")
  func pin() throws {
    try run("items25a")
    try views.clearMarks()
    #expect(try own.command("releases", "pin", "items", "--clear", "--no-refresh").status == 0)
    #expect(try views.marks() == [])
    #expect(try own.command("releases", "pin", "items", "2025A", "--no-refresh").status == 0)
    #expect(try views.marks() == ["current rivulet.release (changed: items was pinned to 2025A)"])
    #expect(try own.command("releases", "pin", "items", "2025A", "--no-refresh").status == 0)
    #expect(try views.marks().count == 1)
    #expect(try own.command("releases", "pin", "items", "--clear", "--no-refresh").status == 0)
    #expect(try views.marks().last == "current rivulet.release (changed: items was pinned to 2025A)")
    #expect(try views.marks().first == "current rivulet.release (changed: items is pinned no more)")
  }

  @Test(
    "are marked when a published release is dropped, though its table is gone when they are refreshed")
  func drop() throws {
    try run("items25a")
    try views.bundle("items26a", "b001 first", "b002 fourth")
    try run("items26a")
    #expect(try own.command("refresh").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
    #expect(try own.command("releases", "drop", "items", "2025A", "--no-refresh").status == 0)
    #expect(
      try views.marks() == [
        "by_release item 2025A revision gone (changed: release 2025A was dropped)",
        "by_words item 2025A revision gone (changed: release 2025A was dropped)",
        "current item (changed: release 2025A was dropped)",
        "current rivulet.release (changed: release 2025A of items was dropped)",
      ])
    let refresh = try own.command("refresh", "--format", "json").object()
    let done = try #require(refresh["views"] as? [[String: Any]])
    let kinds = done.map { "\($0["view"] ?? "") \($0["kind"] ?? "")" }
    #expect(kinds.contains("own.by_release incremental"), "the release is all it wants to know: \(kinds)")
    #expect(kinds.contains("own.by_words full"), "which words went nobody can say any more: \(kinds)")
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test(
    "are refreshed whole although a table went that an earlier publishing had brought and nobody had looked at"
  )
  func droppedUnseen() throws {
    try run("items25a")
    #expect(try own.command("refresh").status == 0)
    try run("later/items25a")
    #expect(
      try own.command("releases", "drop", "items", "2025A", "--revision", "1", "--no-refresh").status == 0)
    #expect(try own.command("refresh").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test("are not marked by what is rolled back: a publishing that readers kept away")
  func rolledBack() throws {
    try run("items25a", "--no-publish")
    #expect(try views.marks() == ["current rivulet.release (changed: release 2025A of items was staged)"])
    try views.clearMarks()
    let reader = try views.database.connect()
    try reader.execute("BEGIN; SELECT FROM own.item")
    #expect(try own.command("releases", "publish", "items", "2025A").status == 4)
    #expect(try views.marks() == [])
    try reader.execute("COMMIT")
    #expect(try own.command("releases", "publish", "items", "2025A", "--no-refresh").status == 0)
    #expect(try views.marks() == came("2025A"))
  }

  @Test("are exact after whatever moves releases, corrections and replayed records too")
  func exact() throws {
    try own.write("fix", ["FIX1_25a_.csv": "a001,fixed"])
    try own.write("items26a", ["ITEM.csv": "b001,1,first,1.00,,m\nb002,1,other,none,,n"])
    func step(_ outcome: Program.Outcome, _ what: String) throws {
      #expect(outcome.status == 0, "\(what): \(outcome.errors)")
      let wrong = try views.wrong()
      #expect(wrong == [], "\(what)")
      #expect(try views.marks() == [], "\(what)")
    }
    try step(try own.run("items25a"), "publish")
    try step(try own.run("fix"), "amend")
    try step(try own.run("later/items25a", options: ["--force"]), "replace")
    try step(try own.run("items26a", options: ["--max-rejects", "1"]), "another")
    let run = try #require(
      try views.database.value("SELECT max(run) FROM rivulet.run WHERE state = 'published'"))
    let fixed = own.scratch.path + "/fixed.csv"
    try step(try own.command("rejects", "export", run, "-o", fixed), "export")
    let text = try String(contentsOfFile: fixed, encoding: .utf8).replacing("none", with: "9.00")
    try own.scratch.write("fixed.csv", text)
    try step(try own.command("rejects", "replay", run, fixed), "replay")
    #expect(try views.database.value("SELECT items FROM own.by_release WHERE release = '2026A'") == "2")
    try step(try own.command("releases", "pin", "items", "2025A"), "pin")
    try step(try own.command("releases", "rollback", "items"), "rollback")
    try step(try own.command("releases", "pin", "items", "--clear"), "unpin")
    try step(try own.command("releases", "drop", "items", "2025A"), "drop")
  }
}
