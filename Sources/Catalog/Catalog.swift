import Host
public import PostgreSQL

/// The program's own schema, `rivulet`: the migration history, the ledger of runs, the releases.
///
/// It is versioned inside the program, so that a database and a program of different ages can tell.
public enum Catalog {
  /// The version that this program makes and understands.
  public static var version: Int { steps.count }

  /// Why the schema cannot be used.
  public enum Problem: Error, CustomStringConvertible, Sendable {
    /// A later program has changed the schema.
    case newer(found: Int, known: Int)

    /// A sentence for the user.
    public var description: String {
      switch self {
      case .newer(let found, let known):
        "the schema 'rivulet' in this database is of version \(found), this program knows \(known): "
          + "use the newer rivulet that made it"
      }
    }
  }

  /// Makes the schema, or brings it up to this program's version; does nothing where it is there already.
  ///
  /// Throws `MissingRights` where the role may not.
  public static func prepare(_ connection: Connection) throws {
    try connection.namingRights(in: ["rivulet"]) { try prepare(connection, upTo: version) }
  }

  /// The same, and gives the rows of each of some queries: in one round trip where the schema is as it has to be.
  public static func prepare(_ connection: Connection, asking sql: String) throws -> [ResultSet] {
    // What cannot be asked yet is told by the way that makes the schema, or says why not.
    let answers = try? connection.answers(to: "SELECT version FROM rivulet.catalog_version; \(sql)")
    if let answers, let steps = answers.first,
      try steps.rows.map({ try $0.value(0, Int.self) }).max() == version
    {
      return Array(answers.dropFirst())
    }
    try prepare(connection)
    return try connection.answers(to: sql)
  }

  /// The same as the program of a version does it.
  static func prepare(_ connection: Connection, upTo version: Int) throws {
    let found = try installedVersion(connection)
    if found == version { return }
    guard found < version else { throw Problem.newer(found: found, known: version) }
    let deadline = Machine.seconds + patience
    while true {
      do {
        return try bringUp(connection, to: version)
      } catch let error as PostgreSQLError where ["40P01", "55P03"].contains(error.sqlState) {
        guard Machine.seconds < deadline else { throw error }
        try Interruption.shared.sleep(seconds: .random(in: 0.2...0.6))
      }
    }
  }

  /// So long a refresh or a run that holds a table of the schema is waited for, in seconds: not in one go, since whoever
  /// comes later waits behind who waits.
  private static let patience = 60.0

  private static func bringUp(_ connection: Connection, to version: Int) throws {
    try connection.transaction(settings: "SET LOCAL lock_timeout = '1s'") {
      // Two programs that come first at the same time: the second waits, then finds nothing left to do.
      try connection.query(
        "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('rivulet catalog', 7711::bigint))"
      )
      let start = try installedVersion(connection)
      if start == 0 {
        try connection.execute(
          """
          CREATE SCHEMA IF NOT EXISTS rivulet;
          CREATE TABLE IF NOT EXISTS rivulet.catalog_version (
            version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
          """)
      } else if start < version {
        // In the order in which a refresh takes them: it has read its view where it notes that it has been.
        try connection.execute("LOCK TABLE rivulet.view IN ACCESS EXCLUSIVE MODE")
      }
      for (index, step) in steps.prefix(version).enumerated().dropFirst(start) {
        try connection.execute(step)
        try connection.query(
          "INSERT INTO rivulet.catalog_version (version) VALUES ($1)", [.integer(index + 1)])
      }
    }
  }

  /// The version in the database; 0 where the schema is missing.
  public static func installedVersion(_ connection: Connection) throws(PostgreSQLError) -> Int {
    guard try connection.query("SELECT to_regclass('rivulet.catalog_version')")[0][0] != nil else { return 0 }
    return try connection.query("SELECT coalesce(max(version), 0) FROM rivulet.catalog_version")[0]
      .value(0, Int.self)
  }

  private static let steps = [
    CatalogStep1.sql, CatalogStep2.sql, CatalogStep3.sql, CatalogStep4.sql, CatalogStep5.sql,
    CatalogStep6.sql, CatalogStep7.sql, CatalogStep8.sql, CatalogStep9.sql, CatalogStep10.sql,
  ]
}
