import Host
public import PostgreSQL

/// The program's own schema, `rivulet`: the migration history, the ledger of runs, the releases.
///
/// It is versioned inside the program, so that a program sees whether a database is older or newer than
/// itself.
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
        "the schema 'rivulet' in this database is of version \(found), this program knows \(known)"
      }
    }

    /// How to go on.
    public var hint: String { "use the newer rivulet that made it: 'rivulet --version' says which this is" }
  }

  /// Makes the schema, or brings it up to this program's version; does nothing where it is there already.
  ///
  /// - Throws: ``Problem`` where a newer program has made it, `MissingRights` where the role may not,
  ///   `Interrupted` as
  ///   soon as the program is asked to end, and `PostgreSQLError`.
  public static func prepare(_ connection: Connection) throws {
    try connection.namingRights { try prepare(connection, steps: steps) }
  }

  /// The same as a program does it that knows these steps.
  static func prepare(_ connection: Connection, steps: [String]) throws {
    let found = try installedVersion(connection)
    if found == steps.count { return }
    guard found < steps.count else { throw Problem.newer(found: found, known: steps.count) }
    // Not in one go: who comes later waits behind who waits.
    try RetryPolicy.locks(seconds: lockTimeout, pause: 0.4).run { _ in
      try apply(steps, on: connection)
    }
  }

  /// How long a refresh or a run that holds a table of the schema is waited for, in seconds.
  private static let lockTimeout = 60.0

  private static func apply(_ steps: [String], on connection: Connection) throws {
    try connection.transaction(settings: "SET LOCAL lock_timeout = '1s'") {
      // Two programs that come first at the same time: the second waits, then finds nothing left to do.
      try connection.query(
        "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('rivulet catalog', 7711::bigint))"
      )
      let start = try installedVersion(connection)
      if start > steps.count { throw Problem.newer(found: start, known: steps.count) }
      if start == 0 {
        try connection.execute(making)
      } else if start < steps.count {
        // In the order in which a refresh takes them: it has read its view where it records that it has been.
        try connection.execute("LOCK TABLE rivulet.view IN ACCESS EXCLUSIVE MODE")
      }
      for (index, step) in steps.enumerated().dropFirst(start) {
        try connection.execute(step)
        try connection.query(
          "INSERT INTO rivulet.catalog_version (version) VALUES ($1)", [.integer(index + 1)])
      }
    }
  }

  /// The SQL that brings the schema from a version to this program's, in a transaction of somebody else's.
  public static func script(from version: Int) -> String {
    if version >= steps.count { return "" }
    let start = version == 0 ? making : "LOCK TABLE rivulet.view IN ACCESS EXCLUSIVE MODE;\n"
    return steps.enumerated().dropFirst(version).reduce(start) { script, step in
      script + step.element + "INSERT INTO rivulet.catalog_version (version) VALUES (\(step.offset + 1));\n"
    }
  }

  private static let making = """
    CREATE SCHEMA IF NOT EXISTS rivulet;
    CREATE TABLE IF NOT EXISTS rivulet.catalog_version (
      version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());

    """

  /// The version in the database; 0 where the schema is missing.
  ///
  /// - Throws: `PostgreSQLError` where it cannot be read.
  public static func installedVersion(_ connection: Connection) throws(PostgreSQLError) -> Int {
    // Not by to_regclass(): a session that has found no schema does not see within the same transaction that
    // another one has made it meanwhile.
    let isThere = try connection.query(
      """
      SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = 'rivulet' AND relname = 'catalog_version')
      """)[0].value(0, Bool.self)
    guard isThere else { return 0 }
    return try connection.query("SELECT coalesce(max(version), 0) FROM rivulet.catalog_version")[0]
      .value(0, Int.self)
  }

  /// The SQL that leads from each version to the next, from none on: what a deployed database has is never
  /// edited, but followed by another step.
  static let steps = [
    CatalogSchema.sql, CatalogSchema.marks, CatalogSchema.batches,
    CatalogSchema.staging + CatalogSchema.loaders, CatalogSchema.placement,
  ]
}
