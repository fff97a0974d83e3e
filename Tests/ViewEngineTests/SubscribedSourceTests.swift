import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A table that a subscription fills: what it changes fires no trigger of a statement.
@Suite("A source that a subscription fills")
struct SubscribedSourceTests {
  private let server: CrashingServer
  private let publisher: TestDatabase
  private var views: StoredViews

  private static let table = "CREATE TABLE app.item (id int PRIMARY KEY, state text, n int);"

  init() throws {
    server = try CrashingServer(settings: [
      "wal_level": "logical", "max_wal_senders": "8", "max_replication_slots": "8",
      "max_logical_replication_workers": "4",
    ])
    publisher = try server.makeDatabase()
    try publisher.connect().execute(
      """
      CREATE SCHEMA app; \(Self.table)
      INSERT INTO app.item SELECT g, 'new', g FROM generate_series(1, 20) g;
      CREATE PUBLICATION items FOR TABLE app.item
      """)
    views = try StoredViews(
      "\(Self.table) INSERT INTO app.item VALUES (1000, 'own', 1)", in: try server.makeDatabase())
    try views.define(
      "mart.by_state", by: "state",
      "SELECT state, count(*) AS items, sum(n) AS n FROM {keys} k JOIN app.item i USING (state) GROUP BY 1")
    try views.define(
      "mart.by_n", by: "n",
      "SELECT n, count(DISTINCT state) AS states FROM {keys} k JOIN app.item i USING (n) GROUP BY 1")
    try views.define("mart.whole", fullBy: "", "SELECT count(*) AS n, max(id) AS id FROM app.item")
    try views.make()
  }

  /// Makes the subscription, and waits until the rows that there are have come.
  private func subscribe() throws {
    // Made by the subscription it would wait for itself, since both databases are of one server.
    let slot = "SELECT pg_create_logical_replication_slot('items', 'pgoutput')"
    try publisher.connect().execute(slot)
    let options = publisher.target.options
    let address = ["host", "port", "user"].compactMap { name in options[name].map { "\(name)=\($0)" } }
    try views.connection.execute(
      """
      CREATE SUBSCRIPTION items CONNECTION '\(address.joined(separator: " ")) dbname=\(publisher.name)'
      PUBLICATION items WITH (create_slot = false, slot_name = 'items')
      """)
    #expect(try views.database.finds("SELECT FROM pg_subscription_rel WHERE srsubstate = 'r'"))
  }

  /// Changes rows at the publisher, and waits until the subscriber has them.
  private func publish(_ state: String) throws {
    let connection = try publisher.connect()
    // Sent once it is in the log, which this server writes late.
    try connection.execute("SET synchronous_commit = on")
    try connection.execute("UPDATE app.item SET state = '\(state)', n = n + 1 WHERE id % 3 = 0")
    #expect(try views.database.finds("SELECT FROM app.item WHERE state = '\(state)'"))
  }

  private func behind() throws -> Set<String> {
    Set(try views.engine.status(on: views.connection).flatMap(\.behind))
  }

  private func expectExact(_ comment: Comment) throws {
    for view in views.definitions { try views.expectExact(view.name, comment) }
  }

  private static let reason = "app.item was filled by a subscription, past all triggers"

  @Test(
    "has its views computed as a whole as long as it is there and once after it, where it came to a table that was captured"
  )
  func later() throws {
    #expect(try behind() == [])
    try subscribe()
    try views.refresh()
    try expectExact("the rows that were there")
    for state in ["open", "done"] {
      try publish(state)
      #expect(try behind().contains(Self.reason), "\(state)")
      let done = try views.refresh()
      #expect(done.map(\.kind) == [.full, .full, .full] && done.contains { $0.reason == Self.reason })
      try expectExact("\(state)")
      #expect(try behind() == [Self.reason], "it may change at any time")
    }
    try publish("last")
    try views.connection.execute("DROP SUBSCRIPTION items")
    #expect(try behind() == [Self.reason], "what it changed last was not seen")
    try views.refresh()
    try expectExact("after it")
    #expect(try behind() == [])
    try views.expectExact("mart.by_state", afterEach: ["UPDATE app.item SET state = 'own' WHERE id = 4"])
  }

  @Test("is refused as the source of a new view that counts on its changes")
  mutating func refused() throws {
    try subscribe()
    try views.define(
      "mart.late", by: "id", "SELECT id, count(*) AS n FROM {keys} k JOIN app.item i USING (id) GROUP BY 1")
    #expect {
      try views.engine.synchronise(on: views.connection)
    } throws: {
      ($0 as? ViewProblem)?.message.contains("a subscription fills it, past all triggers") == true
    }
    try views.connection.execute("DROP SUBSCRIPTION items")
  }
}
