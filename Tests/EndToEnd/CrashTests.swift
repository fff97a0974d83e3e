import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Killed or asked to end at any moment, the program leaves nothing half done.
@Suite("A run that does not end by itself")
struct CrashTests {
  @Test("ends with 130 when it is interrupted, and publishes nothing")
  func interrupted() throws {
    let (database, _) = try Loaded.migrated()
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path])
    try #require(try held.isReached())
    started.signal(SIGINT)
    // The server looks at what it was asked once more rows come.
    held.letGo()
    try started.wait().failed(130)
    let published = try database.value("SELECT count(*) FROM cms.rvu")
    #expect(published == "0")
    #expect(
      try database.value("SELECT state || ': ' || error FROM rivulet.run")
        == "interrupted: interrupted; what was not done by then is not done at all")
    let leftovers = try database.value("SELECT count(*) FROM pg_class WHERE relname ~ '_2025d_'")
    #expect(leftovers == "0")
    Reliability.record(.signal, "`run` that loads", lost: published == "0" && leftovers == "0" ? 0 : 1)
  }

  @Test("keeps another run of the same pipeline away, and the schema from being taken from under it, with 4")
  func busy() throws {
    let (database, program) = try Loaded.migrated()
    let holder = try database.connect()
    #expect(try holder.acquireLock("rivulet run cms-rvu"))
    try program.run("run", "cms-rvu", Sample.path).failed(4, saying: "--lock-wait")
    try program.run("releases", "pin", "cms-rvu", "--clear").failed(4)
    try program.run("migrate", "down", "--to", "0").failed(4)
    #expect(try database.value("SELECT to_regnamespace('cms')") == "cms")
    try holder.releaseLock("rivulet run cms-rvu")
    try program.run("run", "cms-rvu", Sample.path).succeeded()
  }

  @Test("stops waiting when it is interrupted")
  func waiting() throws {
    let (database, program) = try Loaded.sample()
    let reader = try database.connect()
    try reader.execute("BEGIN; SELECT count(*) FROM cms.rvu")
    for arguments in [["releases", "rollback", "cms-rvu"], ["run", "cms-rvu", Sample.path, "--force"]] {
      let started = try program.start(arguments + ["--lock-wait", "600"])
      try #require(try database.findsWaiter(forTable: "cms.rvu"))
      started.signal(SIGINT)
      try started.wait().failed(130)
    }
    try reader.execute("COMMIT")
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "400")
    #expect(try database.value("SELECT count(*) FROM rivulet.run WHERE state = 'running'") == "0")
  }
}
