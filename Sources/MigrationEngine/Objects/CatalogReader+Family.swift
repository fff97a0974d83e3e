import PostgreSQL

extension CatalogReader {
  /// Objects with all that they are a piece of, and with all pieces of that: what is said of a table by its
  /// columns, constraints and indexes. What inherits goes along: it is described by where it differs.
  static func family(
    of addresses: Set<CatalogAddress>, on connection: Connection
  ) throws -> Set<CatalogAddress> {
    let addresses = Array(addresses)
    let rows = try connection.query(
      """
      WITH RECURSIVE family AS (
        SELECT * FROM unnest($1::oid[], $2::oid[]) a (catalog, number)
        UNION SELECT x.* FROM family f, LATERAL (
          SELECT classid, objid FROM pg_depend
          WHERE (refclassid, refobjid) = (f.catalog, f.number) AND deptype IN ('a', 'i', 'P', 'S')
          UNION ALL SELECT refclassid, refobjid FROM pg_depend
          WHERE (classid, objid) = (f.catalog, f.number) AND deptype IN ('a', 'i', 'P', 'S')
          UNION ALL SELECT f.catalog, inhrelid FROM pg_inherits
          WHERE inhparent = f.number AND f.catalog = 'pg_class'::regclass) x)
      SELECT * FROM family
      """, [.textArray(addresses.map(\.catalog)), .textArray(addresses.map(\.number))])
    return Set(try rows.rows.map { try CatalogAddress($0) })
  }
}
