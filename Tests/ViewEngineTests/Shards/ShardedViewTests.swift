import Definitions
import Host
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Stored views over tables that Citus distributes, whose changes are captured on the shards.
@Suite("Views of distributed facts", .needsCitus, .serialized)
struct ShardedViewTests {
  @Test("equal their SELECT after every kind of change, computed by their groups")
  func kinds() throws {
    var facts = try ShardedFacts()
    try facts.define()
    let changes = [
      "INSERT INTO app.visit SELECT n % 30, n, date '2025-01-01' + n % 90, 'a' FROM generate_series(1, 600) n",
      "INSERT INTO app.procedure SELECT user_id, id, id, 'c' || id % 9, 1.50 FROM app.visit WHERE id % 2 = 0",
      "UPDATE app.visit SET day = day + 31 WHERE user_id = 7",
      "UPDATE app.procedure SET code = NULL WHERE id % 50 = 0",
      "UPDATE app.procedure SET visit_id = NULL WHERE user_id = 8", "DELETE FROM app.visit WHERE user_id = 9",
      "INSERT INTO app.visit VALUES (7, 7, '2025-05-05', 'b') ON CONFLICT (user_id, id) DO UPDATE SET day = excluded.day",
      """
      MERGE INTO app.procedure p USING app.visit v ON p.user_id = v.user_id AND p.id = v.id
      WHEN MATCHED AND v.id % 4 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET units = 1.5
      """, "UPDATE app.procedure SET units = 1.500 WHERE user_id = 3", "TRUNCATE app.visit",
      "TRUNCATE app.procedure",
    ]
    for (index, change) in changes.enumerated() {
      try facts.views.connection.execute(change)
      for view in try facts.views.refresh() where index > 1 && view.kind != nil {
        #expect(view.kind == .incremental, "\(view.view): \(change)")
      }
      #expect(try facts.differences() == [], "\(change)")
    }
    try facts.views.connection.execute("UPDATE app.code SET weight = weight + 1")
    #expect(try facts.views.refresh(of: "mart.procedure_line").kind == .full)
    #expect(try facts.views.refresh().allSatisfy { $0.kind == nil })
  }

  @Test("have their rows, queues and groups beside the rows that they are computed from")
  func beside() throws {
    var facts = try ShardedFacts()
    try facts.define()
    let groups = try facts.views.connection.query(
      """
      SELECT count(DISTINCT colocationid), count(*) FROM pg_dist_partition WHERE logicalrelid IN (
        SELECT rivulet.relation(v.name) FROM rivulet.view v
        UNION SELECT rivulet.relation(queue) FROM rivulet.view_source WHERE placed = 'shards'
        UNION SELECT rivulet.relation(source) FROM rivulet.view_source WHERE placed = 'shards')
      """)[0]
    #expect(try groups.value(0, Int.self) == 1)
    #expect(try groups.value(1, Int.self) == 5 + 6 + 2)
    for name in facts.views.definitions.map(\.name) { facts.views.forget(name) }
    try facts.views.engine.synchronise(on: facts.views.connection)
    let left = "SELECT count(*) FROM pg_dist_partition"
    #expect(try facts.views.value(left) == "2")
    #expect(try facts.views.value("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'rivulet%'") == "0")
  }

  @Test(
    "equal their SELECT after random changes, moved and split shards", arguments: RandomRefresh.seeds(1...2))
  func random(seed: UInt64) throws {
    var facts = try ShardedFacts()
    try facts.define()
    let database = facts.views.database
    let worker = try Connection(to: CitusServer.shared.nodes()[1].database(database.name))
    var changes = ShardedChanges(seed: seed)
    var shards = ShardMoves(seed: seed)
    var incremental = 0
    for round in 0..<24 {
      try changes.run(4, on: round % 3 == 0 ? worker : facts.views.connection)
      if round % 6 == 3 { try shards.move(on: facts.views.connection) }
      if round == 8 || round == 17 { try shards.split(on: facts.views.connection) }
      incremental += try facts.views.refresh().count { $0.kind == .incremental }
      try #require(try facts.differences() == [], "seed \(seed), round \(round)")
    }
    #expect(incremental > 40)
    #expect(shards.moved > 2 && shards.split == 2)
  }

