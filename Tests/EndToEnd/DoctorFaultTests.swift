import Foundation
import Glibc
import Host
import PostgreSQL
import TestSupport
import Testing

/// Faults that are made for real, found, and gone with what `rivulet doctor` says.
@Suite("A fault that rivulet doctor finds")
struct DoctorFaultTests {
  // MARK: Tables

  @Test(
    "in tables goes with the SQL that it names",
    arguments: [
      (
        "constraints", "warning",
        "ALTER TABLE own.meaning ADD CONSTRAINT named CHECK (code <> '') NOT VALID"
      ),
      ("autovacuum", "warning", "ALTER TABLE own.meaning SET (autovacuum_enabled = off)"),
      (
        "statistics", "note",
        """
        CREATE TABLE own.large WITH (autovacuum_enabled = off) AS
          SELECT repeat('words', 20) FROM generate_series(1, 20000)
        """
      ),
    ])
  func tables(check: String, state: String, fault: String) throws {
    let own = try OwnDataset()
    try own.database.connect().execute(fault)
    try own.expectFixed(check, state, saying: "own.")
  }

  @Test("is an index that could not be made, and one of a constraint whose REINDEX failed")
  func indexes() throws {
    let own = try OwnDataset()
    let connection = try own.database.connect()
    try connection.execute("CREATE TABLE own.twice AS SELECT 1 AS code FROM generate_series(1, 2)")
    #expect(throws: PostgreSQLError.self) {
      try connection.execute("CREATE UNIQUE INDEX CONCURRENTLY \"Twice\" ON own.twice (code)")
    }
    try own.expectFixed("indexes", "warning", saying: #"own."Twice""#)
    try connection.execute(
      """
      CREATE TABLE own.keyed (code int CONSTRAINT keyed_key PRIMARY KEY);
      UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'own.keyed_key'::regclass
      """)
    try own.expectFixed("indexes", "warning", saying: "own.keyed_key")
    #expect(try own.value("SELECT count(*) FROM pg_constraint WHERE conname = 'keyed_key'") == "1")
  }

  // MARK: Server

  @Test("is another time zone in the database, and one that the server does not know")
  func timeZone() throws {
    let own = try OwnDataset()
    try own.scratch.write("rivulet.yaml", "project: own\ntime_zone: America/Chicago\n")
    try own.expectFixed("time-zone", "warning", saying: "America/Chicago", "UTC")
    try own.scratch.write("rivulet.yaml", "project: own\ntime_zone: Nowhere/Special\n")
    #expect(try own.doctor("time-zone").only("time-zone").state == "error")
  }

  @Test("is a time-out that would end a long statement")
  func timeouts() throws {
    let own = try OwnDataset()
    let role = "timed_\(own.database.name)"
    try own.database.connect().execute(
      "CREATE ROLE \(role) LOGIN SUPERUSER; ALTER DATABASE \(own.database.name) SET statement_timeout = '1h'")
    try own.expectFixed(
      "timeouts", "warning", saying: "statement_timeout is 3600000ms",
      as: Program(database: own.database.url(as: role)))
  }

  @Test("is a pooler that gives each transaction another session; the server itself is named")
  func pooler() throws {
    let own = try OwnDataset()
    let pooler = try PgBouncer(mode: "transaction", poolSize: 2, roundRobin: true, to: own.database)
    let found = try own.doctor(as: Program(database: pooler.target.specification))
    #expect(found.problems == ["pooler error"], "\(found.outcome.output)")
    let fix = try #require(try found.only("pooler").fix)
    let words = own.project.joined(separator: " ")
    let answer = try OwnDataset.shell("\(fix); rivulet doctor pooler \(words)")
    #expect(answer.contains("nothing is wrong"), "\(answer)")
  }

