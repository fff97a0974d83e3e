import PostgreSQL
import TestSupport

/// Holds a run where it has loaded all its tables and begins to check them. To be let go within the seconds
/// that the ledger waits.
struct HeldCheck {
  private static let lock: Int32 = 4712

  private let database: TestDatabase
  private let holder: Connection

  init(in database: TestDatabase) throws {
    self.database = database
    holder = try database.connect()
    try holder.execute(
      """
      SELECT pg_advisory_lock(\(Self.lock));
      CREATE FUNCTION hold_check() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(\(Self.lock)); RETURN NULL; END $$;
      CREATE TRIGGER hold_check AFTER INSERT ON rivulet.run_stage FOR EACH ROW WHEN (NEW.stage = 'check')
        EXECUTE FUNCTION hold_check()
      """)
  }

  /// Waits until a run has come there.
  func isReached() throws -> Bool { try database.findsWaiter(forLock: Self.lock) }

  func letGo() throws { try holder.execute("SELECT pg_advisory_unlock(\(Self.lock))") }
}
