import Foundation
import TestSupport
import Testing

/// A database of one server, and one of the cluster, to which the same is done.
struct ClusterPair {
  let plain: TestDatabase
  let spread: TestDatabase

  init() throws {
    plain = try TestServer.shared.makeDatabase()
    spread = try CitusServer.shared.makeDatabase()
  }

  /// Runs a command on both, which must end alike.
  func run(_ words: String..., at place: SourceLocation = #_sourceLocation) throws {
    try run(words, at: place)
  }

  func run(_ words: [String], at place: SourceLocation = #_sourceLocation) throws {
    for database in [plain, spread] {
      let outcome = try Program(database: database.url).run(words)
      #expect(
        outcome.status == 0, "\(database.name): \(outcome.errors)\(outcome.output)", sourceLocation: place)
      // Nothing of what Citus says beside its work reaches the user.
      outcome.withholding("only locally", "Citus' metadata", at: place)
    }
  }

  /// Corrects what the last run refused, which both export alike, and replays it.
  func correct(
    _ wrong: String, to right: String, in scratch: Scratch, at place: SourceLocation = #_sourceLocation
  ) throws {
    let number = "SELECT max(run) FROM rivulet.run"
    let runs = try [plain, spread].map { try $0.value(number) ?? "" }
    try #require(runs[0] == runs[1], sourceLocation: place)
    let path = scratch.path + "/corrected-\(runs[0])"
    let texts = try [plain, spread].map { database in
      try Program(database: database.url).run("rejects", "export", runs[0], "-o", path, "--force")
        .succeeded(at: place)
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    #expect(texts[0] == texts[1], sourceLocation: place)
    try #require(texts[0].contains(wrong), sourceLocation: place)
    try scratch.write("corrected-\(runs[0])", texts[0].replacing(wrong, with: right))
    try run("rejects", "replay", runs[0], path, at: place)
  }

  /// What every table and view holds, as lines, and what the ledger says of it must be the same.
  func expectSameContent(at place: SourceLocation = #_sourceLocation) throws {
    let one = try Contents.of(plain)
    let other = try Contents.of(spread)
    #expect(one.count > 150, sourceLocation: place)
    for (name, rows) in one {
      #expect(other[name] == rows, "\(name)", sourceLocation: place)
    }
    #expect(Set(one.keys) == Set(other.keys), sourceLocation: place)
    for (what, query) in Self.ledger {
      #expect(try plain.rows(query) == spread.rows(query), "\(what)", sourceLocation: place)
    }
  }

  /// What was counted when it was loaded, checked and merged.
  private static let ledger = [
    (
      "tables of releases",
      "SELECT pipeline, release, revision, target, rows FROM rivulet.release_table ORDER BY 1, 2, 3, 4"
    ),
    ("releases", "SELECT pipeline, release, revision, state FROM rivulet.release ORDER BY 1, 2, 3"),
    (
      "merges",
      "SELECT run, target, revision, inserted, updated, deleted, unchanged FROM rivulet.merge ORDER BY 1, 2, 3"
    ),
    ("rules", "SELECT run, rule, passed, found FROM rivulet.gate_result ORDER BY 1, 2"),
    (
      "records",
      """
      SELECT run, source, records_read, records_loaded, records_rejected, records_skipped, skipped_by, targets
      FROM rivulet.source_file ORDER BY run, source_file_id
      """
    ),
  ]
}
