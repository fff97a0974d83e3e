import Testing

@testable import Diagnosis
@testable import PostgreSQL

/// What is made of a number, without a server.
@Suite("A verdict on a set-up")
struct VerdictTests {
  @Test(
    "on a server's version allows 15 to 18",
    arguments: [
      (140_012, Finding.State.error), (150_018, .ok), (160_000, .ok), (180_001, .ok), (190_000, .warning),
    ])
  func serverVersion(number: Int, state: Finding.State) {
    let finding = SetupCheck.serverVersion(number)
    #expect(finding.state == state)
    #expect(finding.found.hasPrefix("PostgreSQL \(number / 10_000).\(number % 10_000)"))
    #expect((finding.fix == nil) == (state == .ok))
  }

  @Test(
    "on the version of schema 'rivulet'",
    arguments: [(0, Finding.State.warning), (1, .warning), (4, .warning), (5, .ok), (99, .error)])
  func ledger(version: Int, state: Finding.State) {
    #expect(SetupCheck.ledger(version: version).state == state)
  }

  @Test(
    "on clocks allows what nobody sees",
    arguments: [
      (0.2, Finding.State.ok), (-4.9, .ok), (5, .note), (-30, .note), (60, .warning), (-86_400, .warning),
    ])
  func clock(ahead: Double, state: Finding.State) {
    let finding = SetupCheck.clock(ahead: ahead)
    #expect(finding.state == state)
    if state != .ok { #expect(finding.found.contains(ahead > 0 ? "ahead of" : "behind")) }
  }

  @Test(
    "on the age of transactions comes before the server refuses to write",
    arguments: [
      (0, Finding.State.ok), (200_000_000, .ok), (400_000_001, .warning), (1_500_000_001, .error),
    ])
  func wraparound(age: Int, state: Finding.State) {
    #expect(SetupCheck.wraparound(age: age).state == state)
  }

  @Test(
    "on a disk counts what is free",
    arguments: [(0, Finding.State.error), (100_000_000, .warning), (2_000_000_000, .ok)])
  func room(free: Int, state: Finding.State) {
    let finding = SetupCheck.room(for: "downloads", free: free, at: "/var/it's")
    #expect(finding.state == state)
    if let fix = finding.fix { #expect(fix.contains(#"'/var/it'\''s'"#)) }
  }

  @Test("on queues names the views for which a gigabyte waits")
  func queues() {
    #expect(
      SetupCheck.queues([("own.a", 999_999_999), ("own.b", 0)], limit: 999_999_999).map(\.state) == [.ok])
    let large = SetupCheck.queues([("own.a", 1_000_000_000), ("own.b", 0)], limit: 999_999_999)
    #expect(large.map(\.found) == ["1.0 GB wait for own.a"])
    #expect(large.map(\.fix) == ["rivulet refresh own.a"])
  }

  @Test("on a lock minds only a session that asks nothing for an hour")
  func holder() {
    func state(_ state: String?, _ seconds: Double?) -> Finding {
      SetupCheck.finding(
        LockHolder(
          lock: "rivulet run items", isWaiting: false, process: 17, user: "etl", program: "rivulet",
          state: state, seconds: seconds, since: nil))
    }
    #expect(state("active", 90_000).state == .note)
    #expect(state("idle", 3599).state == .note)
    #expect(state(nil, nil).state == .note)
    let lost = state("idle", 3600)
    #expect(lost.state == .warning)
    #expect(
      lost.found == "session 17 (etl, rivulet) has 'rivulet run items', and has asked nothing for 60 min")
    #expect(lost.fix == "SELECT pg_terminate_backend(17);")
  }

  @Test("on a transaction goes by what it does, and for how long; the one in the way is named")
  func transaction() {
    func finding(idle: Bool, _ seconds: Double, blocker: Int? = nil) -> Finding? {
      SetupCheck.finding(
        OpenTransaction(
          session: SessionName(process: 17, user: nil, program: ""), isIdle: idle, seconds: seconds,
          secondsInState: seconds, blocker: blocker))
    }
    #expect(finding(idle: false, 299) == nil)
    #expect(finding(idle: false, 300)?.state == .note)
    #expect(finding(idle: false, 3600)?.state == .warning)
    #expect(finding(idle: true, 0)?.state == .note)
    #expect(finding(idle: true, 300)?.state == .warning)
    #expect(finding(idle: false, 9, blocker: 18)?.state == .note)
    let waits = finding(idle: false, 10, blocker: 18)
    #expect(waits?.state == .warning)
    #expect(waits?.found == "session 17 waits for a lock of session 18 for 10 s")
    #expect(waits?.fix == "SELECT pg_terminate_backend(18);")
  }

  @Test(
    "on a library minds one that is older than the program was built with",
    arguments: [
      ("3.6.2", "3.6.2", false), ("3.6.10", "3.6.9", false), ("3.5.9", "3.6.0", true),
      ("2.9.4", "2.10", true),
      ("3.7.0", "3.6.2", false),
    ])
  func library(running: String, built: String, isOld: Bool) {
    let finding = SetupCheck.finding(
      Library("libarchive", package: "libarchive13", running: running, built: built))
    #expect((finding?.state == .warning) == isOld)
    if isOld { #expect(finding?.fix == "apt-get install --only-upgrade libarchive13") }
  }

  @Test("knows the version of every library that is loaded, as its package has it")
  func libraries() throws {
    for library in Library.all {
      #expect(library.running.numbers.count >= 2, "\(library.name) \(library.running.text)")
      #expect(library.running.numbers.first != 0 || library.name == "libyaml", "\(library.name)")
    }
    #expect(Library.all.count == 7)
  }

  @Test("knows whom GRANT and CREATE POLICY name")
  func grantees() {
    let sql = """
      GRANT SELECT ON own.item TO anon, "Odd Role" WITH GRANT OPTION;
      GRANT USAGE ON SCHEMA own TO PUBLIC; -- TO nobody
      CREATE POLICY mine ON own.item FOR SELECT TO Authenticated USING (code = 'TO some');
      INSERT INTO own.item VALUES ('GRANT ALL TO thieves;');
      CREATE POLICY yours ON own.item TO CURRENT_USER USING (true);
      """
    #expect(SetupCheck.grantees(in: sql) == ["anon", "Odd Role", "authenticated"])
  }

  @Test("knows the extensions that are made, also in a DO block")
  func extensions() {
    let sql = """
      CREATE EXTENSION IF NOT EXISTS "uuid-ossp";
      DO $$ BEGIN create extension PG_Trgm; END $$;
      """
    #expect(SetupCheck.extensions(in: sql) == ["uuid-ossp", "pg_trgm"])
  }

  @Test("has a name of its own for every check, and a reason that is a clause")
  func checks() {
    let names = SetupCheck.all.map(\.name) + SetupCheck.Group.allCases.map(\.rawValue)
    let shared = ["definitions", "server", "rights", "sessions", "tables", "storage", "data", "machine"]
      .filter { name in SetupCheck.all.contains { $0.name == name } }
    // 'rights' is a check of the group of that name.
    #expect(shared == ["rights"])
    #expect(Set(names).count == names.count - shared.count)
    for check in SetupCheck.all { #expect(!check.reason.isEmpty && !check.reason.hasSuffix(".")) }
  }
}
