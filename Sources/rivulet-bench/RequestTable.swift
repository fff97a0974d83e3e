import PostgreSQL

/// A table of requests, of which each is in one of a few states, and the views that count them and add them up:
/// their groups are few, however many requests there are.
struct RequestTable {
  let rows: Int
  /// Tells it from another table of as many rows.
  var suffix = ""

  /// Its columns.
  static let columns = """
    id bigint PRIMARY KEY, status text NOT NULL, triage text NOT NULL, owner integer, amount numeric(8,2) NOT NULL,
    created_at timestamptz NOT NULL
    """
  /// What its indexes but for the key's are of: the second gives the oldest request of a status at once.
  static let indexed = ["owner", "status, created_at"]

  /// A SELECT of so many rows: every status has each triage, and each owner requests of every status; some
  /// requests have none.
  static func content(_ rows: Int) -> String {
    """
    SELECT n, \(status("n")), (ARRAY['low', 'medium', 'high'])[1 + n / 5 % 3], nullif(n / 15 % 101, 100), \
    (n % 10007) / 10.0, timestamptz '2020-01-01' + n * interval '7 seconds' FROM generate_series(1, \(rows)) n
    """
  }

  /// One of five.
  private static func status(_ number: String) -> String {
    "(ARRAY['new', 'pending', 'held', 'done', 'closed'])[1 + (\(number)) % 5]"
  }

  /// The table's name.
  var name: String { "bench.requests_\(rows)\(suffix)" }

  /// How many requests there are of each status, and the oldest.
  var byStatus: BenchView {
    BenchView(
      name: "\(name)_by_status", key: "status", source: name,
      columns: "status, count(*) AS requests, min(created_at) AS oldest", grouping: "status")
  }

  /// How many are pending, by urgency.
  var pending: BenchView {
    BenchView(
      name: "\(name)_pending", key: "triage", source: name, columns: "triage, count(*) AS requests",
      grouping: "triage", condition: ("status", "status = 'pending'"))
  }

  /// What each owner has.
  var byOwner: BenchView {
    BenchView(
      name: "\(name)_by_owner", key: "owner", source: name,
      columns: "owner, count(*) AS requests, sum(amount) AS amount", grouping: "owner",
      condition: ("owner", "owner IS NOT NULL"))
  }

  /// All three.
  var views: [BenchView] { [byStatus, pending, byOwner] }
  /// How many groups each has.
  static let groups = [5, 3, 100]

  /// Makes the table on the server, with its indexes.
  func make(on connection: Connection) throws {
    try connection.execute(
      """
      CREATE TABLE \(name) (\(Self.columns));
      INSERT INTO \(name) \(Self.content(rows))
      """)
    for index in Self.indexed { try connection.execute("CREATE INDEX ON \(name) (\(index))") }
    try connection.execute("VACUUM ANALYZE \(name)")
  }

  /// A statement that moves some requests to their next status: by their numbers, as `id = 7`.
  func move(_ which: String) -> String {
    let next = "array_position(ARRAY['new', 'pending', 'held', 'done', 'closed'], status)"
    return "UPDATE \(name) SET status = \(Self.status(next)) WHERE \(which)"
  }
}
