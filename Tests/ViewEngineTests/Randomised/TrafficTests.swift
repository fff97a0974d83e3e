import Host
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Five minutes of four writers, a refresh every second and somebody who compares, all at once.
///
/// With `RIVULET_FUZZ_SECONDS` for so long each, one after the other, and both at the full pace: 400 transactions
/// and one refresh a second, where the machine can.
@Suite("Views under traffic")
struct TrafficTests {
  private static let writers = 4
  private static let rounds = 10
  private static let isFuzz = RandomRefresh.fuzzSeconds > 0
  private static let seconds = isFuzz ? RandomRefresh.fuzzSeconds : 300

  /// What came of five minutes.
  private struct Outcome: Sendable {
    let isKilled: Bool
    let transactions: Int
    let calls: ProgramRefresher.Tally
    let compared: RandomComparer.Tally

    /// How much is done in five minutes is the machine's: it is announced, and goes on until this much has been.
    var isEnough: Bool {
      transactions > 100 * rounds && calls.calls + calls.kills > rounds && calls.incremental > rounds
        && compared.exact > rounds && (!isKilled || calls.kills > rounds / 2)
    }
  }

  /// Both on a server of its own that clears dead rows away as any server does; at the same time, but for fuzzing.
  @Test(
    "equal their SELECT after every round, and at any moment with what waits for them, also where refreshes are killed"
  )
  func traffic() async throws {
    let outcomes = try await aside {
      try Self.isFuzz ? [Self.traffic(isKilled: false), Self.traffic(isKilled: true)] : Self.both()
    }
    for outcome in outcomes {
      #expect(outcome.isEnough, "\(outcome)")
      #expect(outcome.compared.different == [])
    }
  }

  /// Without kills and with them, at the same time.
  private static func both() throws -> [Outcome] {
    let killed = Shared<[Outcome]>([])
    let beside = Background {
      let outcome = try traffic(isKilled: true)
      killed.change { $0 = [outcome] }
    }
    let whole = try traffic(isKilled: false)
    try beside.wait()
    return [whole] + killed.value
  }

  private static func traffic(isKilled: Bool) throws -> Outcome {
    // Transactions a second of each writer.
    let pace = isKilled && !isFuzz ? 50 : 100
    let server = try CrashingServer(settings: ["autovacuum": "on", "autovacuum_naptime": "5s"])
    var refresh = try RandomRefresh(in: server.makeDatabase(), without: RandomViews.slow)
    let project = try Scratch()
    try refresh.views.writeProject(to: project)
    let (database, definitions) = (refresh.views.database, refresh.views.definitions)
    let seed: UInt64 = isKilled ? 401 : 301
    let writers = try (0..<Self.writers).map { try RandomWriter(database, seed: seed << 8 + UInt64($0)) }
    let refresher = ProgramRefresher(database: database, project: project.path, isKilled: isKilled)
    let (calls, compared) = (Shared(ProgramRefresher.Tally()), Shared(RandomComparer.Tally()))
    var outcome: Outcome {
      Outcome(
        isKilled: isKilled,
        transactions: writers.map(\.session.tally).reduce(0) { $0 + $1.committed + $1.rolledBack },
        calls: calls.value, compared: compared.value)
    }
    let latest = Machine.seconds + Self.seconds + 600
    var round = 0
    while round < Self.rounds || !outcome.isEnough && Machine.seconds < latest {
      round += 1
      let end = Machine.seconds + Self.seconds / Double(Self.rounds)
      let parts =
        writers.map { $0.start(until: end, perSecond: pace) }
        + [
          refresher.start(until: end, seed: seed + UInt64(round), counting: calls),
          RandomComparer.start(database, definitions, pause: isFuzz ? 10 : 3, until: end, counting: compared),
        ]
      for part in parts { try part.wait() }
      try refresh.refreshAndCompare("seed \(seed), round \(round)")
    }
    RandomRefresh.announce(
      """
      \(outcome.transactions) transactions in \(round) rounds, \(writers.map(\.session.tally)), \(calls.value), \
      \(compared.value)
      """, seed: seed)
    return outcome
  }
}
