import PostgreSQL

/// The relations that a database has before anything pending is applied, by their numbers.
struct KnownRelations {
  struct Relation {
    /// As `schema.name`, quoted where need be.
    let name: String
    /// The same without quotes.
    let plain: SQLName
    /// The number of the table, of an index; else its own.
    let table: String
    let isIndex: Bool
    /// A table of any sort or a materialised view.
    let isTable: Bool
    /// The number of the table that a partition belongs to.
    let parent: String?
  }

  private(set) var relations: [String: Relation] = [:]

  /// Reads them; the server's own, those of extensions and of the schema `rivulet` are not among them.
  init(_ connection: Connection) throws {
    let rows = try connection.query(
      """
      SELECT c.oid, format('%I.%I', nspname, relname), coalesce(indrelid, c.oid), indrelid IS NOT NULL,
        relkind IN ('r', 'p', 'f', 'm'), inhparent, nspname, relname
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace LEFT JOIN pg_index ON indexrelid = c.oid
      LEFT JOIN pg_inherits ON inhrelid = c.oid AND relispartition
      WHERE relkind IN ('r', 'p', 'f', 'm', 'v', 'S', 'i', 'I') AND nspname !~ '^pg_'
        AND nspname NOT IN ('information_schema', 'rivulet')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE (classid, objid) = ('pg_class'::regclass, coalesce(indrelid, c.oid))
          AND deptype = 'e')
      """)
    for row in rows.rows {
      relations[try row.value(0)] = Relation(
        name: try row.value(1), plain: SQLName(schema: row[6], try row.value(7)), table: try row.value(2),
        isIndex: try row.value(3),
        isTable: try row.value(4), parent: row[5])
    }
  }

  subscript(number: String) -> Relation? { relations[number] }

  /// Relations by their numbers and the files that they are in now.
  func files(_ connection: Connection) throws -> [String: String] {
    let rows = try connection.query(
      "SELECT oid, pg_relation_filenode(oid) FROM pg_class WHERE relkind IN ('r', 'm', 'i')")
    var files: [String: String] = [:]
    for row in rows.rows {
      guard let number = row[0], let file = row[1], relations[number] != nil else { continue }
      files[number] = file
    }
    return files
  }

  /// How many rows the tables of a database have, by its statistics and by their names as the server quotes
  /// them; those that nobody has counted are not among them.
  ///
  /// A partitioned table has what its partitions have; a file of no bytes has no rows, whatever was analysed.
  static func sizes(_ connection: Connection) throws -> [String: Int] {
    let found = try connection.query(
      """
      SELECT format('%I.%I', nspname, relname), size::bigint FROM pg_class c
      JOIN pg_namespace n ON n.oid = relnamespace,
      LATERAL (SELECT CASE WHEN count(*) = count(leaf_rows) THEN coalesce(sum(leaf_rows), 0) END AS size FROM (
        SELECT CASE WHEN l.reltuples >= 0 THEN l.reltuples::numeric WHEN pg_relation_size(l.oid) = 0 THEN 0 END AS leaf_rows
        FROM pg_class l WHERE l.oid = c.oid AND c.relkind IN ('r', 'm')
        UNION ALL
        SELECT CASE WHEN l.reltuples >= 0 THEN l.reltuples::numeric WHEN pg_relation_size(l.oid) = 0 THEN 0 END
        FROM pg_partition_tree(CASE c.relkind WHEN 'p' THEN c.oid END) t JOIN pg_class l ON l.oid = t.relid
        WHERE isleaf AND l.relkind = 'r') leaves) s
      WHERE relkind IN ('r', 'p', 'm') AND nspname !~ '^pg_' AND nspname <> 'information_schema' AND size IS NOT NULL
      """)
    return Dictionary(
      try found.rows.map { (try $0.value(0, String.self), try $0.value(1, Int.self)) },
      uniquingKeysWith: { $1 })
  }
}
