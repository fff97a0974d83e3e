import PostgreSQL

/// A table of facts, ten to a key, and a view that sums them up by key.
struct FactTable {
  /// Where the facts of a key are, and which keys change.
  enum Order: String {
    /// A key's facts come together, as the lines of a claim do, and the newest keys change.
    case together
    /// A key's facts are strewn over the table, as a person's visits are over years, and any keys change:
    /// nearly every page has a row of one.
    case strewn
  }

  /// How many keys there are.
  let keys: Int
  let order: Order

  private static let factsOfKey = 10

  /// How many facts there are.
  var facts: Int { keys * Self.factsOfKey }
  /// The table's name.
  var name: String { "bench.\(order.rawValue)_\(keys)" }

  /// The sums of each key.
  var view: BenchView {
    BenchView(
      name: "\(name)_sum", key: "key", source: name,
      columns: "key, count(*) AS facts, sum(amount) AS amount, max(day) AS last", grouping: "key")
  }

  /// Makes the table on the server, with an index on its key.
  func make(on connection: Connection) throws {
    // 7919 is prime: the products run through all keys before one comes again.
    let key = order == .strewn ? "n * 7919 % \(keys)" : "(n - 1) / \(Self.factsOfKey)"
    try connection.execute(
      """
      CREATE TABLE \(name)
        (id bigint NOT NULL, key bigint NOT NULL, amount numeric(8,2) NOT NULL, day date NOT NULL);
      INSERT INTO \(name) SELECT n, \(key), (n % 10007) / 10.0, date '2020-01-01' + (n * 2000 / \(facts))::int
        FROM generate_series(1, \(facts)::bigint) n;
      ALTER TABLE \(name) ADD PRIMARY KEY (id);
      CREATE INDEX ON \(name) (key)
      """)
    try connection.execute("VACUUM ANALYZE \(name)")
  }

  /// Changes so many keys: of most a fact is corrected; one in a hundred is new, and as many that were new in
  /// the round before are gone. Round 0 comes before the view is made.
  func change(_ changed: Int, round: Int, on connection: Connection) throws {
    let few = changed / 100
    let step = keys / changed
    let key = order == .strewn ? "n * \(step) + \(round % step)" : "\(keys) - 1 - n"
    try connection.execute(
      """
      CREATE TEMP TABLE chosen AS SELECT \(key) AS key FROM generate_series(0, \(changed - 2 * few - 1)) n;
      ANALYZE chosen;
      UPDATE \(name) f SET amount = amount + 1
        FROM (SELECT min(id) AS id FROM chosen JOIN \(name) USING (key) GROUP BY key) c WHERE f.id = c.id;
      DELETE FROM \(name) WHERE key >= \(keys);
      INSERT INTO \(name) SELECT \((facts + round * few) * Self.factsOfKey) + n,
          \(keys + round * few) + n / \(Self.factsOfKey), 1, '2025-06-30'
        FROM generate_series(0, \(few * Self.factsOfKey - 1)) n;
      DROP TABLE chosen
      """)
    try connection.execute("CHECKPOINT")
  }
}