  @Test("equal their SELECT in any snapshot, while sessions of all nodes write")
  func meetings() throws {
    var facts = try ShardedFacts()
    try facts.define()
    let (database, definitions) = (facts.views.database, facts.views.definitions)
    // Otherwise small tables are read over one connection to each server, which has one snapshot.
    try facts.views.connection.execute(
      "ALTER DATABASE \(database.name) SET citus.force_max_query_parallelization = on")
    let nodes = try CitusServer.shared.nodes().map { try $0.database(database.name) }
    let (refreshed, compared) = (Shared(RandomRefresher.Tally()), Shared(RandomComparer.Tally()))
    // On a busy machine it takes longer until enough has met.
    var isEnough: Bool { refreshed.value.incremental > 5 && compared.value.exact > 5 }
    let latest = Machine.seconds + 600
    var seed: UInt64 = 900
    repeat {
      let end = Machine.seconds + 20
      let writers = nodes.prefix(3).map { node in
        let own = seed
        seed += 1
        return Background {
          let connection = try Connection(to: node)
          try connection.execute("SET lock_timeout = '2s'")
          var changes = ShardedChanges(seed: own)
          while Machine.seconds < end { try changes.run(1, on: connection) }
        }
      }
      let others = [
        RandomRefresher.start(database, definitions, until: end, counting: refreshed),
        RandomComparer.start(database, definitions, pause: 0, until: end, counting: compared),
      ]
      for part in writers + others { try part.wait() }
      try facts.views.refresh()
      #expect(try facts.differences() == [])
    } while !isEnough && Machine.seconds < latest
    #expect(compared.value.different == [])
    print("meanwhile \(refreshed.value), \(compared.value)")
    #expect(isEnough)
  }

  @Test(
    "refuse a TRUNCATE whose snapshot may be older than what it takes, and follow a source that is renamed")
  func unusual() throws {
    var facts = try ShardedFacts()
    try facts.define()
    try facts.views.connection.execute("INSERT INTO app.visit VALUES (1, 1, '2025-01-01', 'a')")
    let error = #expect(throws: PostgreSQLError.self) {
      try facts.views.connection.transaction(settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ") {
        try facts.views.connection.execute("TRUNCATE app.visit")
      }
    }
    #expect(error?.sqlState == "0A000")
    try facts.views.connection.execute("TRUNCATE app.visit")
    try facts.views.refresh()
    #expect(try facts.differences() == [])
    // Writers go on; the views are made again.
    try facts.views.connection.execute("ALTER TABLE app.visit RENAME TO stay")
    try facts.views.connection.execute("INSERT INTO app.stay VALUES (1, 1, '2025-01-01', 'a')")
  }

  @Test("are refused where nobody has asked for it, or a group would not lie in one shard")
  func refused() throws {
    var plain = try ShardedFacts(capturing: false)
    let select =
      "SELECT k.user_id, count(*) AS n FROM {keys} k JOIN app.visit v ON v.user_id = k.user_id GROUP BY 1"
    try plain.views.define("mart.n", by: "user_id", of: "app.visit", select)
    #expect(throws: (any Error).self) { try plain.views.make() }
    let problem = #expect(throws: ViewProblem.self) {
      try plain.views.engine.synchronise(on: plain.views.connection)
    }
    #expect(
      problem?.description.contains("citus: {capture: shards}") == true, "\(String(describing: problem))")
    var facts = try ShardedFacts()
    for (key, capture, words) in [
      ("day", "user_id, day", "'key' does not hold 'user_id'"),
      ("user_id", "day", "'capture' of app.visit does not hold"),
    ] {
      try facts.views.define(
        "mart.n", by: key, of: "app.visit", capture: capture,
        keys: capture == "day" ? "SELECT 1 FROM changed" : "SELECT \(key) FROM changed",
        "SELECT k.\(key), count(*) AS n FROM {keys} k JOIN app.visit v ON v.\(key) = k.\(key) GROUP BY 1")
      let problem = #expect(throws: ViewProblem.self) {
        try facts.views.engine.synchronise(on: facts.views.connection)
      }
      #expect(problem?.description.contains(words) == true, "\(String(describing: problem))")
    }
  }
}
