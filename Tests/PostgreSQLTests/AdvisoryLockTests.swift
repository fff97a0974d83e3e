import Host
import PostgreSQL
import TestSupport
import Testing

@Suite struct AdvisoryLockTests {
  let database: TestDatabase

  init() throws { database = try TestServer.shared.makeDatabase() }

  @Test func `A lock keeps others out until it is given back`() throws {
    let first = try database.connect()
    let second = try database.connect()
    #expect(try first.acquireLock("cms-rvu"))
    #expect(try !second.acquireLock("cms-rvu"))
    #expect(try second.acquireLock("hcpcs"))
    try first.releaseLock("cms-rvu")
    #expect(try second.acquireLock("cms-rvu"))
  }

  @Test func `Waiting ends when the time is up`() throws {
    let first = try database.connect()
    let second = try database.connect()
    #expect(try first.acquireLock("cms-rvu"))
    let start = Machine.seconds
    #expect(try !second.acquireLock("cms-rvu", waiting: 0.3))
    #expect(Machine.seconds - start >= 0.3)
  }

  @Test func `The lock falls with its connection`() throws {
    let second = try database.connect()
    do {
      let first = try database.connect()
      #expect(try first.acquireLock("cms-rvu"))
      #expect(try !second.acquireLock("cms-rvu"))
    }
    #expect(try second.acquireLock("cms-rvu", waiting: 60))
  }

  @Test func `The holder of a lock is ended only where it is the process that was meant`() throws {
    let (holder, bystander, other) = (try database.connect(), try database.connect(), try database.connect())
    #expect(try holder.acquireLock("thing"))
    #expect(try bystander.acquireLock("other thing"))
    try other.endHolder(of: "thing", process: bystander.backendID)
    #expect(try !other.acquireLock("thing", waiting: 0.2))
    #expect(!bystander.isLost)
    try other.endHolder(of: "thing", process: holder.backendID)
    #expect(try other.acquireLock("thing", waiting: 60))
    // The lock falls a moment before the connection does.
    let deadline = Machine.seconds + 60
    while !holder.isLost && Machine.seconds < deadline { Machine.sleep(seconds: 0.01) }
    #expect(holder.isLost)
  }
}