  @Test("is an encoding that lacks characters, and an order of texts that has changed")
  func encoding() throws {
    let own = try OwnDataset()
    let connection = try own.database.connect()
    let (ascii, icu) = ("\(own.database.name)a", "\(own.database.name)i")
    try connection.execute("CREATE DATABASE \(ascii) ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try connection.execute(
      "CREATE DATABASE \(icu) LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C.UTF-8' TEMPLATE template0")
    try connection.execute("UPDATE pg_database SET datcollversion = '0' WHERE datname = '\(icu)'")
    func program(_ name: String) -> Program {
      Program(database: own.database.url.replacing(own.database.name, with: name))
    }
    let encoding = try own.doctor("encoding", as: program(ascii)).only("encoding")
    #expect(encoding.state == "error" && encoding.found.contains("SQL_ASCII"))
    // What it names is another database.
    let fix = try #require(encoding.fix)
    try connection.execute(fix)
    #expect(try own.doctor("encoding", as: program(ascii + "_utf8")).only("encoding").state == "ok")
    let collation = try own.doctor("collation", as: program(icu)).only("collation")
    #expect(collation.state == "warning")
    let other = try Connection(
      to: try ConnectionTarget(own.database.url.replacing(own.database.name, with: icu)))
    for statement in (collation.fix ?? "").split(separator: "; ") { try other.execute(String(statement)) }
    #expect(try own.doctor("collation", as: program(icu)).only("collation").state == "ok")
  }

  // MARK: Sessions

  @Test("is a lock that another session holds, which ends with the session")
  func locks() throws {
    let own = try OwnDataset()
    let holder = try own.database.connect()
    #expect(try holder.acquireLock("rivulet run items"))
    let session = try #require(try holder.execute("SELECT pg_backend_pid()").first?[0])
    try own.expectFixed(
      "locks", "note", saying: "session \(session) (rivulet, rivulet)", "'rivulet run items'")
    #expect(holder.isLost)
    #expect(try own.doctor().problems == [])
  }

  @Test("is a transaction that stays open, and the session that others wait for; what is run is not shown")
  func transactions() throws {
    let own = try OwnDataset()
    let idle = try own.database.connect()
    try idle.execute("BEGIN; LOCK TABLE own.meaning")
    let session = try #require(try idle.execute("SELECT pg_backend_pid(), 'CANARY'").first?[0])
    let waiting = Background {
      _ = try? own.database.connect().execute("SELECT count(*) FROM own.meaning WHERE meaning = 'CANARY'")
    }
    #expect(try own.database.findsWaiter(forTable: "own.meaning"))
    let found = try own.doctor("transactions")["transactions"]
    #expect(found.contains { $0.found.hasPrefix("session \(session) ") && $0.found.contains("asks nothing") })
    let waiter = try #require(found.first { $0.found.contains("waits for a lock of session \(session)") })
    try own.paste(try #require(waiter.fix))
    try waiting.wait()
    #expect(try own.doctor("transactions").only("transactions").state == "ok")
  }

  @Test("is a lock on what it reads itself, which does not keep it")
  func lockedLedger() throws {
    let own = try OwnDataset()
    let holder = try own.database.connect()
    try holder.execute("BEGIN; LOCK TABLE rivulet.run, rivulet.setting")
    let found = try own.doctor()
    for check in ["unfinished-runs", "time-zone"] {
      #expect(try found.only(check).state == "warning")
      #expect(try found.only(check).found == "not looked at: another session has locked what it reads")
    }
    #expect(found["indexes"].map(\.state) == ["ok"])
    try holder.execute("ROLLBACK")
    #expect(try own.doctor().problems == [])
  }

  @Test("is a run that was killed, with the tables that it staged; the same run clears them")
  func unfinishedRuns() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a001,1,words,1.00,,a"])
    let barrier = try Barrier(in: own.database)
    let started = try own.start("items25a")
    #expect(try barrier.isReached())
    #expect(try own.doctor("unfinished-runs").only("unfinished-runs").found == "run 1 of items is at work")
    started.signal(SIGKILL)
    _ = try started.wait()
    try barrier.remove()
    // Until the server has seen that the program is gone the run counts as one at work.
    let isFree = """
      SELECT WHERE NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      """
    #expect(try own.database.finds(isFree))
    try own.expectFixed(
      "unfinished-runs", "warning", saying: "run 1 of items ended without a word", "staged tables")
    #expect(try own.leftovers() == "0")
  }

