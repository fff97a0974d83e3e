import PostgreSQL
import TestSupport
import Testing

/// Time-outs that an administrator has set for a role, a database or both: each command does its work, or
/// ends with 1 and says which time-out it was and where it is set.
@Suite("A time-out")
struct RoleTimeoutTests {
  /// Where it is set; `%` is the role, `@` the database.
  static let places = ["ROLE %", "DATABASE @", "ROLE % IN DATABASE @"]

  /// A role that may do everything in a project of its own, and the program as this role.
  private struct Place {
    let own: OwnProject
    let role: String
    let program: Program

    /// The words of a command in the project.
    func words(_ words: String...) -> [String] { words + own.project }

    init(_ own: OwnProject) throws {
      self.own = own
      role = "timed_\(own.database.name)"
      try own.database.connect().execute(
        """
        CREATE ROLE \(role) LOGIN;
        GRANT CREATE ON DATABASE \(Quote.identifier(own.database.name)) TO \(role)
        """)
      program = Program(database: own.database.url(as: role))
    }

    /// Sets or resets it, for sessions to come.
    func alter(_ place: String, _ change: String) throws {
      let subject = place.replacing("%", with: role).replacing(
        "@", with: Quote.identifier(own.database.name))
      try own.database.connect().execute("ALTER \(subject) \(change)")
    }

    /// Takes the role away.
    func end() throws {
      try own.database.connect().execute(
        "REASSIGN OWNED BY \(role) TO rivulet; DROP OWNED BY \(role); DROP ROLE \(role)")
    }
  }

  @Test(
    "for locks or idle sessions that is set for the role keeps no command from its work", arguments: places)
  func harmless(set: String) throws {
    let place = try Place(try OwnProject(NumberedPipelines.files(1)))
    try NumberedPipelines.write(["R202501", "R202502"], in: place.own)
    // Between connecting and its first statement the program is idle for a moment itself.
    for (name, value) in [
      ("lock_timeout", "1ms"), ("idle_session_timeout", "15s"),
      ("idle_in_transaction_session_timeout", "1ms"),
    ] { try place.alter(set, "SET \(name) = '\(value)'") }
    let (own, program) = (place.own, place.program)
    let header = "/* rivulet query\ndescription: what is set\n*/\n"
    try own.scratch.write(
      "Pipelines/items1/queries/idle.sql", header + "SELECT current_setting('idle_session_timeout') AS idle\n"
    )
    try program.run(place.words("migrate", "up")).succeeded()
    let idle = try program.run(place.words("query", "idle", "--as", "csv")).succeeded().output
    #expect(idle == "idle\r\n0\r\n")
    try program.run(place.words("run", "items1", own.path("R202501"), own.path("R202502"))).succeeded()
    try program.run(place.words("releases", "rollback", "items1")).succeeded()
    try program.run(place.words("refresh", "--full")).succeeded()
    try program.run(place.words("migrate", "status")).succeeded()
    #expect(try own.value("SELECT rows FROM many.totals") == "\(NumberedPipelines.records)")
    try program.run(place.words("migrate", "down", "--to", "0", "--yes")).succeeded()
    try place.end()
  }

  @Test(
    "for statements ends a migration, a query, a run and a refresh with 1, by its name and with the place where it is set",
    arguments: places)
  func statements(set: String) throws {
    let slow = "-- rivulet:up\nSELECT pg_sleep(120);\n-- rivulet:down\nSELECT 1;\n"
    let place = try Place(try OwnProject(NumberedPipelines.files(1)))
    let (own, program) = (place.own, place.program)
    try NumberedPipelines.write(["R202501"], in: own)
    let query = "/* rivulet query\ndescription: \"waits\"\n*/\nSELECT pg_sleep(120)\n"
    try own.scratch.write("Pipelines/items1/queries/slow.sql", query)
    try program.run(place.words("migrate", "up")).succeeded()
    try own.database.connect().execute(
      """
      CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(120); RETURN NULL; END $$;
      CREATE TRIGGER sleep BEFORE INSERT ON rivulet.release_table EXECUTE FUNCTION sleep();
      """)
    try own.scratch.write("Migrations/0002_slow.sql", slow)
    try place.alter(set, "SET statement_timeout = '6s'")
    let subject = set.replacing("%", with: place.role).replacing("@", with: own.database.name)
    let says = "statement_timeout is 6s, by ALTER \(subject) SET"
    try program.run(place.words("migrate", "up")).failed(1, saying: says, "statement_timeout = 0")
    try program.run(place.words("query", "slow")).failed(1, saying: says, "statement_timeout = 0")
    try program.run(place.words("run", "items1", own.path("R202501"))).failed(1, saying: says)
    #expect(try PublishedContent.leftovers(in: own.database) == [])
    try own.database.connect().execute("DROP TRIGGER sleep ON rivulet.release_table")
    try program.run(place.words("run", "items1", own.path("R202501"))).succeeded()
    try own.database.connect().execute(
      "CREATE TRIGGER sleep BEFORE INSERT ON rivulet.view_refresh EXECUTE FUNCTION sleep()")
    try program.run(place.words("refresh", "--full")).failed(1, saying: says)
    try own.database.connect().execute("DROP FUNCTION sleep CASCADE")
    try place.alter(set, "RESET statement_timeout")
    try own.edit("Migrations/0002_slow.sql", "pg_sleep(120)", to: "1")
    try program.run(place.words("migrate", "up")).succeeded()
    try place.end()
  }

  @Test(
    "for transactions (17 and later) ends a run with 1 at once, by its name and with the place where it is set",
    .enabled(if: InstalledServer(17) != nil, "needs PostgreSQL 17, which .ci/setup brings"))
  func transactions() throws {
    let server = try #require(InstalledServer(17))
    try server.whileRunning { cluster, _ in
      let database = try cluster.makeDatabase()
      let program = Program(database: database.url)
      try program.run("migrate", "up", "-q").succeeded()
      let name = Quote.identifier(database.name)
      try database.connect().execute(
        """
        CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
        CREATE TRIGGER sleep BEFORE INSERT ON rivulet.release_table EXECUTE FUNCTION sleep();
        ALTER DATABASE \(name) SET transaction_timeout = '6s'
        """)
      let zip = Sample.path
      let run = try program.run("run", "cms-rvu", zip).failed(
        1, saying: "transaction timeout",
        "transaction_timeout is 6s, by ALTER DATABASE \(database.name) SET",
        "transaction_timeout = 0")
      #expect(!run.errors.contains("trying again"), "\(run.errors)")
      #expect(try database.value(LostConnectionTests.outcome) == "failed 0 0")
      try database.connect().execute(
        """
        DROP FUNCTION sleep CASCADE; ALTER DATABASE \(name) RESET transaction_timeout;
        ALTER DATABASE \(name) SET idle_in_transaction_session_timeout = '1ms'
        """)
      try program.run("run", "cms-rvu", zip).succeeded()
    }
  }
}
