import PostgreSQL
import TestSupport

/// Stops a command where it writes or makes something in its database, until it is let go: a trigger waits
/// there for a lock.
struct Barrier {
  /// Where a run has loaded all its tables and begins to check them.
  static let check = "INSERT ON rivulet.run_stage WHEN (NEW.stage = 'check')"

  private static let lock: Int32 = 4711

  private let database: TestDatabase
  private let holder: Connection

  /// `place`: a table and what is written to it, `INSERT ON rivulet.run WHEN (NEW.state = '…')`; with
  /// `COMMIT OF` before it the commit of that; or else the tag of a command that defines something.
  init(in database: TestDatabase, at place: String = check) throws {
    self.database = database
    holder = try database.connect()
    let isTag = !place.contains(" ON ")
    let parts = place.replacing("COMMIT OF ", with: "").split(separator: " WHEN ", maxSplits: 1)
    let trigger =
      if isTag {
        "EVENT TRIGGER barrier ON ddl_command_end WHEN TAG IN ('\(place)')"
      } else if place.hasPrefix("COMMIT OF ") {
        "CONSTRAINT TRIGGER barrier AFTER \(parts[0]) DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
      } else {
        "TRIGGER barrier AFTER \(parts[0]) FOR EACH ROW \(parts.count > 1 ? "WHEN \(parts[1])" : "")"
      }
    try holder.execute(
      """
      SELECT pg_advisory_lock(\(Self.lock));
      CREATE FUNCTION barrier() RETURNS \(isTag ? "event_trigger" : "trigger") SET lock_timeout = 0 LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(\(Self.lock)); \(isTag ? "" : "RETURN NULL;") END $$;
      CREATE \(trigger) EXECUTE FUNCTION barrier()
      """)
  }

  /// Waits until a command has come there.
  func isReached() throws -> Bool { try database.findsWaiter(forLock: Self.lock) }

  /// Lets go what waits there.
  func letGo() throws { try holder.execute("SELECT pg_advisory_unlock(\(Self.lock))") }

  /// Takes the barrier away, as if it had never been.
  func remove() throws {
    try letGo()
    try holder.execute("DROP EVENT TRIGGER IF EXISTS barrier; DROP FUNCTION barrier CASCADE")
  }
}
