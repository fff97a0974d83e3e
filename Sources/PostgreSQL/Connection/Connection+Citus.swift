extension Connection {
  /// Whether the database has the extension Citus, which keeps tables on several servers; asked once, or again
  /// where a migration may have made it.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func hasCitus(asksAgain: Bool = false) throws(PostgreSQLError) -> Bool {
    if let knownCitus, !asksAgain { return knownCitus }
    let found = try query("SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus')")
    let hasCitus = found.first?[0] == "t"
    knownCitus = hasCitus
    return hasCitus
  }
}

extension Notice {
  /// Citus says of each view and function that reads a local table that the other servers do not get it, which is
  /// how local tables are meant.
  var isOfCitusAboutLocalObjects: Bool {
    severity == "WARNING" && detail?.hasSuffix("will be created only locally") == true
  }
}
