import Foundation
import PostgreSQL
import TestSupport
import Testing

/// `refresh`, `views`, and what `run` does of them.
@Suite("The commands for views")
struct ViewCommandTests {
  private let views: OwnViews
  private var own: OwnDataset { views.own }

  init() throws {
    views = try OwnViews()
    try views.bundle("items25a", "a001 first", "a002 second")
    try views.bundle("items26a", "b001 first", "b002 nought")
  }

  /// A view whose SELECT fails where an item is called `nought`.
  private static let fragile = """
    /* rivulet view
    strategy: full
    description: Fails
    key: [code]
    */
    SELECT code, 1 / (CASE words WHEN 'nought' THEN 0 ELSE 1 END) AS n FROM own.item
    """

  private func members(_ outcome: Program.Outcome, _ key: String) throws -> [[String: Any]] {
    try #require(try outcome.object()[key] as? [[String: Any]], "\(outcome.output) \(outcome.errors)")
  }

  @Test("refresh after a run what reads it, once for all sources, each view after those it reads")
  func run() throws {
    let run = try own.run("items25a", "items26a", options: ["--format", "json"])
    #expect(run.status == 0, "\(run.errors)")
    let runs = try members(run, "runs")
    #expect(runs.count == 2 && runs.allSatisfy { ($0["views"] as? [Any])?.isEmpty == true })
    let done = try members(run, "views")
    #expect(
      done.map { $0["view"] as? String } == ["own.by_release", "own.by_words", "own.current", "own.top"])
    for key in [
      "view", "strategy", "outcome", "kind", "reason", "groups", "rows_inserted", "rows_updated",
      "rows_deleted",
      "rows_changed", "seconds", "error",
    ] {
      #expect(done[0][key] != nil, "\(key)")
    }
    #expect(done[0]["outcome"] as? String == "refreshed" && done[0]["rows_changed"] as? Int == 2)
    #expect(run.errors.contains("own.top: all in"), "\(run.errors)")
    #expect(try views.wrong().joined(separator: " ") == "")

