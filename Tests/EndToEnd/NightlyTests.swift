import Foundation
import PostgreSQL
import TestSupport
import Testing

/// `rivulet nightly`: what it finds in the watched folders.
@Suite("A night")
struct NightlyTests {
  @Test("loads what is new in the order of releases, corrections after what they correct, and nothing twice")
  func order() throws {
    let night = try Night()
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    try night.put("FIX1_25a_.csv", "a001,corrected")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.put("ITEM_25a_copy.csv", Night.item("a001"))
    let first = try night.pass()
    #expect(
      first.runs == ["2025A published", "2025A published", "2025B published"], "\(first.outcome.errors)")
    #expect(first.outcome.status == 0 && first.problems.isEmpty)
    #expect(try night.own.database.value("SELECT words FROM own.item WHERE code = 'a001'") == "corrected")

    let second = try night.pass()
    #expect(second.outcome.status == 0 && second.runs.isEmpty && second.waiting.isEmpty)
    // The same content under another name is no other file, and one that was loaded by hand is loaded.
    try FileManager.default.copyItem(atPath: night.path("ITEM_25a_.csv"), toPath: night.path("ITEM_25A_.csv"))
    try night.put("ITEM_25c_.csv", Night.item("c001"))
    #expect(try night.own.run("incoming/ITEM_25c_.csv").status == 0)
    try night.put("ITEM_25d_.csv", Night.item("d001"))
    try night.age("ITEM_25A_.csv")
    #expect(try night.pass().runs == ["2025D published"])
  }

  @Test("does not bring a release back that somebody has hidden")
  func rolledBack() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    #expect(try night.pass().runs == ["2025A published"])
    #expect(try night.own.command("releases", "rollback", "items").status == 0)
    let next = try night.pass()
    #expect(next.runs.isEmpty && next.outcome.status == 0)
    #expect(try night.own.database.value("SELECT count(*) FROM own.item") == "0")
  }

  @Test("tells every night of a file that was refused, without loading it again, and goes on with the others")
  func refused() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.bad("a001"))
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    let first = try night.pass()
    #expect(first.runs == ["2025A refused", "2025B published"])
    #expect(first.outcome.status == 3 && first.problems == ["runs 3"])
    #expect(!first.outcome.output.contains("expensive"), "no value leaves the terminal")
    #expect(first.outcome.errors.contains("expensive"), "the log tells what is to be corrected")

    // 2025B was published after the refusal, and what rules compare with is another then.
    #expect(try night.pass().runs == ["2025A refused"])
    for _ in 0..<2 {
      let next = try night.pass()
      #expect(next.runs.isEmpty && next.outcome.status == 3 && next.problems == ["runs 3"])
      #expect(
        next.messages.contains("ITEM_25a_.csv: run 3 has refused it: 1 of 1 records"), "\(next.messages)")
    }
    #expect(try night.own.database.value("SELECT count(*) FROM rivulet.run") == "3")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let corrected = try night.pass()
    #expect(corrected.runs == ["2025A published"] && corrected.outcome.status == 0)
  }

  @Test("loads what was refused again where the schema or the program has changed since")
  func refusedOnce() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.bad("a001"))
    #expect(try night.pass().runs == ["2025A refused"])
    #expect(try night.pass().runs.isEmpty)
    try night.own.scratch.write(
      "Migrations/0002_more.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    #expect(try night.own.command("migrate", "up").status == 0)
    #expect(try night.pass().runs == ["2025A refused"])
    #expect(try night.pass().runs.isEmpty)
    try night.own.database.connect().execute("UPDATE rivulet.run SET program_version = '0.0.1'")
    #expect(try night.pass().runs == ["2025A refused"])
  }

  @Test("leaves a pipeline to who is loading it, and tells it with 4")
  func busyPipeline() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let holder = try night.own.database.connect()
    #expect(try holder.acquireLock("rivulet run items"))
    let busy = try night.pass()
    #expect(busy.outcome.status == 4 && busy.problems == ["runs 4"] && busy.runs.isEmpty, "\(busy.messages)")
    try holder.releaseLock("rivulet run items")
    #expect(try night.pass().runs == ["2025A published"])
  }

  @Test("tries what is refused before anything is loaded again each night, as it costs nothing")
  func noBundle() throws {
    let night = try Night()
    try night.own.scratch.write("incoming/items25a.zip", "this is no archive")
    try night.age("items25a.zip")
    for _ in 0..<2 {
      let summary = try night.pass()
      #expect(summary.outcome.status == 3 && summary.problems == ["runs 3"] && summary.runs.isEmpty)
      #expect(summary.messages.contains("items25a.zip"), "\(summary.messages)")
    }
    #expect(try night.own.database.value("SELECT count(*) FROM rivulet.run") == "0")
  }

  @Test("loads a file again that failed for no reason of its own, or for which the definition has changed")
  func again() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.own.database.connect().execute("ALTER TABLE own.item RENAME TO elsewhere")
    let failed = try night.pass()
    #expect(failed.outcome.status == 5 && failed.problems == ["runs 5"], "\(failed.outcome.output)")
    try night.own.database.connect().execute("ALTER TABLE own.elsewhere RENAME TO item")
    #expect(try night.pass().runs == ["2025A published"])
    try night.own.scratch.write(
      "Pipelines/items/pipeline.yaml", OwnDataset.pipeline + "\nrejects: {allow: 1}\n")
    #expect(try night.pass().runs == ["2025A published"])
    #expect(try night.pass().runs.isEmpty)
  }

  @Test("leaves a file alone that somebody is still writing, and says so")
  func growing() throws {
    let night = try Night("watch: [{pipeline: items, folder: incoming, settle: 30m}]")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    try night.age("ITEM_25b_.csv", seconds: 60)
    let first = try night.pass()
    #expect(first.runs == ["2025A published"] && first.waiting == ["ITEM_25b_.csv"])
    #expect(first.outcome.status == 0, "waiting is no problem")
    try night.age("ITEM_25b_.csv")
    let second = try night.pass()
    #expect(second.runs == ["2025B published"] && second.waiting.isEmpty)
  }

  @Test("goes by the time of the system where a file was copied with one that is still to come")
  func future() throws {
    let night = try Night("watch: [{pipeline: items, folder: incoming, settle: 1s}]")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.age("ITEM_25a_.csv", seconds: -86_400)
    usleep(1_500_000)
    #expect(try night.pass().runs == ["2025A published"])
  }

  @Test("looks at files that fit the pattern only, follows links, and leaves what is no whole file")
  func kinds() throws {
    let night = try Night("watch: [{pipeline: items, folder: incoming, files: 'item*'}]")
    let files = FileManager.default
    for name in [
      "NOTES.txt", ".ITEM_25a_.csv", "ITEM_25a_.csv.part", "ITEM_25a_.csv~", "ITEM_25a_.csv.TMP",
      "ITEMS/ITEM_25a_.csv",
    ] {
      try night.own.write("incoming", [name: Night.item("a001")])
      try night.age(name)
    }
    try night.own.write("elsewhere", ["ITEM_25b_.csv": Night.item("b001")])
    let elsewhere = night.own.scratch.path + "/elsewhere/ITEM_25b_.csv"
    try files.setAttributes([.modificationDate: Date.now.addingTimeInterval(-3600)], ofItemAtPath: elsewhere)
    try files.createSymbolicLink(atPath: night.path("ITEM_25b_.csv"), withDestinationPath: elsewhere)
    mkfifo(night.path("ITEM_25c_.csv"), 0o600)
    let summary = try night.pass()
    #expect(summary.runs == ["2025B published"] && summary.waiting.isEmpty)
    #expect(summary.outcome.status == 0, "\(summary.outcome.output)")
    try files.removeItem(atPath: elsewhere)
    let dangling = try night.pass()
    #expect(
      dangling.outcome.status == 6 && dangling.messages.contains("ITEM_25b_.csv"), "\(dangling.messages)")
  }

  @Test("ends with 6 where a folder is missing, after the files of the others")
  func missingFolder() throws {
    let night = try Night(
      "watch: [{pipeline: items, folder: nowhere}, {pipeline: items, folder: incoming}]")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let summary = try night.pass()
    #expect(summary.outcome.status == 6 && summary.problems == ["runs 6"])
    #expect(summary.runs == ["2025A published"] && summary.messages.contains("nowhere"))
  }

  @Test("ends with 2 where a pipeline's definition is wrong, after the files of the others")
  func brokenDefinition() throws {
    let night = try Night(
      """
      watch: [{pipeline: broken, folder: incoming}, {pipeline: items, folder: incoming}]
      """)
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.own.scratch.write("Pipelines/broken/pipeline.yaml", "pipeline: broken\n")
    let summary = try night.pass()
    #expect(summary.outcome.status == 2 && summary.problems == ["runs 2"])
    #expect(summary.messages.contains("Pipelines/broken/pipeline.yaml:1:1: "), "\(summary.messages)")
    #expect(summary.runs == ["2025A published"])
  }

  @Test("tells of a release that is loaded and waits to be published, and does not load it again")
  func staged() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    #expect(try night.own.run("incoming/ITEM_25a_.csv", options: ["--no-publish"]).status == 0)
    let waiting = try night.pass()
    #expect(waiting.waiting == ["ITEM_25a_.csv"] && waiting.runs.isEmpty && waiting.outcome.status == 4)
    #expect(try night.own.command("releases", "publish", "items", "2025A").status == 0)
    let done = try night.pass()
    #expect(done.waiting.isEmpty && done.runs.isEmpty && done.outcome.status == 0)
  }

  @Test("has nothing to do where nothing is asked for")
  func nothing() throws {
    let summary = try Night("").pass()
    #expect(summary.outcome.status == 0)
    #expect(
      Set(summary.document.keys) == [
        "started_at", "seconds", "runs", "waiting", "views", "retention", "freshness", "problems",
        "exit_code",
      ])
  }

  @Test("ends with 4 where another is at work, and waits for its end where that is asked for")
  func lock() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let holder = try night.own.database.connect()
    #expect(try holder.acquireLock("rivulet nightly"))
    let busy = try night.own.program.run(night.words())
    #expect(busy.status == 4 && busy.errors.contains("another 'rivulet nightly'"), "\(busy.errors)")
    #expect((try busy.object()["error"] as? [String: Any])?["code"] as? Int == 4)

    let waiting = try night.own.program.start(night.words(["--lock-wait", "60"]))
    try #require(
      try night.own.database.finds(
        """
        SELECT FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock(%' AND datname = current_database()
          AND pid <> \(holder.backendID)
        """))
    try holder.releaseLock("rivulet nightly")
    #expect(try Night.Summary(try waiting.wait()).runs == ["2025A published"])
  }

  @Test("writes for people what it did and what is not as it should be")
  func text() throws {
    let night = try Night(Night.watching + "\nfreshness: {items: 120d}")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let outcome = try night.own.command("nightly")
    #expect(outcome.status == 5)
    #expect(outcome.output.contains("run 1: items 2025A revision 1 is published"), "\(outcome.output)")
    #expect(
      outcome.output.contains("freshness (5): items: the current release 2025A is"), "\(outcome.output)")
  }
}
