extension Connection {
  /// A SELECT of a boolean: whether the database has the extension.
  static let asksForCitus = "SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus')"

  /// Asks again for ``hasCitus``, where a migration may have made the extension.
  /// - Returns: whether it is there.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func findCitus() throws(PostgreSQLError) -> Bool {
    hasCitus = try query(Self.asksForCitus).first?[0] == "t"
    return hasCitus
  }

  /// SQL for what a table takes with its indexes, in bytes: of a distributed one on all servers, of a reference table
  /// one copy.
  ///
  /// Whether all servers answer is asked once in a statement, as each that does not is waited for.
  /// - Parameter relation: SQL for the table, an `oid` or `regclass`.
  /// - Returns: a `bigint`; null where the table is not there, and of a distributed one where the role may not read it
  ///   or a server does not answer.
  public func totalSize(of relation: String) -> String {
    let here = "pg_total_relation_size(\(relation))"
    guard hasCitus else { return here }
    return """
      CASE WHEN NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = \(relation) AND partmethod = 'h')
      THEN \(here)
      WHEN has_table_privilege(\(relation), 'SELECT') AND (SELECT bool_and(citus_check_connection_to_node(
        nodename, nodeport)) FROM pg_dist_node WHERE isactive AND noderole = 'primary')
      THEN citus_total_relation_size(\(relation), false) END
      """
  }

  /// Begins a transaction in which other servers, which know nothing of this session's settings, do not compile their
  /// parts of statements either: it would cost each of them a second.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  func beginOnCluster(_ settings: String) throws(PostgreSQLError) {
    try execute("BEGIN; SET LOCAL citus.propagate_set_commands = 'local'")
    // They are sent the message whole.
    try execute("SET LOCAL jit = off")
    try execute("SET LOCAL citus.propagate_set_commands TO DEFAULT;" + settings)
  }
}

extension Notice {
  /// Citus says of each view and function that reads a local table that the other servers do not get it, which is
  /// how local tables are meant.
  var isOfCitusAboutLocalObjects: Bool {
    severity == "WARNING" && detail?.hasSuffix("will be created only locally") == true
  }
}
