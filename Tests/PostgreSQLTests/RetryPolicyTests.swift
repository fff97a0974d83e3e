import Host
import Testing

@testable import PostgreSQL

@Suite struct RetryPolicyTests {
  private static let lost = PostgreSQLError.connectionLost(reason: "")
  private static func refused(_ state: String) -> PostgreSQLError { .server(ServerError(sqlState: state)) }

  /// The pauses of a policy with one chance throughout.
  private func pauses(_ policy: RetryPolicy, chance: Double, atMost count: Int = .max) -> [Double] {
    var pauses = policy.pauses()
    var found: [Double] = []
    while found.count < count, let pause = pauses.next(chance: chance) { found.append(pause) }
    return found
  }

  @Test func `For a connection each pause is twice as long as the one before, up to a minute`() {
    #expect(pauses(.connections(retries: 4), chance: 0.5) == [1, 2, 4, 8])
    #expect(pauses(.connections(retries: 40), chance: 0.5).max() == 60)
  }

  @Test func `Chance makes it a fifth shorter or longer at most`() {
    for (chance, expected) in [(0.0, 0.8), (1.0, 1.2)] {
      let pause = pauses(.connections(retries: 1), chance: chance)
      #expect(pause.count == 1 && abs(pause[0] - expected) < 1e-9)
    }
  }

  @Test func `There are as many pauses as retries, and none after them`() {
    #expect(pauses(.connections(retries: 0), chance: 0.5) == [])
    var one = RetryPolicy.connections(retries: 1).pauses()
    #expect(one.next() != nil && one.next() == nil && one.next() == nil && one.count == 1)
  }

  @Test func `For a lock the pauses stay the same, and half of the time left is for the try`() {
    #expect(pauses(.locks(seconds: 100, pause: 2), chance: 0, atMost: 3) == [1, 1, 1])
    #expect(pauses(.locks(seconds: 100, pause: 2), chance: 1, atMost: 3) == [3, 3, 3])
    let last = pauses(.locks(seconds: 1, pause: 2), chance: 0.5, atMost: 1)
    #expect(last.count == 1 && last[0] < 0.5 && last[0] > 0.3)
    #expect(pauses(.locks(seconds: 0), chance: 0.5) == [])
  }

  /// How often a policy has something done that fails each time.
  private func tries(_ policy: RetryPolicy, _ error: any Error, isStopped: Bool = false) -> Int {
    var count = 0
    _ = try? policy.run(isStopped: { isStopped }) { _ in
      count += 1
      throw error
    }
    return count
  }

  @Test func `Only what the policy is for is tried again, and nothing once it is stopped`() {
    let locks = RetryPolicy.locks(seconds: 0.15, pause: 0.01)
    #expect(tries(locks, Self.refused("55P03")) > 1)
    #expect(tries(locks, Self.refused("40P01")) > 1)
    #expect(tries(locks, Self.refused("40001")) == 1)
    #expect(
      tries(.locks(seconds: 0.15, pause: 0.01, and: [.deadlock, .serialization]), Self.refused("40001")) > 1)
    #expect(tries(locks, Self.lost) == 1)
    #expect(tries(locks, Interrupted()) == 1)
    #expect(tries(locks, Self.refused("55P03"), isStopped: true) == 1)
    #expect(tries(.connections(retries: 3), Self.refused("55P03")) == 1)
  }

  @Test func `What succeeds at last is given, and each new try was reported`() throws {
    var errors = [Self.refused("55P03"), Self.refused("40P01")]
    var reported: [Int] = []
    let value = try RetryPolicy.locks(seconds: 60, pause: 0.001).run(report: { reported.append($0.number) }) {
      left in
      #expect(left > 50)
      if let error = errors.popLast() { throw error }
      return "done"
    }
    #expect(value == "done" && reported == [1, 2])
  }
}
