import PostgreSQL
import Synchronization
import TestSupport
import Testing

@testable import MigrationEngine

/// Batches beside other sessions.
@Suite("A batch beside traffic")
struct BatchWaitTests {
  @Test("is rolled back and tried again where a row is locked, and those before it are kept")
  func lockedRow() throws {
    let visits = try OwnBatches()
    try visits.write()
    let holder = try visits.own.database.connect()
    try holder.execute("BEGIN; SELECT FROM app.visit WHERE id = 50 FOR UPDATE")
    var said: [String] = []
    var doneMeanwhile: String?
    try visits.own.up {
      $0.lockTimeout = "200ms"
      $0.tell = { sentence in
        said.append(sentence)
        if said.count == 2 {
          doneMeanwhile = try? visits.own.database.value("SELECT count(norm) FROM app.visit")
          _ = try? holder.execute("COMMIT")
        }
      }
    }
    #expect(doneMeanwhile == "40")
    #expect(
      said.count >= 2
        && said.allSatisfy {
          $0.contains("1_norm.sql:4: a lock was not granted in time; the batch is rolled back")
            && $0.contains("process \(holder.process)")
        }, "\(said)")
    #expect(try visits.outcome() == "100/100 100/100")
  }

  @Test("ends with what was committed where the lock is not to be had in all the time")
  func timeOut() throws {
    let visits = try OwnBatches()
    try visits.write()
    let holder = try visits.own.database.connect()
    try holder.execute("BEGIN; SELECT FROM app.visit WHERE id = 50 FOR UPDATE")
    let found = complaint { try visits.own.up { ($0.lockTimeout, $0.lockWait) = ("50ms", 0.3) } }
    #expect(found.contains("55P03"), "\(found)")
    #expect(try visits.own.engine().status().applied.first?.batch?.rows == 40)
    try holder.execute("COMMIT")
    #expect(try visits.own.up() == ["1"])
    #expect(try visits.outcome() == "100/100 100/100")
  }

  @Test("is followed by smaller ones where a session has waited for it")
  func smaller() throws {
    let visits = try OwnBatches()
    // The second batch lasts until somebody waits for it.
    try visits.own.execute(
      """
      CREATE FUNCTION await() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM changed WHERE id = 30) THEN
          PERFORM pg_advisory_lock(4711);
          FOR try IN 1..6000 LOOP
            EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)));
            PERFORM pg_sleep(0.01);
          END LOOP;
          PERFORM pg_advisory_unlock(4711);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER await AFTER UPDATE ON app.visit REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION await();
      """)
    try visits.write()
    let database = visits.own.database
    let writer = Background {
      let held = try database.finds(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
      )
      try #require(held)
      try database.connect().execute("SELECT FROM app.visit WHERE id = 30 FOR UPDATE")
    }
    var said: [String] = []
    try visits.own.up { $0.tell = { said.append($0) } }
    try writer.wait()
    #expect(try visits.sizes() == "20 20 10 12 14 16 8")
    #expect(said.count == 1 && said.first?.contains("waited") == true, "\(said)")
    #expect(try visits.outcome() == "100/100 100/100")
  }

  @Test("takes half as many rows, one at least, and then more up to what is written")
  func sizes() {
    var size = BatchSize(100)
    let rows = [true, true, false, false, false, false, false, false, false, false, false].map { waited in
      size.adapt(hasKeptWaiting: waited)
      return size.rows
    }
    #expect(rows == [50, 25, 35, 45, 55, 65, 75, 85, 95, 100, 100])
    var least = BatchSize(1)
    least.adapt(hasKeptWaiting: true)
    #expect(least.rows == 1)
  }
}
