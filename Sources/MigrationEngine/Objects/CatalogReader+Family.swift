import PostgreSQL

extension CatalogReader {
  /// Objects with all that they are a piece of, and with all pieces of that: what is said of a table by its
  /// columns, constraints and indexes. What inherits goes along: it is described by where it differs.
  static func family(
    of addresses: Set<CatalogAddress>, on connection: Connection
  ) throws -> Set<CatalogAddress> {
    let lists = [addresses.map(\.catalog), addresses.map(\.number)].map { "'{\($0.joined(separator: ","))}'" }
    let rows = try connection.execute("EXECUTE rivulet_family (\(lists.joined(separator: ", ")))")
    return Set(try rows.rows.map { try CatalogAddress($0) })
  }

  /// Prepares ``family(of:on:)``, which takes longer to plan than to run, in a session.
  static func prepareFamily(on connection: Connection) throws {
    try connection.execute(
      """
      PREPARE rivulet_family (oid[], oid[]) AS WITH RECURSIVE family AS (
        SELECT * FROM unnest($1::oid[], $2::oid[]) a (catalog, number)
        UNION SELECT x.* FROM family f, LATERAL (
          SELECT classid, objid FROM pg_depend
          WHERE (refclassid, refobjid) = (f.catalog, f.number) AND deptype IN ('a', 'i', 'P', 'S')
          UNION ALL SELECT refclassid, refobjid FROM pg_depend
          WHERE (classid, objid) = (f.catalog, f.number) AND deptype IN ('a', 'i', 'P', 'S')
          UNION ALL SELECT f.catalog, inhrelid FROM pg_inherits
          WHERE inhparent = f.number AND f.catalog = 'pg_class'::regclass) x)
      SELECT * FROM family
      """)
  }
}
