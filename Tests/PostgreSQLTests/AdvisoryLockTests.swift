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
    #expect(try second.acquireLock("cms-rvu", waiting: 5))
  }
}
