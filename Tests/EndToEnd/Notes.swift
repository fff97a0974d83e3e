import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Notes of many owners, two views of them, one of which reads the other, and changes that wait to be
/// computed.
struct Notes {
  /// A pipeline of notes by themselves.
  static let pipeline = """
    pipeline: items
    release:
      from: [{in: archive-name, pattern: 'items(\\d{4})', name: '$1'}]
      effective: [{pattern: '(\\d{4})', from: '$1-01-01'}]
    sources:
      - {name: notes, entries: '*', formats: [csv], layouts: notes, target: own.note, key: [id]}
    publish: release
    """

  /// What keeps a refresh in the middle of a view, where somebody holds the lock 4711.
  static let heldFunction = """
    CREATE FUNCTION own.held(owner int) RETURNS int STABLE SET lock_timeout = 0 LANGUAGE plpgsql AS $$
    BEGIN
      IF owner = 7 THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
      RETURN owner;
    END $$;
    """

  private static let migration = OwnProject.migration(
    "own",
    making: """
      CREATE TABLE own.note (id int PRIMARY KEY, owner int NOT NULL, amount numeric NOT NULL);
      CREATE INDEX ON own.note (owner);
      \(heldFunction)
      """)

  private static let byOwner = """
    /* rivulet view
    strategy: incremental
    description: Notes by owner
    key: [owner]
    rebuild_share: 100%
    sources:
      own.note: {capture: [owner], keys: SELECT owner FROM changed}
    */
    SELECT own.held(k.owner) AS owner, count(*) AS notes, sum(n.amount) AS amount
    FROM {keys} k JOIN own.note n ON n.owner = k.owner
    GROUP BY k.owner
    """

  private static let byShare = OwnProject.view(
    by: "share, owner", "SELECT round(amount / 10) AS share, owner, notes FROM own.by_owner")

  /// What each view must hold, asked without the program.
  private static let truths = [
    "own.by_owner": "SELECT owner, count(*) AS notes, sum(amount) AS amount FROM own.note GROUP BY owner",
    "own.by_share":
      "SELECT round(sum(amount) / 10) AS share, owner, count(*) AS notes FROM own.note GROUP BY owner",
  ]

  private let scratch: Scratch
  /// Made, filled, changed since; nobody is connected to it.
  let database: TestDatabase

  /// `other`: a database to take, empty; one of the tests' own server when nil.
  init(rows: Int, in other: TestDatabase? = nil) throws {
    scratch = try Scratch()
    for (name, text) in [
      "rivulet.yaml": "project: own\ntime_zone: UTC\n", "Pipelines/items/pipeline.yaml": Self.pipeline,
      "Pipelines/items/views/own.by_owner.sql": Self.byOwner,
      "Pipelines/items/views/own.by_share.sql": Self.byShare,
      "Pipelines/items/layouts/notes.yaml": OwnProject.layout("notes", "name: id, csv: ID, type: text"),
      "Migrations/0001_own.sql": Self.migration,
    ] { try scratch.write(name, text) }
    database = try other ?? TestServer.shared.makeDatabase()
    try Program(database: database.url).run("migrate", "up", "--project", scratch.path).succeeded()
    try database.connect().execute(
      "INSERT INTO own.note SELECT n, n % (\(rows) / 60), n % 100 FROM generate_series(1, \(rows)) n; ANALYZE own.note"
    )
    try refresh(database).succeeded()
    try #require(try Self.wrong(in: database) == [])
    try database.connect().execute(
      """
      UPDATE own.note SET amount = amount + 1 WHERE owner % 3 = 1;
      UPDATE own.note SET owner = 7 WHERE id % 100 = 0;
      DELETE FROM own.note WHERE owner % 50 = 11;
      INSERT INTO own.note SELECT 1000000 + n, 900000 + n % 300, n FROM generate_series(1, 900) n
      """)
    try Self.awaitSilence(in: database)
  }

  /// Refreshes to the end.
  func refresh(_ database: TestDatabase, _ options: [String] = []) throws -> Program.Outcome {
    try start(database, options).wait()
  }

  /// Starts a refresh.
  func start(_ database: TestDatabase, _ options: [String] = []) throws -> Program.Started {
    try Program(database: database.url).start(["refresh"] + options + ["--project", scratch.path])
  }

  /// A digest of the rows of each view.
  static func content(of database: TestDatabase) throws -> [String: String] {
    let connection = try database.connect()
    return try truths.keys.reduce(into: [:]) { contents, view in
      contents[view] = try connection.execute(
        "SELECT count(*) || ' ' || coalesce(md5(string_agg(v::text, ' ' ORDER BY v::text)), '') FROM \(view) v"
      )[0][0]
    }
  }

  /// How much waits for each view: rows of its queues, and marks.
  static func pending(in database: TestDatabase) throws -> [String: Int] {
    let connection = try database.connect()
    return try truths.keys.reduce(into: [:]) { counts, view in
      let queues = try connection.query(
        "SELECT queue FROM rivulet.view_source WHERE view = $1 AND queue IS NOT NULL", [.text(view)])
      let parts =
        queues.rows.map { "(SELECT count(*) FROM \($0[0] ?? ""))" }
        + ["(SELECT count(*) FROM rivulet.view_mark WHERE view = \(Quote.literal(view)))"]
      counts[view] = try connection.execute("SELECT \(parts.joined(separator: " + "))")[0].value(0, Int.self)
    }
  }

  /// The views that do not hold what they should.
  static func wrong(in database: TestDatabase) throws -> [String] {
    let connection = try database.connect()
    return try truths.filter { view, truth in
      try connection.execute(
        """
        (SELECT t::text FROM (\(truth)) t EXCEPT ALL SELECT v::text FROM \(view) v)
        UNION ALL (SELECT v::text FROM \(view) v EXCEPT ALL SELECT t::text FROM (\(truth)) t)
        """
      ).count > 0
    }.keys.sorted()
  }

  /// Waits until no session is left but one's own.
  static func awaitSilence(in database: TestDatabase, but other: Int = 0) throws {
    try #require(
      try database.finds(
        """
        SELECT WHERE NOT EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), \(other)) AND backend_type = 'client backend')
        """))
  }
}
