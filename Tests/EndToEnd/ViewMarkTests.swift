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

  /// Runs a command on releases that refreshes nothing, and looks at the marks that it leaves.
  private func expect(_ words: String..., marks: [String], at place: SourceLocation = #_sourceLocation) throws
  {
    try own.program.run(["releases"] + words + ["--no-refresh", "--project", own.scratch.path])
      .succeeded(at: place)
    #expect(try views.marks() == marks.sorted(), "\(words)", sourceLocation: place)
  }

  private func run(_ bundle: String, _ options: String...) throws {
    try own.run(bundle, options: ["--no-refresh"] + options).succeeded()
  }

  @Test(
    "are marked when a release comes, another revision takes its place, and that is rolled back, and when it is pinned or not any more; not by what is rolled back or changes nothing"
  )
  func marks() throws {
    try run("items25a", "--no-publish")
    #expect(try views.marks() == ["current rivulet.release (changed: release 2025A of items was staged)"])
    // Readers keep a publishing away.
    let reader = try views.database.connect()
    try reader.execute("BEGIN; SELECT FROM own.item")
    try own.command("releases", "publish", "items", "2025A").failed(4)
    #expect(try views.marks() == [])
    try reader.execute("COMMIT")
    try expect("publish", "items", "2025A", marks: came("2025A"))
    try run("later/items25a")
    #expect(try views.marks() == (came("2025A", 2) + went("2025A", 1)).sorted())
    try expect("rollback", "items", marks: came("2025A", 1) + went("2025A", 2))
    let gone = "current rivulet.release (changed: release 2025A of items went)"
    try expect("rollback", "items", marks: went("2025A", 1) + [gone])
    try expect("publish", "items", "2025A", marks: came("2025A"))
    try expect("pin", "items", "--clear", marks: [])
    let pinned = "current rivulet.release (changed: items was pinned to 2025A)"
    for marks in [[pinned], []] { try expect("pin", "items", "2025A", marks: marks) }
    try expect(
      "pin", "items", "--clear", marks: ["current rivulet.release (changed: items is pinned no more)"])
  }

  @Test("are marked where they read a table that the releases' own is a partition of")
  func above() throws {
    try views.database.connect().execute(
      """
      CREATE TABLE own.every (LIKE own.item) PARTITION BY HASH (code);
      ALTER TABLE own.every ATTACH PARTITION own.item FOR VALUES WITH (MODULUS 1, REMAINDER 0)
      """)
    try views.write(
      "own.by_word",
      OwnProject.view(
        by: "words", of: "own.every",
        "SELECT words, count(*) AS items FROM {keys} k JOIN own.every i USING (words) GROUP BY 1"))
    try views.make()
    for bundle in ["items25a", "later/items25a"] {
      try own.run(bundle).succeeded()
      try own.command("refresh").succeeded()
      try views.expectExact()
    }
    try own.command("releases", "rollback", "items", "--yes").succeeded()
    try own.command("refresh").succeeded()
    try views.expectExact()
  }

  @Test(
    "are marked when a published release is dropped, though its table is gone when they are refreshed, or one that an earlier publishing had brought and nobody had looked at"
  )
  func drop() throws {
    try run("items25a")
    try views.bundle("items26a", "b001 first", "b002 fourth")
    try run("items26a")
    try own.command("refresh").succeeded()
    try views.expectExact()
    try own.command("releases", "drop", "items", "2025A", "--no-refresh").succeeded()
    #expect(
      try views.marks(keeping: true) == [
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
    try views.expectExact()
    // The same of a table that an earlier publishing has brought, and nobody has looked at.
    try run("items25a")
    try own.command("refresh").succeeded()
    try run("later/items25a")
    let old = try #require(
      try views.database.value("SELECT revision FROM rivulet.release WHERE state = 'superseded'"))
    try own.command("releases", "drop", "items", "2025A", "--revision", old, "--no-refresh").succeeded()
    try own.command("refresh").succeeded()
    try views.expectExact()
  }

  @Test("are exact after whatever moves releases, corrections and replayed records too")
  func exact() throws {
    try own.write("fix", ["FIX1_25a_.csv": "a001,fixed"])
    try own.write("items26a", ["ITEM.csv": "b001,1,first,1.00,,m\nb002,1,other,none,,n"])
    func step(_ outcome: Program.Outcome, at place: SourceLocation = #_sourceLocation) throws {
      try outcome.succeeded(at: place)
      try views.expectExact(at: place)
      #expect(try views.marks() == [], sourceLocation: place)
    }
    try step(own.run("items25a"))
    try step(own.run("fix"))
    try step(own.run("later/items25a", options: ["--force"]))
    try step(own.run("items26a", options: ["--max-rejects", "1"]))
    let run = try #require(
      try views.database.value("SELECT max(run) FROM rivulet.run WHERE state = 'published'"))
    let fixed = own.scratch.path + "/fixed.csv"
    try step(own.command("rejects", "export", run, "-o", fixed))
    let text = try String(contentsOfFile: fixed, encoding: .utf8).replacing("none", with: "9.00")
    try own.scratch.write("fixed.csv", text)
    try step(own.command("rejects", "replay", run, fixed))
    #expect(try views.database.value("SELECT items FROM own.by_release WHERE release = '2026A'") == "2")
    try step(own.command("releases", "pin", "items", "2025A"))
    try step(own.command("releases", "rollback", "items"))
    try step(own.command("releases", "pin", "items", "--clear"))
    try step(own.command("releases", "drop", "items", "2025A"))
  }
}
