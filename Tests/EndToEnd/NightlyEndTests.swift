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
    let program = try night.scratch.write(
      "bin/tell", "#!/bin/sh\ncat > \"$(dirname \"$0\")/heard-$1.json\"\necho heard it\nexit \(status)\n")
    chmod(program, 0o755)
    return "\nnotify: [bin/tell, night]"
  }

  private func found(_ night: Night) throws -> [String: Any]? {
    guard let data = FileManager.default.contents(atPath: night.path("bin/heard-night.json")) else {
      return nil
    }
    return try JSONSerialization.jsonObject(with: data) as? [String: Any]
  }

  @Test("is reported to the program that is to know, with the whole summary, where something is wrong")
  func notified() throws {
    let night = try Night("")
    try night.define(Night.watching + listener(night) + "\nfreshness: {items: 36500d}")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.pass("2025A published")
    #expect(try found(night) == nil, "all is well")
    // More than a pipe would take at once.
    for index in 0..<200 {
      try night.put("items25b\(String(repeating: "long", count: 40))\(index).zip", "no archive \(index)")
    }
    let summary = try Night.Summary(night.start().wait())
    #expect(summary.outcome.status == 3, "\(summary.outcome.errors)")
    #expect(summary.outcome.output.utf8.count > 65_536)
    let heard = try #require(try found(night))
    #expect(NSDictionary(dictionary: heard) == NSDictionary(dictionary: summary.document))

    // The end is the same where that program fails or is not there, which is reported.
    let nowhere = "watch: [{pipeline: items, folder: nowhere}]"
    for (notify, says) in [
      (try listener(night, status: 7), "bin/tell' ended with 7: heard it"),
      ("\nnotify: [bin/nobody]", "bin/nobody"),
    ] {
      try night.define(nowhere + notify)
      try night.start().wait().failed(6, saying: says)
    }
    // And where the database cannot be reached.
    try night.define(Night.watching + listener(night))
    let outcome = try Program(database: "postgresql://nobody@127.0.0.1:1/nothing").run(
      ["nightly", "--format", "json"] + night.project
    ).failed(1)
    #expect(try Night.Summary(outcome).problems == ["database 1"])
    #expect(try found(night)?["exit_code"] as? Int == 1)
  }

  @Test("holds releases against their limits, and the schema against the migrations")
  func checks() throws {
    let night = try Night(Night.watching + "\nfreshness: {items: 36500d}")
    let none = try night.pass(ends: 5, with: "freshness 5").outcome
    #expect(
      try none.at("freshness/0/release", "freshness/0/age_days", "freshness/0/ok") == "null null false")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let good = try night.pass("2025A published").outcome
    // By the day on which it came into effect, whenever it was loaded.
    let age = try #require(try night.value("SELECT rivulet.today() - date '2025-01-01'"))
    #expect(
      try ["dataset", "release", "ok", "limit_days", "age_days"].map { try good.at("freshness/0/" + $0) }
        == ["items", "2025A", "true", "36500", age])
    try night.define(Night.watching + "\nfreshness: {items: 1d}")
    try night.scratch.write(
      "Migrations/0002_more.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    let late = try night.pass(ends: 5, with: "freshness 5", "schema 5")
    #expect(late.messages.contains("pending: 0002 more"), "\(late.messages)")
  }

  @Test(
    "comes in the middle of a run with 130 and the summary, or by kill -9; the next night makes it good",
    arguments: [SIGTERM, SIGKILL])
  func ended(signal: Int32) throws {
    let (night, started) = try loading()
    started.signal(signal)
    let outcome = try started.wait()
    #expect(outcome.status == (signal == SIGTERM ? 130 : 128 + SIGKILL), "\(outcome.errors)")
    if signal == SIGTERM {
      #expect(try Night.Summary(outcome).runs == ["2025A interrupted"])
      #expect(try outcome.at("freshness") == "[]", "no step is begun after it")
      #expect(try night.leftovers() == "0")
    }
    try night.pass("2025A published", "2025B published")
    let found = try [night.value("SELECT count(*) FROM own.item"), night.leftovers()]
    #expect(found == ["200001", "0"])
    try night.pass()
    Reliability.record(
      signal == SIGTERM ? .signal : .kill, "`nightly` that loads", lost: found == ["200001", "0"] ? 0 : 1)
  }

  @Test("is as good as any where the session that holds its lock is ended: it takes the lock again")
  func lockLost() throws {
    let (night, started) = try loading()
    let holders = """
      FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND ((classid::bigint << 32) | objid::bigint) = hashtextextended('rivulet nightly', 7711)
      """
    let first = try #require(try night.value("SELECT pid \(holders)"))
    #expect(try night.value("SELECT pg_terminate_backend(\(first))") == "t")
    #expect(try night.database.finds("SELECT \(holders) AND pid <> \(first)"))
    #expect(
      try Night.Summary(started.wait().succeeded()).runs == ["2025A published", "2025B published"])
  }

  /// A night that is in the middle of loading 2025A.
  private func loading() throws -> (Night, Program.Started) {
    let night = try Night(Night.watching + "\nfreshness: {items: 36500d}")
    let records = (0..<200_000).map { Night.item("\($0)") }.joined(separator: "\n")
    try night.put("ITEM_25a_.csv", records)
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    let started = try night.start()
    try #require(
      try night.database.finds(
        """
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
          AND query LIKE 'COPY "own"."item\\_%'
        """))
    return (night, started)
  }
}
