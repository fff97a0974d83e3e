import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A command that is killed, the project that it works in, and the database before it.
struct KilledCommand {
  enum Kind: String, CaseIterable {
    case rollback = "`releases rollback`"
    case drop = "`releases drop`"
    case replay = "`rejects replay`"
    case retention = "`nightly` that removes what is old"
    case nightly = "`nightly` that loads two releases"
    case down = "`migrate down`"
  }

  let kind: Kind
  /// Nobody is connected to it.
  let database: TestDatabase
  private let scratch: Scratch
  private let words: [String]

  /// Prepares one in a database that is empty.
  init(_ kind: Kind, in database: TestDatabase) throws {
    (self.kind, self.database) = (kind, database)
    switch kind {
    case .rollback:
      let own = try OwnDataset(in: database)
      for words in ["one", "two"] { try Self.load("items25a", 3_000, words, own) }
      (scratch, words) = (own.scratch, ["releases", "rollback", "items"] + own.project)
    case .drop:
      let own = try OwnDataset(in: database)
      for folder in ["items25a", "items25b"] { try Self.load(folder, 3_000, "words", own) }
      (scratch, words) = (own.scratch, ["releases", "drop", "items", "2025A"] + own.project)
    case .replay:
      let own = try OwnDataset(in: database)
      let bad = (0..<500).map { Night.bad("r\($0)") }
      try Self.load("items25a", 3_000, "words", own, and: bad, options: ["--max-rejects", "500"])
      try own.command("rejects", "export", "1", "-o", own.path("fixed")).succeeded()
      try own.edit("fixed", "expensive", to: "1.00")
      (scratch, words) = (own.scratch, ["rejects", "replay", "1", own.path("fixed")] + own.project)
    case .retention:
      let night = try Night("retention: {runs: 400d, rejects: 90d, revisions: 180d}", in: database)
      try Self.age(night)
      (scratch, words) = (night.scratch, ["nightly"] + night.project)
    case .nightly:
      let night = try Night(in: database)
      for letter in ["a", "b"] {
        let records = (0..<4_000).map { Night.item("\(letter)\($0)") }
        try night.put("ITEM_25\(letter)_.csv", records.joined(separator: "\n"))
      }
      (scratch, words) = (night.scratch, ["nightly"] + night.project)
    case .down:
      scratch = try MigrationFolders.tables(40)
      let folder = ["--dir", scratch.path, "-q"]
      try Program(database: database.url).run(["migrate", "up"] + folder).succeeded()
      words = ["migrate", "down", "--to", "0", "--yes"] + folder
    }
  }

  private static func load(
    _ folder: String, _ count: Int, _ words: String, _ own: OwnDataset, and more: [String] = [],
    options: [String] = []
  ) throws {
    let records = (0..<count).map { Night.item("\($0)", words) } + more
    try own.write(folder, ["ITEM.csv": records.joined(separator: "\n")])
    try own.run(folder, options: options).succeeded()
  }

  /// Three revisions, refused records and refused runs, all but the last revision of five hundred days ago.
  private static func age(_ night: Night) throws {
    let bad = (0..<12_000).map { Night.bad("r\($0)") }.joined(separator: "\n")
    for (name, records) in [
      ("one", Night.item("a001", "one") + "\n" + bad), ("two", Night.item("a001", "two")),
      ("none", Night.bad("b001")), ("three", Night.item("a001", "three")),
    ] {
      try night.write(name, ["ITEM_25a_.csv": records])
      let options = name == "one" ? ["--max-rejects", "12000"] : []
      let run = try night.load("items", "\(name)/ITEM_25a_.csv", options: options)
      try #require(run.status == (name == "none" ? 3 : 0), "\(run.errors)")
    }
    try night.database.connect().execute(
      """
      UPDATE rivulet.run SET started_at = started_at - interval '500 days',
        finished_at = finished_at - interval '500 days';
      UPDATE rivulet.publication SET published_at = published_at - interval '500 days';
      """)
  }

  /// Starts it.
  func start(in database: TestDatabase) throws -> Program.Started {
    try Program(database: database.url).start(words)
  }

  /// Whether it is one transaction: all of it is done then or nothing, and it is given again only where nothing
  /// is.
  var isOneTransaction: Bool { kind == .rollback || kind == .drop }

  /// What it writes, to be stopped there.
  var places: [String] {
    switch kind {
    case .rollback: ["UPDATE ON rivulet.release", "COMMIT OF UPDATE ON rivulet.publication"]
    case .drop: ["DROP TABLE", "COMMIT OF DELETE ON rivulet.release"]
    case .replay: [Barrier.check, "INSERT ON rivulet.publication", "COMMIT OF INSERT ON rivulet.publication"]
    case .retention: ["DROP TABLE", "DELETE ON rivulet.reject", "COMMIT OF DELETE ON rivulet.run"]
    case .nightly: ["INSERT ON rivulet.publication", "UPDATE ON rivulet.run WHEN (NEW.release = '2025B')"]
    case .down: ["DROP TABLE", "COMMIT OF DELETE ON rivulet.migration"]
    }
  }

  /// What is in a database, but for times and numbers of files.
  func content(of database: TestDatabase) throws -> [String] {
    if kind == .down { return [try database.value(MigrationFolders.outcome) ?? "nothing"] }
    let kept =
      switch kind {
      case .rollback, .drop: "SELECT release, revision, state FROM rivulet.release"
      case .retention:
        """
        SELECT run, state, (SELECT count(*) FROM rivulet.reject), (SELECT count(*) FROM rivulet.release)
        FROM rivulet.run
        """
      default: "SELECT release, count(*), count(DISTINCT words) FROM own.item GROUP BY release"
      }
    return try PublishedContent.digest(of: database, schemas: ["own"])
      + database.rows(kept + " ORDER BY 1, 2")
  }

  /// What must never be left.
  func leftovers(in database: TestDatabase) throws -> [String] {
    kind == .down ? [] : try PublishedContent.leftovers(in: database)
  }
}