  // MARK: Storage

  @Test("is a revision that rivulet.yaml keeps no longer")
  func retention() throws {
    let night = try Night("retention: {revisions: 180d}")
    for words in ["first", "second"] {
      try night.write("source", ["ITEM_25a_.csv": Night.item("a001", words)])
      try night.load("items", "source/ITEM_25a_.csv").succeeded()
    }
    #expect(try night.doctor("retention").only("retention").state == "ok")
    try night.database.connect().execute(
      "UPDATE rivulet.publication SET published_at = published_at - interval '200 days'")
    try night.expectFixed("retention", "note", saying: "revision 1 of items 2025A")
  }

  @Test(
    "is a full disk under TMPDIR",
    .enabled(if: SmallDevice.isPossible, "needs root and the right to mount a tmpfs"))
  func disk() throws {
    let own = try OwnDataset()
    let device = try SmallDevice(at: own.path("small"), megabytes: 8)
    let program = Program(database: own.database.url, environment: ["TMPDIR": own.path("small")])
    let found = try own.doctor("local-disk", as: program)
    withExtendedLifetime(device) {}
    let full = try #require(found["local-disk"].first { $0.state == "error" })
    #expect(full.found.contains(own.path("small")))
    try OwnDataset.shell(try #require(full.fix))
  }

  // MARK: Definitions

  @Test("is a migration that is pending, edited or missing")
  func migrations() throws {
    let own = try OwnDataset()
    try own.scratch.write(
      "Migrations/0002_more.sql", OwnProject.migration("more", making: "CREATE TABLE more.t (a int);"))
    try own.expectFixed("migrations", "warning", saying: "1 pending: 0002 more")
    try own.edit("Migrations/0002_more.sql", "a int", to: "a int, b int")
    try own.expectFixed("migrations", "error", saying: "0002 more was edited")
    try Files.remove(own.path("Migrations/0002_more.sql"))
    try own.expectFixed("migrations", "error", saying: "0002 more is applied, and its file is missing")
    try own.scratch.write(
      "Migrations/0000_late.sql", OwnProject.migration("late", making: "CREATE TABLE late.t (a int);"))
    try own.expectFixed("migrations", "warning", saying: "1 late: 0000 late")
    try own.scratch.write("Migrations/0003_broken.sql", "CREATE TABLE t ();")
    #expect(try own.doctor("migrations").only("migrations").state == "error")
  }

  @Test("is a folder that is watched and not there, and a program that cannot be run")
  func nightly() throws {
    let night = try Night("watch: [{pipeline: items, folder: elsewhere}]\nnotify: [bin/tell]")
    try night.expectFixed("watched-folders", "error", saying: "elsewhere")
    #expect(try night.doctor("notify").only("notify").state == "error")
    try night.scratch.write("bin/tell", "#!/bin/sh\n")
    try night.expectFixed("notify", "error", saying: "bin/tell")
  }

  // MARK: Machine

  @Test("is a program that a variable names and that is not there")
  func programs() throws {
    let program = Program(environment: ["PAGER": "/nowhere/pager", "RIVULET_PG_BIN": "/nowhere"])
    let found = try Diagnosed(program, ["programs", "--database", "embedded"])["programs"]
    #expect(found.map(\.state).filter { $0 != "ok" } == ["error", "note"])
    #expect(found.contains { $0.found.contains("/nowhere/pager") && $0.fix == "unset PAGER" })
    #expect(found.contains { $0.found.contains("RIVULET_PG_BIN") && $0.fix == "unset RIVULET_PG_BIN" })
  }
}
