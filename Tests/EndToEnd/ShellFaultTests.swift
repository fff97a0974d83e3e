import Foundation
import Glibc
import TestSupport
import Testing

/// What a shell, a cron job or a service may lack, or take away.
@Suite("A program that its shell gives little")
struct ShellFaultTests {
  /// The program where a shell does something before.
  private func program(_ database: TestDatabase, _ setup: String) -> Program {
    Program(database: database.url, through: ["bash", "-c", setup + "; exec \"$@\"", "bash"])
  }

  /// How many lines of the content differ from that of the sample release, loaded where nothing was lacking.
  private func expectSample(_ database: TestDatabase, _ what: String) throws -> Int {
    let found = try PublishedContent.digest(of: database) + PublishedContent.leftovers(in: database)
    let lost = try Set(found).symmetricDifference(PublishedContent.digest(of: Self.sample.get()))
    #expect(lost == [], "\(what): \(lost.sorted())")
    return lost.count
  }

  private static let sample = Result { try Loaded.sample().0 }

  @Test(
    "does all that it does with 64 open files, and with a gigabyte of addresses",
    arguments: ["-n 64", "-v 1000000"])
  func enough(limit: String) throws {
    let scratch = try Scratch()
    let database = try TestServer.shared.makeDatabase()
    let program = program(database, "ulimit \(limit)")
    for words in [
      ["migrate", "up"], ["run", "cms-rvu", Sample.path], ["run", "cms-rvu", Sample.path, "--force"],
      ["releases", "rollback", "cms-rvu"], ["refresh", "--full"], ["nightly"], ["doctor", "tables"],
      ["query", "mart.rvu_by_status", "-o", scratch.path + "/rows.csv", "--as", "csv"],
      ["report", "-o", scratch.path + "/report.html"], ["docs", "-o", scratch.path + "/docs"],
    ] {
      let outcome = try program.run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)\(outcome.output)")
    }
    Reliability.record(
      .limit, "`ulimit \(limit)`: ten commands, all of which work", times: 10,
      lost: try expectSample(database, limit))
  }

  @Test(
    "does it or fails where it may open too few files or has too little memory, and the same command works then",
    arguments: ["-n", "-v"])
  func tooLittle(kind: String) throws {
    let limits = kind == "-n" ? [6, 8, 10, 12, 14] : [30_000, 70_000, 90_000, 110_000, 130_000]
    var (failed, lost) = (0, 0)
    for limit in limits {
      let (database, plain) = try Loaded.migrated()
      let what = "ulimit \(kind) \(limit)"
      let outcome = try program(database, what).run("run", "cms-rvu", Sample.path, "-q")
      let published = try database.value("SELECT count(*) FROM rivulet.publication") == "1"
      #expect(published || outcome.status != 0, "\(what): \(outcome.errors)")
      if kind == "-n" && outcome.status != 0 {
        #expect(outcome.status < 128 && outcome.errors.contains("rivulet"), "\(what): \(outcome.errors)")
      }
      if outcome.status != 0 { failed += 1 }
      try plain.run("run", "cms-rvu", Sample.path).succeeded()
      lost += try expectSample(database, what)
      try database.drop()
    }
    #expect(failed > 0, "no limit was too low")
    Reliability.record(.limit, "`ulimit \(kind)` that is too low for a `run`", times: failed, lost: lost)
  }

  @Test(
    "fails with 1 where nobody can read its answer, having done what it was to do, and once",
    arguments: [">&-", "> /dev/full", "<&- >&- 2>&-", "> /dev/full 2> /dev/full"])
  func deaf(redirection: String) throws {
    let (database, plain) = try Loaded.migrated()
    let deaf = Program(
      database: database.url, through: ["bash", "-c", "exec \"$@\" \(redirection)", "bash"])
    let isHeard = !redirection.contains("2>")
    func fail(_ words: String...) throws {
      let outcome = try deaf.run(words)
      #expect(outcome.status == 1, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("standard output") == isHeard, "\(words): \(outcome.errors)")
    }
    try fail("run", "cms-rvu", Sample.path)
    var lost = try expectSample(database, redirection)
    try plain.run("run", "cms-rvu", Sample.path).succeeded(showing: "is unchanged")
    try fail("run", "cms-rvu", Sample.path, "--force", "--format", "json")
    try fail("releases", "rollback", "cms-rvu")
    lost += try expectSample(database, redirection)
    let states = "SELECT string_agg(state, ' ' ORDER BY revision) FROM rivulet.release"
    #expect(try database.value(states) == "published withdrawn")
    for words in [
      ["query", "mart.rvu_by_status"], ["migrate", "status"], ["nightly"], ["version"], ["--help"],
    ] {
      let outcome = try deaf.run(words)
      #expect(outcome.status == 1, "\(words): \(outcome.errors)")
    }
    try plain.run("releases", "publish", "cms-rvu", "2025D").succeeded(showing: "revision 2")
    Reliability.record(.output, "eight commands with `\(redirection)`", times: 8, lost: lost)
  }

  @Test("ends quietly, as by SIGPIPE, where who reads its answer ends, and has done what it was to do")
  func pipe() throws {
    let own = try OwnViews().own
    try own.write("items25a", ["ITEM.csv": (0..<20_000).map { Night.item("\($0)") }.joined(separator: "\n")])
    func piped(_ reader: String) -> Program {
      let words = "\"$@\" | \(reader); exit ${PIPESTATUS[0]}"
      return Program(database: own.database.url, through: ["bash", "-c", words, "bash"])
    }
    // Who reads is gone before the run has anything to say.
    let run = try piped("true").run(["run", "items", own.path("items25a"), "-q"] + own.project)
    #expect(run.status == 128 + SIGPIPE && run.errors == "", "\(run.status): \(run.errors)")
    let found = try own.value("SELECT count(*) FROM own.item")
    #expect(found == "20000")
    let query = ["query", "own.now", "-q"] + own.project
    for words in [["--as", "csv"], ["--as", "json"], ["--as", "ndjson"], ["--format", "json"], []] {
      let outcome = try piped("head -n 1").run(query + words)
      #expect(outcome.status == 128 + SIGPIPE && outcome.errors == "", "\(words): \(outcome.errors)")
      #expect(outcome.output.split(separator: "\n").count == 1)
    }
    #expect(try PublishedContent.leftovers(in: own.database) == [])
    Reliability.record(
      .output, "six commands whose reader ends: `| head -n 1`", times: 6, lost: found == "20000" ? 0 : 1)
  }

  @Test("does the same without any variable: no locale, no TERM, no PATH, no HOME")
  func emptyEnvironment() throws {
    let name = "Übersicht 25a"
    func load(_ starter: [String]) throws -> (content: [String], said: [String]) {
      let own = try OwnViews().own
      try own.edit(
        "Pipelines/items/pipeline.yaml", "pattern: 'items(", to: "pattern: 'Übersicht (")
      try own.write(name, ["ITEM.csv": Night.item("a001", "Ärztin für Öl") + "\n" + Night.item("b001", "名")])
      let variables = starter + (starter.isEmpty ? [] : ["RIVULET_DATABASE_URL=\(own.database.url)"])
      let program = Program(database: own.database.url, through: variables)
      var said: [String] = []
      for words in [
        ["run", "items", own.path(name), "--format", "json"], ["query", "own.now", "--as", "csv"],
        ["runs", "list"], ["releases", "list"], ["refresh"], ["nightly"],
      ] {
        let outcome = try program.run(words + own.project)
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        said.append(words[0] == "query" ? outcome.output : "")
      }
      return (try PublishedContent.digest(of: own.database, schemas: ["own"]), said)
    }
    let (usual, empty) = (try load([]), try load(["env", "-i"]))
    #expect(usual.said[1].contains("Ärztin für Öl") && empty.said[1] == usual.said[1])
    let lost = Set(empty.content).symmetricDifference(usual.content)
    #expect(lost == [], "\(lost)")
    Reliability.record(.environment, "six commands under `env -i`", times: 6, lost: lost.count)
  }

  @Test("at a terminal that has no name writes no escape sequence")
  func noTerminalName() throws {
    let (database, _) = try Loaded.migrated()
    for (starter, isNamed) in [(["env", "-u", "TERM"], false), (["env", "TERM=xterm"], true)] {
      let program = Program(database: database.url, environment: ["NO_COLOR": ""], through: starter)
      let words = ["run", "cms-rvu", Sample.path, "--force", "--no-pager"]
      let outcome = try program.start(words, typing: "", size: (80, 24)).wait().succeeded()
      #expect(outcome.output.contains("\u{1b}") == isNamed, "\(outcome.output)")
    }
    Reliability.record(
      .environment, "`run` at a terminal without TERM", lost: try expectSample(database, "TERM"))
  }
}
