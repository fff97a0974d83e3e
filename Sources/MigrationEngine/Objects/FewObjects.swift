import PostgreSQL

/// Some objects of a catalog, to be read alone.
struct FewObjects {
  let addresses: Set<CatalogAddress>
  let queries: PreparedQueries
  /// The names of the catalogs that they are in.
  fileprivate let catalogs: Set<String>

  /// Whether some of them may be of a kind that is in a catalog.
  func mayHave(in catalog: String) -> Bool {
    catalogs.contains(FewObjects.borrowers.contains(catalog) ? "pg_class" : catalog)
  }

  /// Whether an address is one of theirs, in whatever catalog that says something of a relation.
  func contains(_ address: CatalogAddress) -> Bool {
    addresses.contains(address)
      || queries.borrowers.contains(address.catalog)
        && addresses.contains(CatalogAddress(catalog: CatalogAddress.relations, number: address.number))
  }

  /// Catalogs without numbers of their own, whose rows go by those of relations.
  fileprivate static let borrowers: Set<String> = ["pg_inherits", "pg_sequence", "pg_index"]

  /// The SQL that chooses them, for a transaction. The plans are made once, for catalogs of whatever size and, as
  /// the planner does not see into a subquery, for however many objects: by indexes.
  var choice: String {
    """
    SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
    SET LOCAL rivulet.few = '{\(Set(addresses.map(\.number)).joined(separator: ","))}';
    """
  }
}

/// The queries of a ``CatalogReader`` for few objects, prepared in a session: to plan them takes ten times as
/// long as to run them.
struct PreparedQueries {
  private let names: [String: String]
  /// The names of catalogs by their numbers.
  private let catalogs: [String: String]
  /// The numbers of ``FewObjects/borrowers``.
  fileprivate let borrowers: Set<String>

  /// Prepares statements whose first two columns are an object's address.
  init(_ statements: [String], on connection: Connection) throws {
    var names: [String: String] = [:]
    for (index, statement) in statements.enumerated() {
      names[statement] = "rivulet_few_\(index)"
      try connection.execute(
        """
        PREPARE rivulet_few_\(index) AS SELECT * FROM (\(statement)) every (catalog, number)
        WHERE number = ANY ((SELECT current_setting('rivulet.few')::oid[])::oid[])
        """)
    }
    self.names = names
    let rows = try connection.query(
      "SELECT oid, relname FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r'")
    catalogs = Dictionary(
      try rows.rows.map { (try $0.value(0, String.self), try $0.value(1, String.self)) },
      uniquingKeysWith: { $1 })
    borrowers = Set(catalogs.filter { FewObjects.borrowers.contains($0.value) }.keys)
  }

  /// What is sent in the place of a statement.
  subscript(statement: String) -> String { names[statement].map { "EXECUTE \($0)" } ?? statement }

  /// Some objects, to be read by these queries.
  func few(_ addresses: Set<CatalogAddress>) -> FewObjects {
    FewObjects(
      addresses: addresses, queries: self, catalogs: Set(addresses.compactMap { catalogs[$0.catalog] }))
  }
}
