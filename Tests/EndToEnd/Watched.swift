import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Notes of a few owners with views of each kind, and programs that keep these up to date; all of them end with
/// it.
final class Watched {
  private static let migration = OwnProject.migration(
    "own",
    making: """
      CREATE TABLE own.note (id int PRIMARY KEY, owner int NOT NULL, amount int NOT NULL);
      CREATE INDEX ON own.note (owner);
      CREATE TABLE own.other (id int PRIMARY KEY, divisor int NOT NULL);
      \(Notes.heldFunction)
      """)

  /// The views: groups from their rows, sums, and what is computed as a whole of them and of another table.
  static let views = [
    "own.by_owner": OwnProject.view(
      by: "owner", of: "own.note",
      "SELECT own.held(owner) AS owner, count(DISTINCT amount) AS amounts FROM {keys} k JOIN own.note n USING (owner) GROUP BY k.owner"
    ),
    "own.total": OwnProject.view(
      by: "owner", of: "own.note",
      "SELECT owner, sum(amount) AS amount FROM {keys} k JOIN own.note n USING (owner) GROUP BY owner"),
    "own.top": OwnProject.view(by: "", "SELECT max(amount) AS amount FROM own.total"),
    "own.share": OwnProject.view(by: "id", "SELECT id, 100 / divisor AS share FROM own.other"),
  ]

  private let scratch = Result { try Scratch() }
  let database: TestDatabase
  let program: Program
  private var started: [Program.Started] = []

  /// `other`: an empty database to take; one of the tests' own server when nil.
  init(in other: TestDatabase? = nil) throws {
    database = try other ?? TestServer.shared.makeDatabase()
    program = Program(database: database.url)
    for (name, text) in [
      "rivulet.yaml": "project: own\ntime_zone: UTC\n", "Pipelines/items/pipeline.yaml": Notes.pipeline,
      "Pipelines/items/layouts/notes.yaml": OwnProject.layout("notes", "name: id, csv: ID, type: text"),
      "Migrations/0001_own.sql": Self.migration,
    ] { try scratch.get().write(name, text) }
    for (name, text) in Self.views { try define(name, text) }
    try make()
    try database.connect().execute(
      "INSERT INTO own.note SELECT n, n % 10, n % 100 FROM generate_series(1, 300) n; INSERT INTO own.other VALUES (1, 4)"
    )
  }

  deinit { for program in started { program.signal(SIGKILL) } }

  var project: [String] { ["--project", (try? scratch.get().path) ?? ""] }

  /// Defines a view, or another under its name, in its file only.
  func define(_ name: String, _ text: String) throws {
    try scratch.get().write("Pipelines/items/views/\(name).sql", text)
  }

  /// Removes the file of a view.
  func forget(_ name: String) throws {
    try FileManager.default.removeItem(atPath: scratch.get().path + "/Pipelines/items/views/\(name).sql")
  }

  /// Makes the views as they are defined.
  func make() throws { try program.run(["migrate", "up"] + project).succeeded() }

  /// Starts a program that watches, and waits until it does.
  func watch(_ options: String..., at place: SourceLocation = #_sourceLocation) throws -> Program.Started {
    try watch(options, at: place)
  }

  /// The same.
  func watch(_ options: [String], at place: SourceLocation = #_sourceLocation) throws -> Program.Started {
    let program = try self.program.start(["refresh", "--watch"] + options + project)
    started.append(program)
    try #require(try program.says("watching "), sourceLocation: place)
    return program
  }

  /// Ends a program that watches, and expects that to be no failure.
  @discardableResult
  func end(_ program: Program.Started, by signal: Int32 = SIGTERM) throws -> Program.Outcome {
    program.signal(signal)
    return try program.wait().succeeded(showing: "ended after ")
  }

  /// Waits until a query finds a row, for less time than a program that was not woken sleeps.
  func finds(_ query: String, at place: SourceLocation = #_sourceLocation) throws {
    try Self.find(query, in: database, at: place)
  }

  /// The same in another database.
  static func find(
    _ query: String, in database: TestDatabase, at place: SourceLocation = #_sourceLocation
  ) throws {
    let connection = try database.connect()
    let deadline = Date.now + 50
    while try connection.execute(query).count == 0 {
      try #require(Date.now < deadline, "\(query)", sourceLocation: place)
      usleep(2_000)
    }
  }

  /// Waits until all views are what their SELECT gives, without anybody refreshing them here.
  func expectExact(at place: SourceLocation = #_sourceLocation) throws {
    let views = try database.rows("SELECT name, number FROM rivulet.view ORDER BY name")
    let differences = views.map { view in
      let parts = view.split(separator: "|")
      let (stored, now) = (
        "SELECT v::text FROM \(parts[0]) v", "SELECT v::text FROM rivulet.view_\(parts[1]) v"
      )
      return "(\(stored) EXCEPT ALL \(now)) UNION ALL (\(now) EXCEPT ALL \(stored))"
    }
    // In one statement, since they read each other.
    try finds("SELECT WHERE NOT EXISTS (\(differences.joined(separator: " UNION ALL ")))", at: place)
  }

  /// Waits until a watching session of a database sleeps.
  static func awaitSleep(in database: TestDatabase, at place: SourceLocation = #_sourceLocation) throws {
    try #require(
      try database.finds("SELECT \(session(with: "rivulet watch asleep")) AND a.state = 'idle'"),
      sourceLocation: place)
  }

  func awaitSleep(at place: SourceLocation = #_sourceLocation) throws {
    try Self.awaitSleep(in: database, at: place)
  }

  /// A FROM with the session `a` that has a lock alone.
  static func session(with lock: String) -> String {
    """
    FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE locktype = 'advisory' AND granted
      AND mode = 'ExclusiveLock' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = hashtextextended('\(lock)', 7711)
    """
  }
}
