import PostgreSQL
import Testing

@Suite struct BackoffTests {
  /// The waits of a back-off with one chance throughout.
  private func waits(retries: Int, chance: Double) -> [Double] {
    var backoff = Backoff(retries: retries)
    var waits: [Double] = []
    while let wait = backoff.next(chance: chance) { waits.append(wait) }
    return waits
  }

  @Test func `Each wait is twice as long as the one before`() {
    #expect(waits(retries: 4, chance: 0.5) == [1, 2, 4, 8])
  }

  @Test func `Chance makes a wait a fifth shorter or longer at most`() {
    for (least, most) in zip(waits(retries: 4, chance: 0), waits(retries: 4, chance: 1)) {
      #expect(abs(most / least - 1.5) < 1e-9)
    }
    #expect(waits(retries: 1, chance: 0) == [0.8])
  }

  @Test func `No wait is longer than a minute, and chance`() {
    #expect(waits(retries: 40, chance: 0.5).max() == 60)
  }

  @Test func `There are as many waits as retries, and none after them`() {
    #expect(waits(retries: 0, chance: 0.5) == [])
    var backoff = Backoff(retries: 1)
    #expect(backoff.next(chance: 0.5) == 1)
    #expect(backoff.next(chance: 0.5) == nil && backoff.next(chance: 0.5) == nil)
    #expect(backoff.used == 1)
  }
}
