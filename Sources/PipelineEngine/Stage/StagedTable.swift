import Host
import PostgreSQL

/// The rows of one target and one release, loaded but not yet seen by anybody.
///
/// It has the target's columns and checks, and gets its keys after its rows; with a check that all rows are of
/// the release, attaching it needs no scan.
struct StagedTable: Sendable {
  let target: TargetTable
  let release: String
  /// `schema.table`: in the target's schema, named for the target, the release and the run.
  let name: String
  private let run: Int

  /// - Parameter label: tells tables of one target and run apart.
  init(target: TargetTable, release: String, run: Int, label: String = "") {
    self.target = target
    self.release = release
    self.run = run
    let parts = target.name.split(separator: ".", maxSplits: 1)
    let plain = release.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let suffix = "_" + String(plain.prefix(24)) + "_\(run)\(label)"
    // PostgreSQL cuts names at 63 bytes; the run's number keeps the shortened one unique.
    let stem = String(parts.last ?? "").prefix(max(1, 63 - suffix.utf8.count))
    name = "\(parts[0]).\(stem)\(suffix)"
  }

  /// The rule that proves to ATTACH that no scan is needed.
  static let boundRule = "rivulet_release"

  /// The settings that keep autovacuum away from a staged table, for its rows and for its long values.
  static let unattended = ["autovacuum_enabled", "toast.autovacuum_enabled"]

  /// Makes the table; to be called in the transaction that fills it. What an earlier try has left of it is dropped: its
  /// COMMIT may have been done although nobody heard of it.
  func create(on connection: Connection) throws {
    let rule = Quote.identifier(StagedTable.boundRule)
    let giving =
      target.owner.map { "ALTER TABLE \(Quote.qualified(name)) OWNER TO \(Quote.identifier($0));" } ?? ""
    try connection.execute(
      """
      DROP TABLE IF EXISTS \(Quote.qualified(name));
      CREATE TABLE \(Quote.qualified(name)) (
        LIKE \(Quote.qualified(target.name)) INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
        CONSTRAINT \(rule) CHECK (release IS NOT NULL AND release = \(Quote.literal(release))))
        -- Who vacuums or analyses a table is in the way of attaching it.
        WITH (\(StagedTable.unattended.map { "\($0) = off" }.joined(separator: ", ")));
      -- Where a query learns the release only as it runs, the planner takes every partition for a match, and
      -- once they are analysed each for all of its rows: estimates grow with the number of releases until the
      -- server compiles what takes it milliseconds. As if there were many releases in each, they stay sane.
      ALTER TABLE \(Quote.qualified(name)) ALTER COLUMN release SET (n_distinct = 1000);
      COMMENT ON TABLE \(Quote.qualified(name)) IS \(Quote.literal(Leftovers.mark(run: run)));
      \(giving)
      """)
  }

  /// Fills it with the rows of a table of the same release; gives how many.
  func copy(from partition: String, on connection: Connection) throws -> Int {
    let columns = target.columns.map(Quote.identifier).joined(separator: ", ")
    return try connection.execute(
      """
      INSERT INTO \(Quote.qualified(name)) (\(columns)) SELECT \(columns) FROM \(Quote.qualified(partition))
      """
    ).affectedRows
  }

  /// Gives the table the keys and indexes of its target.
  ///
  /// Gives the number of groups of rows that share a key, at least 1 where any unique rule is broken; it has no keys
  /// then.
  func index(key: [String], on connection: Connection) throws -> Int {
    do {
      // In a savepoint: a key that does not hold is a finding about the data, not a failure.
      try connection.transaction { try addIndexes(on: connection) }
      return 0
    } catch let error as PostgreSQLError where error.sqlState == "23505" {
      // The rule that is broken may be another one of the table's.
      return max(1, try duplicates(of: ["release"] + key, on: connection))
    }
  }

  private func addIndexes(on connection: Connection) throws {
    for index in target.indexes {
      try Interruption.shared.check()
      if let constraint = index.constraint {
        try connection.execute("ALTER TABLE \(Quote.qualified(name)) ADD \(constraint)")
      } else {
        let unique = index.isUnique ? "UNIQUE " : ""
        try connection.execute("CREATE \(unique)INDEX ON \(Quote.qualified(name)) \(index.definition)")
      }
    }
  }

  /// How many groups of rows share a key.
  private func duplicates(of key: [String], on connection: Connection) throws -> Int {
    let columns = key.map(Quote.identifier).joined(separator: ", ")
    return try connection.query(
      """
      SELECT count(*) FROM (
        SELECT FROM \(Quote.qualified(name)) GROUP BY \(columns) HAVING count(*) > 1) d
      """)[0].value(0)
  }

  func drop(on connection: Connection) throws {
    try connection.execute("DROP TABLE IF EXISTS \(Quote.qualified(name))")
  }
}
