import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// After any sequence of changes, what an incremental refresh leaves is what computing everything would have
/// given.
@Suite("Views after random changes")
struct RandomisedRefreshTests {
  /// Two sessions that take turns, so that a seed repeats everything.
  @Test("equal their SELECT after every refresh", arguments: RandomRefresh.seeds(1...3))
  func turns(seed: UInt64) throws {
    var refresh = try RandomRefresh()
    let target = refresh.views.database.target
    var sessions = try (0..<2).map {
      try RandomSession(Connection(to: target), seed: seed << 8 + UInt64($0), lockTimeout: "5ms")
    }
    let end = Machine.seconds + RandomRefresh.fuzzSeconds
    var rounds = 0
    while rounds < 24 || Machine.seconds < end {
      rounds += 1
      for index in sessions.indices { sessions[index].changes.isWild = rounds % 3 == 0 }
      // Few changed groups go another way than many.
      for turn in 0..<(rounds % 2 == 0 ? 8 : 2) {
        try sessions[turn % 2].release()
        try sessions[turn % 2].run()
      }
      // One has a transaction open as the views are refreshed; not where triggers have to be put on a table
      // again, which waits for who writes to it.
      if rounds % 3 > 0 { try sessions[rounds % 2].hold() }
      try refresh.refreshAndCompare("seed \(seed), round \(rounds)")
    }
    let tallies = sessions.map(\.tally)
    RandomRefresh.announce("\(rounds) rounds, \(tallies), \(refresh.summary)", seed: seed)
    #expect(refresh.incremental > rounds * 2)
    #expect(tallies.allSatisfy { $0.committed > rounds / 2 && $0.held > rounds / 5 })
  }

  /// Sessions and refreshes all at once; only the changes are the seed's.
  @Test(
    "equal their SELECT whenever several sessions and refreshes have met",
    arguments: RandomRefresh.seeds(101...101))
  func meetings(seed: UInt64) throws {
    var refresh = try RandomRefresh()
    let database = refresh.views.database
    let definitions = refresh.views.definitions
    let writers = try (0..<4).map { try RandomWriter(database, seed: seed << 8 + UInt64($0)) }
    let (refreshed, audited) = (Shared(RandomRefresher.Tally()), Shared(RandomAuditor.Tally()))
    let end = Machine.seconds + RandomRefresh.fuzzSeconds
    var rounds = 0
    while rounds < 12 || Machine.seconds < end {
      rounds += 1
      let parts =
        writers.map { $0.start(isWild: rounds % 4 == 0) }
        + (0..<2).map { _ in RandomRefresher.start(database, definitions, counting: refreshed) }
        + [RandomAuditor.start(database, definitions, counting: audited)]
      for part in parts { try part.wait() }
      try refresh.refreshAndCompare("seed \(seed), round \(rounds)")
    }
    RandomRefresh.announce(
      """
      \(rounds) rounds, \(writers.map(\.session.tally)), between them \(refresh.summary), \
      meanwhile \(refreshed.value), \(audited.value)
      """, seed: seed)
    #expect(refresh.incremental + refreshed.value.incremental > rounds * 5)
    #expect(audited.value.behind > rounds)
    #expect(audited.value.unexplained == [])
  }

  /// On a server that clears dead rows away. Nobody pauses, and few views and tables are at work: what happens once in an hour of traffic happens here
  /// in a minute.
  @Test("equal their SELECT in any snapshot, refreshed and compared without a pause")
  func race() throws {
    let seed = RandomRefresh.seeds(201...201)[0]
    let server = try CrashingServer(settings: ["autovacuum": "on", "autovacuum_naptime": "5s"])
    for family in RandomChanges.Family.allCases { try race(of: family, seed: seed, on: server) }
  }

  private func race(of family: RandomChanges.Family, seed: UInt64, on server: CrashingServer) throws {
    var refresh = try RandomRefresh(in: server.makeDatabase(), of: family)
    let (database, definitions) = (refresh.views.database, refresh.views.definitions)
    let writers = try (0..<4).map { try RandomWriter(database, seed: seed << 8 + UInt64($0), of: family) }
    let (refreshed, compared) = (Shared(RandomRefresher.Tally()), Shared(RandomComparer.Tally()))
    let end = Machine.seconds + max(30, RandomRefresh.fuzzSeconds)
    // On a busy machine it takes longer until enough has met.
    var isEnough: Bool { refreshed.value.incremental > 20 && compared.value.exact > 20 }
    while Machine.seconds < end || !isEnough && Machine.seconds < end + 570 {
      let round = Machine.seconds + 15
      let parts =
        writers.map { $0.start(until: round, perSecond: 1_000, wildEvery: 200) } + [
          RandomRefresher.start(database, definitions, until: round, counting: refreshed),
          RandomComparer.start(database, definitions, pause: 0, until: round, counting: compared),
        ]
      for part in parts { try part.wait() }
      try refresh.refreshAndCompare("\(family), seed \(seed)")
    }
    let tallies = writers.map(\.session.tally)
    RandomRefresh.announce(
      "\(family), \(tallies), meanwhile \(refreshed.value), \(compared.value)", seed: seed)
    #expect(isEnough)
    #expect(compared.value.different == [])
  }
}
