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
    try night.pass("2025A published", "2025A published", "2025B published")
    #expect(try night.value("SELECT words FROM own.item WHERE code = 'a001'") == "corrected")
    try night.pass()
    // The same content under another name is no other file, and one that was loaded by hand is loaded.
    try FileManager.default.copyItem(
      atPath: night.incoming("ITEM_25a_.csv"), toPath: night.incoming("ITEM_25A_.csv"))
    try night.put("ITEM_25c_.csv", Night.item("c001"))
    try night.load("items", "incoming/ITEM_25c_.csv").succeeded()
    try night.put("ITEM_25d_.csv", Night.item("d001"))
    try night.age("ITEM_25A_.csv")
    try night.pass("2025D published")
    // A release that somebody has hidden is not brought back.
    try night.command("releases", "rollback", "items").succeeded()
    try night.pass()
    #expect(try night.value("SELECT count(*) FROM own.item WHERE code = 'd001'") == "0")
    // One that is loaded and waits to be published is reported, and not loaded again.
    try night.put("ITEM_26a_.csv", Night.item("e001"))
    try night.load("items", "incoming/ITEM_26a_.csv", options: ["--no-publish"]).succeeded()
    let waiting = try Night.Summary(night.start().wait())
    #expect(waiting.waiting == ["ITEM_26a_.csv"] && waiting.runs.isEmpty && waiting.outcome.status == 4)
    try night.command("releases", "publish", "items", "2026A").succeeded()
    try night.pass()
  }

  @Test("tells every night of a file that was refused, without loading it again, and goes on with the others")
  func refused() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.bad("a001"))
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    let first = try night.pass("2025A refused", "2025B published", ends: 3, with: "runs 3")
    #expect(!first.outcome.output.contains("expensive"), "no value leaves the terminal")
    #expect(first.outcome.errors.contains("expensive"), "the log tells what is to be corrected")
    // 2025B was published after the refusal, and what rules compare with is another then.
    try night.pass("2025A refused", ends: 3, with: "runs 3")
    for _ in 0..<2 {
      let next = try night.pass(ends: 3, with: "runs 3")
      #expect(
        next.messages.contains("ITEM_25a_.csv: run 3 has refused it: 1 of 1 records"), "\(next.messages)")
    }
    #expect(try night.value("SELECT count(*) FROM rivulet.run") == "3")
    // Once where the schema or the program has changed since.
    try night.scratch.write(
      "Migrations/0002_more.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    try night.command("migrate", "up").succeeded()
    try night.pass("2025A refused", ends: 3, with: "runs 3")
    try night.pass(ends: 3, with: "runs 3")
    try night.database.connect().execute("UPDATE rivulet.run SET program_version = '0.0.1'")
    try night.pass("2025A refused", ends: 3, with: "runs 3")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.pass("2025A published")

    // What is refused before anything is loaded is tried again each night, as it costs nothing.
    let runs = try night.value("SELECT count(*) FROM rivulet.run")
    try night.scratch.write("incoming/items25d.zip", "this is no archive")
    try night.age("items25d.zip")
    for _ in 0..<2 {
      let summary = try night.pass(ends: 3, with: "runs 3")
      #expect(summary.messages.contains("items25d.zip"), "\(summary.messages)")
    }
    #expect(try night.value("SELECT count(*) FROM rivulet.run") == runs)
  }

  @Test("loads a file again that failed for no reason of its own, or for which the definition has changed")
  func again() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    // A pipeline is left to who is loading it.
    let holder = try night.database.connect()
    #expect(try holder.acquireLock("rivulet run items"))
    try night.pass(ends: 4, with: "runs 4")
    try holder.releaseLock("rivulet run items")
    try holder.execute("ALTER TABLE own.item RENAME TO elsewhere")
    #expect(try Night.Summary(night.start().wait()).problems == ["runs 5"])
    try holder.execute("ALTER TABLE own.elsewhere RENAME TO item")
    try night.pass("2025A published")
    try night.edit(
      "Pipelines/items/pipeline.yaml", "publish: release", to: "publish: release\nrejects: {allow: 1}")
    try night.pass("2025A published")
    try night.pass()
  }

  @Test("leaves a file alone that somebody is still writing, and says so, by the time of the system")
  func growing() throws {
    let night = try Night("watch: [{pipeline: items, folder: incoming, settle: 30m}]")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    try night.age("ITEM_25b_.csv", seconds: 60)
    try night.pass("2025A published", waiting: ["ITEM_25b_.csv"])
    try night.age("ITEM_25b_.csv")
    try night.pass("2025B published")
    // Copied with a time that is still to come.
    try night.define("watch: [{pipeline: items, folder: incoming, settle: 1s}]")
    try night.put("ITEM_25c_.csv", Night.item("c001"))
    try night.age("ITEM_25c_.csv", seconds: -86_400)
    usleep(1_500_000)
    try night.pass("2025C published")
  }

  @Test("looks at files that fit the pattern only, follows links, and leaves what is no whole file")
  func kinds() throws {
    let night = try Night("watch: [{pipeline: items, folder: incoming, files: 'item*'}]")
    for name in [
      "NOTES.txt", ".ITEM_25a_.csv", "ITEM_25a_.csv.part", "ITEM_25a_.csv~", "ITEM_25a_.csv.TMP",
      "ITEMS/ITEM_25a_.csv",
    ] { try night.put(name, Night.item("a001")) }
    try night.write("elsewhere", ["ITEM_25b_.csv": Night.item("b001")])
    try night.age("../elsewhere/ITEM_25b_.csv")
    try FileManager.default.createSymbolicLink(
      atPath: night.incoming("ITEM_25b_.csv"), withDestinationPath: night.path("elsewhere/ITEM_25b_.csv"))
    mkfifo(night.incoming("ITEM_25c_.csv"), 0o600)
    try night.pass("2025B published")
    try FileManager.default.removeItem(atPath: night.path("elsewhere/ITEM_25b_.csv"))
    let dangling = try Night.Summary(night.start().wait())
    #expect(
      dangling.outcome.status == 6 && dangling.messages.contains("ITEM_25b_.csv"), "\(dangling.messages)")
  }

  @Test(
    "ends with the code of the most serious problem, each of which is reported, after the files of others")
  func mostSerious() throws {
    let night = try Night(
      "watch: [{pipeline: items, folder: nowhere}, {pipeline: items, folder: incoming}]")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let missing = try night.pass("2025A published", ends: 6, with: "runs 6")
    #expect(missing.messages.contains("nowhere"))
    try night.define("watch: [{pipeline: broken, folder: incoming}, {pipeline: items, folder: incoming}]")
    try night.scratch.write("Pipelines/broken/pipeline.yaml", "pipeline: broken\n")
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    let broken = try night.pass("2025B published", ends: 2, with: "runs 2")
    #expect(broken.messages.contains("Pipelines/broken/pipeline.yaml:1:1: "), "\(broken.messages)")
    try FileManager.default.removeItem(atPath: night.path("Pipelines/broken"))
    try night.define(
      "watch: [{pipeline: items, folder: nowhere}, {pipeline: items, folder: incoming}]\nfreshness: {items: 1d}"
    )
    try night.put("ITEM_25c_.csv", Night.bad("c001"))
    try night.pass("2025C refused", ends: 3, with: "runs 6", "runs 3", "freshness 5")
  }

  @Test("writes for people what it did and what is not as it should be, and has nothing to do unasked")
  func text() throws {
    let night = try Night("")
    #expect(
      try Set(night.pass().document.keys) == [
        "started_at", "seconds", "fetched", "runs", "waiting", "views", "retention", "freshness", "problems",
        "exit_code",
      ])
    try night.define(Night.watching + "\nfreshness: {items: 120d}")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let outcome = try night.command("nightly").failed(5)
    for words in [
      "run 1: items 2025A revision 1 is published", "freshness (5): items: the current release 2025A is",
    ] { #expect(outcome.output.contains(words), "\(outcome.output)") }
  }

  @Test("ends with 4 where another is at work, and waits for its end where that is asked for")
  func lock() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let holder = try night.database.connect()
    #expect(try holder.acquireLock("rivulet nightly"))
    let busy = try night.start().wait().failed(4, saying: "another 'rivulet nightly'")
    #expect(try busy.at("error/code") == "4")
    let waiting = try night.start("--lock-wait", "60")
    try #require(
      try night.database.finds(
        """
        SELECT FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock(%' AND datname = current_database()
          AND pid <> \(holder.backendID)
        """))
    try holder.releaseLock("rivulet nightly")
    #expect(try Night.Summary(try waiting.wait()).runs == ["2025A published"])
  }
}
