/// A table lock of PostgreSQL, the weakest first.
public enum LockMode: String, Sendable, CaseIterable, Comparable {
  /// Taken by SELECT.
  case accessShare = "ACCESS SHARE"
  /// Taken by SELECT FOR UPDATE.
  case rowShare = "ROW SHARE"
  /// Taken by INSERT, UPDATE and DELETE.
  case rowExclusive = "ROW EXCLUSIVE"
  /// Taken by VACUUM, VALIDATE CONSTRAINT and CREATE INDEX CONCURRENTLY.
  case shareUpdateExclusive = "SHARE UPDATE EXCLUSIVE"
  /// Taken by CREATE INDEX.
  case share = "SHARE"
  /// Taken by ADD FOREIGN KEY and CREATE TRIGGER.
  case shareRowExclusive = "SHARE ROW EXCLUSIVE"
  /// Taken by REFRESH MATERIALIZED VIEW CONCURRENTLY.
  case exclusive = "EXCLUSIVE"
  /// Taken by most forms of ALTER TABLE.
  case accessExclusive = "ACCESS EXCLUSIVE"

  /// Whom a lock keeps waiting.
  public enum Blocks: String, Sendable {
    /// Everybody.
    case readersAndWriters = "readers and writers"
    /// Sessions that change rows.
    case writers
    /// Only who changes the table itself, and VACUUM.
    case schemaChanges = "schema changes"
    /// Nobody who reads, writes, or works at the table with care.
    case nobody
  }

  /// Whom it keeps waiting.
  public var blocks: Blocks {
    switch self {
    case .accessExclusive: .readersAndWriters
    case .exclusive, .shareRowExclusive, .share: .writers
    case .shareUpdateExclusive: .schemaChanges
    case .rowExclusive, .rowShare, .accessShare: .nobody
    }
  }

  /// The mode as `pg_locks` has it: `AccessExclusiveLock`.
  init?(catalogName: String) {
    let found = LockMode.allCases.first { mode in
      catalogName.uppercased() == mode.rawValue.replacing(" ", with: "") + "LOCK"
    }
    guard let found else { return nil }
    self = found
  }

  /// The weaker first.
  public static func < (left: LockMode, right: LockMode) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}
