import PostgreSQL

extension CatalogReader {
  /// What belongs to extensions: their members, and what goes with these as an index goes with its table,
  /// which the catalog does not call a member. A table that is a partition of a member is its maker's.
  static func extensionMembers(_ connection: Connection) throws -> Set<CatalogAddress> {
    let rows = try connection.query(
      """
      WITH RECURSIVE member AS (
        SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
        UNION SELECT d.classid, d.objid FROM member m
        JOIN pg_depend d ON (d.refclassid, d.refobjid) = (m.classid, m.objid) AND d.deptype IN ('a', 'i')
        WHERE m.classid IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_type'::regclass)
          AND NOT EXISTS (SELECT FROM pg_class WHERE d.classid = 'pg_class'::regclass AND oid = d.objid
            AND relkind IN ('r', 'p', 'f')))
      SELECT classid, objid FROM member
      """)
    return Set(try rows.rows.map { try CatalogAddress($0) })
  }
}
