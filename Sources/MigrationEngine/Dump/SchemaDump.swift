public import PostgreSQL

/// The schema of a database as SQL, read from the catalog and written in one order, so that databases of the
/// same schema give the same text: no version, no date, no host, nothing that follows from the order in which
/// things were made.
///
/// ```swift
/// let dump = try SchemaDump(of: connection)
/// try other.run(script: dump.sql)   // on an empty database
/// ```
///
/// Left out are the schema `rivulet`, which `migrate up` makes; what belongs to an extension, which `CREATE
/// EXTENSION` makes; owners, tablespaces and roles, which are the cluster's; rows, and so the values of
/// sequences. Roles that privileges, policies and user mappings name must exist where it is replayed.
public struct SchemaDump: Sendable {
  /// The statements, each ended by a semicolon.
  public var sql: String { pieces.joined(separator: "\n") }
  /// The same, an object each, for replaying that does not hold the locks of all in one transaction.
  let pieces: [String]
  /// How many objects it makes.
  public let count: Int
  /// What the database has that is not written, or not as it is, each as a sentence without its full stop.
  public let unsupported: [String]

  /// Reads a database in one read-only transaction; relations named as `schema.name` are left out with
  /// everything that is theirs.
  /// - Throws: `PostgreSQLError` where a catalog cannot be read.
  public init(of connection: Connection, leavingOut relations: Set<String> = []) throws {
    self = try CatalogReader.lend(on: connection, leavingOut: relations) { reader in
      var draft = try DumpDraft(reader)
      let hasPublicSchema = draft.hasPublicSchema
      try draft.mergeParts()
      try draft.attach()
      return SchemaDump(try draft.written(), hasPublicSchema)
    }
  }

  private init(_ draft: (objects: [CatalogObject], omissions: [String]), _ hasPublicSchema: Bool) {
    let blocks = draft.objects.map { $0.statements.map { $0 + ";\n" }.joined() }.filter { !$0.isEmpty }
    var head = SchemaDump.head
    if !hasPublicSchema { head += "DROP SCHEMA public;\n" }
    pieces = [head] + blocks
    count = blocks.count
    unsupported = draft.omissions
  }

  /// Functions come before the tables that their bodies name, and all names are qualified.
  private static let head = "SET check_function_bodies = off;\nSET search_path = '';\n"
}
