import CLibPQ
import PipelineCore
import PipelineEngine
import PostgreSQL
import Synchronization
import TestSupport
import Testing

/// Readers who never pause, while releases and revisions of them come and go.
@Suite("Readers of the current release")
struct HammeringReadersTests {
  @Test("see one of its whole states and nothing else, through a hundred publishings and rollbacks")
  func hundred() throws {
    let (database, program) = try Loaded.migrated()
    // A release with two revisions, and one that takes its place.
    let sources = [("2025A", 20, 1), ("2025D", 30, 2), ("2025A", 25, 3)]
    for (release, rows, seed) in sources {
      let path = try Samples.make(rows: rows, seed: UInt64(seed), release: release)
      try program.run(["run", "cms-rvu", path] + Loaded.unlikeTheLast).succeeded()
    }
    let connection = try database.connect()
    try connection.execute(
      """
      CREATE FUNCTION public.seen() RETURNS text LANGUAGE plpgsql AS $$
      DECLARE answer text;
      BEGIN
        SELECT concat_ws('|', a.a, a.b, a.c, a.d, a.e) INTO answer FROM (\(Reader.Way.plain.sql)) a(a, b, c, d, e);
        RETURN answer;
      END $$
      """)
    var releases = Releases(connection: connection)
    // Eight readers hold the tables again and again.
    releases.lockWait = 120
    // Each state once, with nobody looking.
    func state() throws -> (rows: String, payments: String) {
      (try connection.lines(Reader.Way.plain.sql)[0], try connection.lines(Reader.Way.joined.sql)[0])
    }
    // 2025A 2 and 2025D are published, 2025D is current. The newest publication is rolled back first.
    var states = [try state()]
    let moves: [() throws -> Void] = [
      { _ = try releases.rollback(pipeline: "cms-rvu") },
      { _ = try releases.publish(pipeline: "cms-rvu", release: "2025A") },
      { _ = try releases.publish(pipeline: "cms-rvu", release: "2025D") },
    ]
    let order = [0, 0, 1, 2]
    for index in order {
      try moves[index]()
      states.append(try state())
    }
    let known = Set(states.map(\.rows))
    #expect(known.count >= 3, "\(known)")
    try #require(known.allSatisfy { !$0.hasPrefix("-|0|") })

    let tally = Tally()
    let ways = Reader.Way.allCases
    let readers = (0..<8).map { index in
      let reader = Reader(way: ways[index % ways.count], target: database.target, tally: tally)
      return Background { try reader.poll() }
    }
    // Also when a move fails: nobody else would stop them.
    defer { tally.finish() }
    var made = 0
    while made < 100 {
      for index in order {
        try moves[index]()
        made += 1
      }
    }
    tally.finish()
    for reader in readers { try reader.wait() }
    for way in ways {
      let seen = tally.seen(by: way)
      let allowed = way == .joined ? Set(states.map(\.payments)) : known
      #expect(Set(seen.keys).isSubset(of: allowed), "\(way): \(seen), allowed \(allowed)")
      #expect(seen.count > 1, "\(way) saw \(seen)")
    }
    let polls = tally.polls
    print("\(polls) polls of \(readers.count) readers through \(made) publishings and rollbacks")
    #expect(polls > 1000)
  }
}

/// A reader with a connection of its own.
private struct Reader: Sendable {
  /// How readers ask.
  enum Way: String, CaseIterable {
    case plain, parameters, prepared, joined, pointer, function

    var sql: String {
      let columns = """
        max(r.release), count(DISTINCT r.release),
        (SELECT revision FROM rivulet.current_release WHERE pipeline = 'cms-rvu'),
        count(*), sum(hashtextextended(to_jsonb(r)::text, 0))
        """
      return switch self {
      case .plain, .parameters, .prepared: "SELECT \(columns) FROM cms.current_rvu r"
      case .pointer:
        """
        SELECT \(columns) FROM rivulet.current_release c JOIN cms.rvu r ON r.release = c.release
        WHERE c.pipeline = 'cms-rvu'
        """
      case .function: "SELECT public.seen()"
      case .joined:
        """
        SELECT max(r.release), count(DISTINCT (r.release, p.release)),
          (SELECT revision FROM rivulet.current_release WHERE pipeline = 'cms-rvu'), count(*),
          sum(hashtextextended(to_jsonb(r)::text || p.nonfacility_amount::text, 0))
        FROM cms.current_rvu r JOIN mart.payment p USING (release, cf_class, hcpcs, modifier)
        WHERE p.locality = '00'
        """
      }
    }
  }

  let way: Way
  let target: ConnectionTarget
  let tally: Tally

  /// Polls until the tally is finished.
  func poll() throws {
    if way == .prepared { return try pollPrepared() }
    let connection = try Connection(to: target)
    while !tally.isDone {
      let answer =
        way == .parameters ? try connection.query(way.sql) : try connection.execute(way.sql)
      tally.add(answer.columns.indices.map { answer[0][$0] ?? "-" }.joined(separator: "|"), by: way)
    }
  }

  /// Named and planned once, as drivers do it.
  private func pollPrepared() throws {
    let handle = PQconnectdb(target.specification)
    defer { PQfinish(handle) }
    PQclear(PQprepare(handle, "seen", way.sql, 0, nil))
    while !tally.isDone {
      let answer = PQexecPrepared(handle, "seen", 0, nil, nil, nil, 0)
      defer { PQclear(answer) }
      guard PQresultStatus(answer) == PGRES_TUPLES_OK else {
        return tally.add(String(cString: PQresultErrorMessage(answer)), by: way)
      }
      let values = (0..<PQnfields(answer)).map { String(cString: PQgetvalue(answer, 0, $0)) }
      tally.add(values.joined(separator: "|"), by: way)
    }
  }
}

/// What readers saw, and how often.
private final class Tally: Sendable {
  private let state = Mutex((seen: [Reader.Way: [String: Int]](), isDone: false))

  var isDone: Bool { state.withLock { $0.isDone } }
  var polls: Int { state.withLock { $0.seen.values.reduce(0) { $0 + $1.values.reduce(0, +) } } }
  func finish() { state.withLock { $0.isDone = true } }
  func seen(by way: Reader.Way) -> [String: Int] { state.withLock { $0.seen[way] ?? [:] } }
  func add(_ what: String, by way: Reader.Way) {
    state.withLock { $0.seen[way, default: [:]][what, default: 0] += 1 }
  }
}
