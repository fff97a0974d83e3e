import Foundation
import Glibc
import Host
import TestSupport
import Testing

/// How a night ends: who is found, and what is left where it is ended from outside.
@Suite("The end of a night")
struct NightlyEndTests {
  /// A program that keeps what it gets, and what it writes; then it ends with a code.
  private func listener(_ night: Night, status: Int = 0) throws -> String {
    let program = try night.own.scratch.write(
      "bin/tell", "#!/bin/sh\ncat > \"$(dirname \"$0\")/heard-$1.json\"\necho heard it\nexit \(status)\n")
    chmod(program, 0o755)
    return "\nnotify: [bin/tell, night]"
  }

  private func found(_ night: Night) throws -> [String: Any]? {
    guard let data = FileManager.default.contents(atPath: night.own.scratch.path + "/bin/heard-night.json")
    else {
      return nil
    }
    return try JSONSerialization.jsonObject(with: data) as? [String: Any]
  }

  private func project(_ night: Night, _ rules: String) throws {
    try night.own.scratch.write("rivulet.yaml", "project: own\ntime_zone: UTC\n" + rules)
  }

  @Test("is reported to the program that is to know, with the whole summary, where something is wrong")
  func notified() throws {
    let night = try Night("")
    try project(night, Night.watching + listener(night) + "\nfreshness: {items: 3650d}")
    // More than a pipe would take at once.
    for index in 0..<200 {
      let name = "items25a\(String(repeating: "long", count: 40))\(index).zip"
      try night.put(name, "no archive \(index)")
      try night.age(name)
    }
    let summary = try night.pass()
    #expect(summary.outcome.status == 3, "\(summary.outcome.errors)")
    let found = try #require(try found(night))
    #expect(summary.outcome.output.utf8.count > 65_536)
    #expect(NSDictionary(dictionary: found) == NSDictionary(dictionary: summary.document))
  }

  @Test("is reported to nobody where all is well")
  func unnotified() throws {
    let night = try Night("")
    try project(night, Night.watching + listener(night))
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    #expect(try night.pass().outcome.status == 0)
    #expect(try found(night) == nil)
  }

  @Test("is the same where the program that is to know fails or is not there, which is reported")
  func deaf() throws {
    let night = try Night("")
    try project(night, "watch: [{pipeline: items, folder: nowhere}]" + listener(night, status: 7))
    let summary = try night.pass()
    #expect(summary.outcome.status == 6)
    #expect(summary.outcome.errors.contains("bin/tell' ended with 7: heard it"), "\(summary.outcome.errors)")
    try project(night, "watch: [{pipeline: items, folder: nowhere}]\nnotify: [bin/nobody]")
    let other = try night.pass()
    #expect(
      other.outcome.status == 6 && other.outcome.errors.contains("bin/nobody"), "\(other.outcome.errors)")
  }

  @Test("comes with a summary and a word to who is to know where the database cannot be reached")
  func noDatabase() throws {
    let night = try Night("")
    try project(night, Night.watching + listener(night))
    let words = night.words()
    let outcome = try Program(database: "postgresql://nobody@127.0.0.1:1/nothing").run(words)
    let summary = try Night.Summary(outcome)
    #expect(outcome.status == 1 && summary.problems == ["database 1"])
    #expect(try found(night)?["exit_code"] as? Int == 1)
  }

  @Test("holds releases against their limits, and the schema against the migrations")
  func checks() throws {
    let night = try Night(Night.watching + "\nfreshness: {items: 36500d}")
    let none = try night.pass()
    #expect(none.outcome.status == 5 && none.problems == ["freshness 5"])
    let missing = try #require(none.list("freshness").first)
    #expect(missing["release"] is NSNull && missing["age_days"] is NSNull && missing["ok"] as? Bool == false)
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let good = try night.pass()
    let item = try #require(good.list("freshness").first)
    #expect(good.outcome.status == 0 && item["ok"] as? Bool == true && item["limit_days"] as? Int == 36_500)
    #expect(item["dataset"] as? String == "items" && item["release"] as? String == "2025A")
    // By the day on which it came into effect, whenever it was loaded.
    let age = try night.own.database.value("SELECT rivulet.today() - date '2025-01-01'")
    #expect(item["age_days"] as? Int == age.flatMap(Int.init))

    try project(night, Night.watching + "\nfreshness: {items: 1d}")
    try night.own.scratch.write(
      "Migrations/0002_more.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    let late = try night.pass()
    #expect(late.outcome.status == 5 && late.problems == ["freshness 5", "schema 5"])
    #expect(late.messages.contains("pending: 0002 more"), "\(late.messages)")
  }

  @Test("is that of the most serious problem, and each is reported")
  func mostSerious() throws {
    let night = try Night(
      """
      watch: [{pipeline: items, folder: nowhere}, {pipeline: items, folder: incoming}]
      freshness: {items: 1d}
      """)
    try night.put("ITEM_25a_.csv", Night.bad("a001"))
    let summary = try night.pass()
    #expect(summary.problems == ["runs 6", "runs 3", "freshness 5"] && summary.outcome.status == 3)
  }

  @Test(
    "comes with 130 and the summary where it is asked for in the middle of a run; the next night makes it good"
  )
  func terminated() throws {
    let (night, started) = try loading()
    started.signal(SIGTERM)
    let summary = try Night.Summary(try started.wait())
    #expect(
      summary.outcome.status == 130 && summary.runs == ["2025A interrupted"], "\(summary.outcome.errors)")
    #expect(summary.list("freshness").isEmpty, "no step is begun after it")
    #expect(try night.own.leftovers() == "0")
    try makesGood(night)
  }

  @Test("may be kill -9 in the middle of a run; the next night makes it good")
  func killed() throws {
    let (night, started) = try loading()
    started.signal(SIGKILL)
    #expect(try started.wait().status == 128 + SIGKILL)
    try makesGood(night)
  }

  @Test("is as good as any where the session that holds its lock is ended: it takes the lock again")
  func lockLost() throws {
    let (night, started) = try loading()
    let holders = """
      FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND ((classid::bigint << 32) | objid::bigint) = hashtextextended('rivulet nightly', 7711)
      """
    let first = try #require(try night.own.database.value("SELECT pid \(holders)"))
    #expect(try night.own.database.value("SELECT pg_terminate_backend(\(first))") == "t")
    #expect(try night.own.database.finds("SELECT \(holders) AND pid <> \(first)"))
    let summary = try Night.Summary(try started.wait())
    #expect(summary.outcome.status == 0, "\(summary.outcome.output)\(summary.outcome.errors)")
    #expect(summary.runs == ["2025A published", "2025B published"])
  }

  /// A night that is in the middle of loading 2025A.
  private func loading() throws -> (Night, Program.Started) {
    let night = try Night(Night.watching + "\nfreshness: {items: 36500d}")
    let records = (0..<200_000).map { Night.item("\($0)") }.joined(separator: "\n")
    try night.put("ITEM_25a_.csv", records)
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    let started = try night.own.program.start(night.words())
    try #require(
      try night.own.database.finds(
        """
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
          AND query LIKE 'COPY "own"."item\\_%'
        """))
    return (night, started)
  }

  private func makesGood(_ night: Night) throws {
    let summary = try night.pass()
    #expect(summary.outcome.status == 0 && summary.runs == ["2025A published", "2025B published"])
    #expect(try night.own.database.value("SELECT count(*) FROM own.item") == "200001")
    #expect(try night.own.leftovers() == "0")
    #expect(try night.pass().runs.isEmpty)
  }
}
