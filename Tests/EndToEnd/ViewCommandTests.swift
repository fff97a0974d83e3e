import Foundation
import Host
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

  /// A view over the items by a SELECT.
  private static func view(_ select: String) -> String {
    """
    /* rivulet view
    strategy: full
    description: Fails
    key: [code]
    */
    \(select)
    """
  }

  private static let all = ["own.by_release", "own.by_words", "own.current", "own.now", "own.top"]

  private func members(_ outcome: Program.Outcome, _ key: String) throws -> [[String: Any]] {
    try #require(try outcome.object()[key] as? [[String: Any]], "\(outcome.output) \(outcome.errors)")
  }

  /// Values of members of the views that a command names, as `own.top refreshed`.
  private func listed(_ outcome: Program.Outcome, _ key: String = "views", _ members: String...) throws
    -> [String]
  {
    try self.members(outcome, key).map { item in
      (["view"] + members).map { "\(item[$0] ?? "")" }.joined(separator: " ")
    }
  }

  private func rename() throws {
    try views.database.connect().execute("UPDATE own.item SET words = 'new' WHERE code = 'a001'")
  }

  @Test("refresh after a run what reads it, once for all sources, each view after those it reads, as a stage")
  func run() throws {
    let run = try own.run("items25a", "items26a", options: ["--format", "json"]).succeeded()
    let runs = try members(run, "runs")
    #expect(runs.count == 2 && runs.allSatisfy { ($0["views"] as? [Any])?.isEmpty == true })
    #expect(try listed(run) == ["own.by_release", "own.by_words", "own.current", "own.top"])
    let first = try members(run, "views")[0]
    for key in [
      "view", "strategy", "outcome", "kind", "reason", "groups", "rows_inserted", "rows_updated",
      "rows_deleted", "rows_changed", "seconds", "error",
    ] { #expect(first[key] != nil, "\(key)") }
    #expect(first["outcome"] as? String == "refreshed" && first["rows_changed"] as? Int == 2)
    #expect(run.errors.contains("own.top: all in"), "\(run.errors)")
    try views.expectExact()
    let again = try own.run("items25a", options: ["--format", "json"])
    #expect(try again.object()["state"] as? String == "unchanged" && members(again, "views").isEmpty)
    let text = try own.run("items25a", options: ["--force"])
    #expect(text.output.contains("refresh, ") && text.output.contains("own.by_words"), "\(text.output)")
    let forced = try own.run("items26a", options: ["--force", "--format", "json"])
    #expect(try members(forced, "stages").last?["stage"] as? String == "refresh")
  }

  @Test("refresh what reads the code lists that a run has written, too")
  func lists() throws {
    try views.write(
      "own.marks", OwnProject.view(by: "", "SELECT count(*) AS marks FROM own.meaning"))
    try views.make()
    let run = try own.run("items25a", options: ["--format", "json"]).succeeded()
    #expect(try listed(run).contains("own.marks"))
    try views.expectExact()
    #expect(try own.command("refresh", "--check", "--stale").output == "no view is stale\n")
  }

  @Test("leave views behind where that is asked for, say so, and refresh them by the same command")
  func noRefresh() throws {
    let run = try own.run("items25a", options: ["--no-refresh"]).succeeded()
    #expect(run.errors.contains("left behind: own.by_release, own.by_words, own.current"), "\(run.errors)")
    // What is on top shows what is below.
    try views.expectExact(but: "own.by_release", "own.by_words", "own.current")
    try own.command("refresh", "--check", "--stale").failed(5)
    // So it is after a kill between publishing and refreshing.
    try own.run("items25a").succeeded()
    try views.expectExact()
    #expect(try own.command("refresh", "--check", "--stale").output == "no view is stale\n")
  }

  @Test("keep a release published whose views cannot be refreshed, and say which and how to go on")
  func failed() throws {
    try views.write(
      "own.fragile",
      Self.view("SELECT code, 1 / (CASE words WHEN 'nought' THEN 0 ELSE 1 END) AS n FROM own.item"))
    try views.make()
    let run = try own.run("items26a", options: ["--format", "json"]).failed(1)
    let document = try run.object()
    #expect(document["state"] as? String == "published")
    let error = try #require(document["error"] as? [String: Any])
    let message = try #require(error["message"] as? String)
    #expect(
      message.hasPrefix("items 2026A is published, and stays so; but own.fragile could not be refreshed"))
    #expect((error["hint"] as? String)?.contains("rivulet refresh own.fragile") == true)
    #expect(!run.errors.contains("nought"), "a value of a row: \(run.errors)")
    let refresh = try own.command("refresh", "--format", "json").failed(1)
    let outcomes = try listed(refresh, "views", "outcome")
    #expect(outcomes.contains("own.fragile failed") && outcomes.contains("own.top unchanged"), "\(outcomes)")
    try own.command("releases", "rollback", "items", "--format", "json").succeeded()
    try views.expectExact()
  }

  @Test("refresh what the sources before a failed one have published")
  func partly() throws {
    try own.write("items28a", ["ITEM.csv": "c001,1,first,none,,m"])
    let later = try own.run("items25a", "items28a", options: ["--format", "json"]).failed(3)
    #expect(
      try listed(later, "views", "outcome")
        == Self.all.filter { $0 != "own.now" }.map { "\($0) refreshed" })
    try views.expectExact()
  }

  @Test("check definitions against the database, with the place of each mistake and what would be slow")
  func check() throws {
    try own.run("items25a").succeeded()
    let good = try own.command("views", "check", "--format", "json").succeeded()
    #expect(try good.object()["checked"] as? [String] == Self.all)
    let warnings = try members(good, "warnings").map { $0["message"] as? String ?? "" }
    #expect(
      warnings.contains { $0.contains("own.item") }, "by words, of which there is no index: \(warnings)")
    try views.write("own.wrong", Self.view("SELECT code,\n  wordz FROM own.item"))
    let bad = try own.command("views", "check", "--format", "json").failed(2)
    #expect(try listed(bad, "errors", "line", "column") == ["own.wrong 7 3"])
    let list = try members(own.command("views", "list", "--format", "json"), "views")
    let unmade = try #require(list.first { $0["view"] as? String == "own.wrong" })
    #expect(
      unmade["stale"] as? Bool == true && (unmade["behind"] as? [String])?.first?.contains("not made") == true
    )
    let refresh = try own.command("refresh", "own.wrong").failed(5, saying: "migrate up")
    #expect(refresh.output == "", "nothing of there being no view: \(refresh.output)")
    let all = try own.command("refresh", "--format", "json").failed(5, saying: "own.wrong")
    let outcomes = try listed(all, "views", "outcome")
    #expect(outcomes.first == "own.wrong failed" && outcomes.contains("own.top unchanged"), "\(outcomes)")
  }

  @Test(
    "say of stored views what is behind and why, of live ones that they are live, and show a view with its definition, what it reads, what reads it, and its last refreshes; and compute everything on demand"
  )
  func list() throws {
    try own.run("items25a").succeeded()
    let exact = try members(own.command("views", "list", "--format", "json"), "views")
    #expect(exact.map { $0["view"] as? String } == Self.all)
    #expect(
      exact.allSatisfy { $0["stale"] as? Bool == false && ($0["behind"] as? [String])?.isEmpty == true })
    #expect(
      exact[1]["rows"] as? Int == 2 && exact[1]["pending"] as? Int == 0 && exact[1]["last_seconds"] is Double)
    #expect(exact[3]["rows"] is NSNull && exact[3]["strategy"] as? String == "live")
    try rename()
    let list = try own.command("views", "list").output
    #expect(list.contains("own.by_words is stale: 2 changed rows of own.item"), "\(list)")
    #expect(list.contains("own.top is stale: own.by_words, which it reads, is behind"), "\(list)")
    let sizes = try members(own.command("views", "list", "--format", "json"), "views").map {
      $0["queue_bytes"] as? Int
    }
    #expect(sizes[3] == nil && sizes.compactMap(\.self).max() ?? 0 > 0, "none of a live one: \(sizes)")
    #expect(!list.contains("of changes wait"))
    let settings = try String(contentsOfFile: own.scratch.path + "/rivulet.yaml", encoding: .utf8)
    try own.scratch.write("rivulet.yaml", settings + "\nqueue_limit: 1 kB\n")
    let warned = try own.command("views", "list").output
    #expect(
      warned.contains("kB of changes wait; 'rivulet refresh own.by_words' takes them in"), "\(warned)")
    let check = try own.command("refresh", "--check", "--format", "json").failed(5)
    #expect(try listed(check, "stale").contains("own.top"))
    try own.command("refresh", "--stale").succeeded()
    try views.expectExact()

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
    try own.command("views", "show", "own.by_word").failed(2, saying: "did you mean 'own.by_words'?")

    try views.database.connect().execute("DELETE FROM own.by_words")
    try own.command("refresh", "own.by_words", "--full").succeeded()
    try views.expectExact()
  }

  @Test("find what is not as its SELECT gives it, with how to put it right and no value, and refresh nothing")
  func byHand() throws {
    try own.run("items25a").succeeded()
    let good = try own.command("refresh", "--check").succeeded()
    #expect(good.output.contains("own.by_words    exact"), "\(good.output)")
    try views.database.connect().execute("UPDATE own.by_words SET items = 7777 WHERE words = 'second'")
    let bad = try own.command("refresh", "--check").failed(5)
    #expect(
      bad.output.contains(
        "own.by_words: it is not what its SELECT gives; 'rivulet refresh --full own.by_words' computes all of it"
      ),
      "\(bad.output)")
    #expect(!bad.output.contains("7777") && !bad.errors.contains("7777"))
    let check = try own.command("refresh", "--check", "--format", "json").failed(5)
    #expect(
      try listed(check, "views", "outcome", "rows_changed", "hint") == [
        "own.by_release exact 0 <null>",
        "own.by_words different 1 rivulet refresh --full own.by_words", "own.current exact 0 <null>",
        "own.top behind 0 <null>",
      ])
    try own.command("refresh", "--check", "own.current").succeeded()
    try own.command("refresh", "--full", "own.by_words").succeeded()
    try own.command("refresh").succeeded()
    try own.command("refresh", "--check").succeeded()
  }

  @Test("say which view could not be compared, and why")
  func incomparable() throws {
    try own.run("items25a").succeeded()
    try rename()
    let other = try views.database.connect()
    #expect(try other.acquireLock("rivulet view own.by_words"))
    try own.command("refresh", "--check", "own.by_words").failed(
      4, saying: "own.by_words could not be compared: another refresh")
  }

  @Test(
    "refuse what cannot be meant, before anything is refreshed, and read of a named view's project only its file and those of what it reads"
  )
  func named() throws {
    func refused(_ words: [String], _ message: String) throws {
      try own.program.run(["refresh"] + words + ["--project", own.scratch.path]).failed(2, saying: message)
    }
    try refused(["own.by_word"], "did you mean 'own.by_words'?")
    try refused(["own.now"], "own.now is live")
    for date in ["2025-02-30", "tomorrow"] { try refused(["--on", date], "--on takes a date") }
    try refused(["--check", "--full"], "exclude each other")

    try own.run("items25a").succeeded()
    try rename()
    try views.write("own.current", "no view at all")
    let top = try own.command("refresh", "own.top", "--format", "json").succeeded()
    #expect(try listed(top) == ["own.by_words", "own.top"])
    for words in [[], ["own.current"], ["own.tops"]] { try refused(words, "own.current.sql") }
    try views.write("own.by_words", "no view at all")
    try refused(["own.top"], "own.by_words.sql")
  }

  @Test("wait after a run for another refresh of a view that reads it, longer than a refresh alone would")
  func waiting() throws {
    let other = try views.database.connect()
    #expect(try other.acquireLock("rivulet view own.by_words"))
    let run = try own.program.start(
      ["run", "items", own.path("items25a"), "--progress", "plain"] + own.project)
    try #require(try run.says("own.by_words, waiting for another refresh"))
    Machine.sleep(seconds: Connection.leastLockWait + 1)
    try other.releaseLock("rivulet view own.by_words")
    try run.wait().succeeded()
    #expect(try own.value("SELECT count(*) FROM own.by_words") == "2")
  }

  @Test("give way to another refresh of the view, with 4")
  func busy() throws {
    try own.run("items25a").succeeded()
    let other = try views.database.connect()
    #expect(try other.acquireLock("rivulet view own.by_words"))
    try own.command("refresh", "own.by_words").failed(4, saying: "--lock-wait")
    // Where all are to be brought up to date, one that is so is not waited for.
    try own.command("refresh").succeeded()
    // What reads it cannot be brought up to date without it.
    try rename()
    try own.command("refresh").failed(4)
    try other.releaseLock("rivulet view own.by_words")
    try own.command("refresh").succeeded()
  }
}