    let again = try own.run("items25a", options: ["--format", "json"]).object()
    #expect(again["state"] as? String == "unchanged" && (again["views"] as? [Any])?.isEmpty == true)
  }

  @Test("report the refresh as a stage of a run, in text and JSON")
  func stage() throws {
    let text = try own.run("items25a")
    #expect(text.output.contains("refresh, ") && text.output.contains("own.by_words"), "\(text.output)")
    let document = try own.run("items26a", options: ["--format", "json"]).object()
    let stages = try #require(document["stages"] as? [[String: Any]]).map { $0["stage"] as? String }
    #expect(stages.last == "refresh")
  }

  @Test("leave views behind where that is asked for, say so, and refresh them by the same command")
  func noRefresh() throws {
    let run = try own.run("items25a", options: ["--no-refresh"])
    #expect(
      run.status == 0 && run.errors.contains("left behind: own.by_release, own.by_words, own.current"),
      "\(run.errors)")
    #expect(
      try views.wrong() == ["own.by_release", "own.by_words", "own.current"],
      "what is on top shows what is below")
    #expect(try own.command("refresh", "--check").status == 5)
    // So it is after a kill between publishing and refreshing.
    #expect(try own.run("items25a").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
    #expect(try own.command("refresh", "--check").output == "no view is stale\n")
  }

  @Test("keep a release published whose views cannot be refreshed, and say which and how to go on")
  func failed() throws {
    try views.write("own.fragile", Self.fragile)
    try views.make()
    let run = try own.run("items26a", options: ["--format", "json"])
    #expect(run.status == 1, "\(run.errors)")
    let document = try run.object()
    #expect(document["state"] as? String == "published")
    let error = try #require(document["error"] as? [String: Any])
    let message = try #require(error["message"] as? String)
    #expect(
      message.hasPrefix("items 2026A is published, and stays so; but own.fragile could not be refreshed"))
    #expect((error["hint"] as? String)?.contains("rivulet refresh own.fragile") == true)
    #expect(!run.errors.contains("nought"), "a value of a row: \(run.errors)")
    let refresh = try own.command("refresh", "--format", "json")
    #expect(refresh.status == 1)
    let outcomes = try members(refresh, "views").map { "\($0["view"] ?? "") \($0["outcome"] ?? "")" }
    #expect(outcomes.contains("own.fragile failed") && outcomes.contains("own.top unchanged"), "\(outcomes)")
    let rollback = try own.command("releases", "rollback", "items", "--format", "json")
    #expect(rollback.status == 0, "\(rollback.errors)")
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test("refresh what the sources before a failed one have published")
  func partly() throws {
    try own.write("items28a", ["ITEM.csv": "c001,1,first,none,,m"])
    let later = try own.run("items25a", "items28a", options: ["--format", "json"])
    #expect(later.status == 3, "\(later.errors)")
    let done = try members(later, "views").map { $0["outcome"] as? String }
    #expect(done == ["refreshed", "refreshed", "refreshed", "refreshed"])
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test("check definitions against the database, with the place of each mistake and what would be slow")
  func check() throws {
    #expect(try own.run("items25a").status == 0)
    let good = try own.command("views", "check", "--format", "json")
    #expect(good.status == 0, "\(good.errors)")
    #expect(
      try good.object()["checked"] as? [String] == [
        "own.by_release", "own.by_words", "own.current", "own.now", "own.top",
      ])
    let warnings = try members(good, "warnings").map { $0["message"] as? String ?? "" }
    #expect(
      warnings.contains { $0.contains("own.item") }, "by words, of which there is no index: \(warnings)")
    try views.write(
      "own.wrong",
      """
      /* rivulet view
      strategy: full
      description: Wrong
      key: [code]
      */
      SELECT code,
        wordz FROM own.item
      """)
    let bad = try own.command("views", "check", "--format", "json")
    #expect(bad.status == 2)
    let problems = try members(bad, "errors")
    #expect(problems.map { $0["view"] as? String } == ["own.wrong"])
    #expect(problems.first?["line"] as? Int == 7 && problems.first?["column"] as? Int == 3, "\(problems)")
    let list = try members(own.command("views", "list", "--format", "json"), "views")
    let unmade = try #require(list.first { $0["view"] as? String == "own.wrong" })
    #expect(
      unmade["stale"] as? Bool == true && (unmade["behind"] as? [String])?.first?.contains("not made") == true
    )
    let refresh = try own.command("refresh", "own.wrong")
    #expect(refresh.status == 5 && refresh.errors.contains("migrate up"), "\(refresh.errors)")
    #expect(refresh.output == "", "nothing of there being no view: \(refresh.output)")
    let all = try own.command("refresh", "--format", "json")
    #expect(all.status == 5 && all.errors.contains("own.wrong"), "\(all.errors)")
    let outcomes = try members(all, "views").map { "\($0["view"] ?? "") \($0["outcome"] ?? "")" }
    #expect(outcomes.first == "own.wrong failed" && outcomes.contains("own.top unchanged"), "\(outcomes)")
  }

  @Test("say of stored views what is behind and why, and of live ones that they are live")
  func list() throws {
    #expect(try own.run("items25a").status == 0)
    let exact = try members(own.command("views", "list", "--format", "json"), "views")
    #expect(
      exact.map { $0["view"] as? String } == [
        "own.by_release", "own.by_words", "own.current", "own.now", "own.top",
      ])
    #expect(
      exact.allSatisfy { $0["stale"] as? Bool == false && ($0["behind"] as? [String])?.isEmpty == true })
    #expect(
      exact[1]["rows"] as? Int == 2 && exact[1]["pending"] as? Int == 0 && exact[1]["last_seconds"] is Double)
    #expect(exact[3]["rows"] is NSNull && exact[3]["strategy"] as? String == "live")
    try views.database.connect().execute("UPDATE own.item SET words = 'new' WHERE code = 'a001'")
    let text = try own.command("views", "list").output
    #expect(text.contains("own.by_words is stale: 2 changed rows of own.item"), "\(text)")
    #expect(text.contains("own.top is stale: own.by_words, which it reads, is behind"), "\(text)")
    let check = try own.command("refresh", "--check", "--format", "json")
    #expect(check.status == 5)
    #expect(try members(check, "stale").map { $0["view"] as? String }.contains("own.top"))
    #expect(try own.command("refresh", "--stale").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test("show a view with its definition, what it reads, what reads it, and its last refreshes")
  func show() throws {
    #expect(try own.run("items25a").status == 0)
    let view = try own.command("views", "show", "own.by_words", "--format", "json").object()
    let sources = try #require(view["sources"] as? [[String: Any]])
    #expect(sources.map { $0["source"] as? String } == ["own.item"])
    #expect(sources[0]["capture"] as? [String] == ["words"] && sources[0]["change"] as? String == "groups")
    #expect(view["read_by"] as? [String] == ["own.top"])
    #expect((view["definition"] as? String)?.contains("{keys}") == true)
    #expect((view["indexes"] as? [String])?.count == 1)
    #expect((view["refreshes"] as? [Any])?.isEmpty == false)
    let text = try own.command("views", "show", "own.by_words").output
    #expect(text.contains("SELECT words, count(*)") && text.contains("own.top"), "\(text)")
    let unknown = try own.command("views", "show", "own.by_word")
    #expect(
      unknown.status == 2 && unknown.errors.contains("did you mean 'own.by_words'?"), "\(unknown.errors)")
  }

  @Test(
    "refuse what cannot be meant, before anything is refreshed",
    arguments: [
      (["own.by_word"], "did you mean 'own.by_words'?"), (["own.now"], "own.now is live"),
      (["--on", "2025-02-30"], "--on takes a date"), (["--on", "tomorrow"], "--on takes a date"),
      (["--check", "--full"], "exclude each other"),
    ])
  func refused(words: [String], message: String) throws {
    let outcome = try own.program.run(["refresh"] + words + ["--project", own.scratch.path])
    #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("compute everything of one view, and what it reads, on demand")
  func full() throws {
    #expect(try own.run("items25a").status == 0)
    try views.database.connect().execute("DELETE FROM own.by_words")
    #expect(try own.command("refresh", "own.by_words", "--full").status == 0)
    #expect(try views.wrong().joined(separator: " ") == "")
  }

  @Test("read of a named view's project only its file and those of what it reads")
  func named() throws {
    #expect(try own.run("items25a").status == 0)
    try views.database.connect().execute("UPDATE own.item SET words = 'new' WHERE code = 'a001'")
    try views.write("own.current", "no view at all")
    let top = try own.command("refresh", "own.top", "--format", "json")
    #expect(top.status == 0, "\(top.errors)")
    #expect(try members(top, "views").map { $0["view"] as? String } == ["own.by_words", "own.top"])
    for words in [[], ["own.current"], ["own.tops"]] {
      let all = try own.program.run(
        ["refresh"] + words + ["--project", own.scratch.path, "--database", views.database.url])
      #expect(all.status == 2 && all.errors.contains("own.current.sql"), "\(words): \(all.errors)")
    }
    try views.write("own.by_words", "no view at all")
    let broken = try own.command("refresh", "own.top")
    #expect(broken.status == 2 && broken.errors.contains("own.by_words.sql"), "\(broken.errors)")
  }

  @Test("give way to another refresh of the view, with 4")
  func busy() throws {
    #expect(try own.run("items25a").status == 0)
    let other = try views.database.connect()
    #expect(try other.acquireLock("rivulet view own.by_words"))
    let busy = try own.command("refresh", "own.by_words")
    #expect(busy.status == 4 && busy.errors.contains("--lock-wait"), "\(busy.errors)")
    // Where all are to be brought up to date, one that is so is not waited for.
    #expect(try own.command("refresh").status == 0)
    // What reads it cannot be brought up to date without it.
    try other.execute("UPDATE own.item SET words = 'new' WHERE code = 'a001'")
    #expect(try own.command("refresh").status == 4)
    try other.releaseLock("rivulet view own.by_words")
    #expect(try own.command("refresh").status == 0)
  }
}
