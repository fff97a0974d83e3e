public import PostgreSQL

/// The three roles of a database, as the server is to enforce them: who migrates, who loads, who reads.
///
/// ```swift
/// let lacking = try DatabaseRoles().lacking(on: connection)   // nothing where all is as it should be
/// ```
public struct DatabaseRoles: Sendable {
  /// Owns everything, and migrates.
  public let owner: String
  /// Runs, publishes, refreshes and drops releases, by functions with the owner's rights where it needs these.
  public let loader: String
  /// Reads what is published.
  public let reader: String
  /// What the names begin with.
  public let prefix: String

  /// The roles whose names begin so.
  public init(prefix: String = DatabaseRoles.usualPrefix) {
    self.prefix = prefix
    (owner, loader, reader) = (prefix + "_owner", prefix + "_loader", prefix + "_reader")
  }

  /// What the names begin with where nobody says otherwise.
  public static let usualPrefix = "rivulet"

  /// Those that a database has been given; nil where it has none.
  /// - Throws: `PostgreSQLError`.
  public init?(of connection: Connection) throws {
    let loader = try connection.query(
      """
      SELECT r.rolname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
      CROSS JOIN pg_catalog.aclexplode(p.proacl) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
      WHERE n.nspname = 'rivulet' AND p.proname = 'owner_stage_table' AND r.rolname LIKE '%\\_loader' ORDER BY 1 LIMIT 1
      """)
    guard let name = loader.first?[0] else { return nil }
    self.init(prefix: String(name.dropLast("_loader".count)))
  }

  /// What a statement is about.
  public enum Subject: Int, Sendable, CaseIterable {
    case roles, database, owners, privileges, defaults
  }

  /// A statement that brings the database nearer to what it should be.
  public struct Statement: Sendable {
    /// What it is about.
    public let subject: Subject
    /// The statement, without its semicolon.
    public let sql: String
  }

  /// Whether there is something that rights can be given on: the schema `rivulet`.
  /// - Throws: `PostgreSQLError`.
  public static func hasSchema(_ connection: Connection) throws -> Bool {
    try connection.query("SELECT to_regnamespace('rivulet') IS NOT NULL")[0].value(0)
  }

  /// The statements that are lacking, in the order in which they are to be run; of the database itself nothing
  /// is changed.
  /// - Throws: `PostgreSQLError`.
  public func lacking(on connection: Connection) throws -> [Statement] {
    let names = [owner, loader, reader].map(Parameter.text)
    var queries: [(Subject, String, [Parameter])] = [
      (.roles, Self.roles, names), (.database, Self.database, names),
    ]
    if try Self.hasSchema(connection) {
      queries += [
        (.owners, Self.owners, [names[0]]), (.privileges, Self.privileges, names),
        (.defaults, Self.defaults, names),
      ]
    }
    return try connection.transaction(settings: "SET LOCAL search_path = ''; SET LOCAL jit = off") {
      try queries.flatMap { subject, query, names in
        try connection.query(query, names).rows.map { Statement(subject: subject, sql: try $0.value(0)) }
      }
    }
  }

  /// Gives the roles in a shadow of the database what they have there: what was granted so is no drift.
  func repeatGrants(in shadow: Connection) throws {
    for statement in try lacking(on: shadow) where ![.roles, .database].contains(statement.subject) {
      try shadow.execute(statement.sql)
    }
  }

  /// Runs what is lacking, in one transaction.
  /// - Returns: what was run.
  /// - Throws: `MissingRights` where the role may not, and `PostgreSQLError`.
  public func apply(on connection: Connection) throws -> [Statement] {
    try connection.namingRights {
      try connection.transaction(settings: "SET LOCAL lock_timeout = '5s'") {
        let statements = try lacking(on: connection)
        for statement in statements { try connection.execute(statement.sql) }
        return statements
      }
    }
  }
}
