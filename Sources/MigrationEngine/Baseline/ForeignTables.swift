import PostgreSQL

/// The tables in which other migration tools keep their history: what a database that was taken over has beside
/// what its migrations make.
enum ForeignTables {
  /// Those of the tools whose history can be read, and the one that Rails has beside a table like dbmate's.
  private static let tables =
    MigrationTool.allCases.flatMap(\.tables) + [
      ToolTable("ar_internal_metadata", ["key", "value", "created_at", "updated_at"])
    ]

  /// Them and the sequences of their columns, each as `schema.name` with neither part quoted; and the schemas that
  /// hold nothing else.
  static func find(on connection: Connection) throws -> (relations: Set<String>, schemas: [String]) {
    let wanted = tables.map { table in
      // A schema may be called otherwise.
      let name = table.mayBeRenamed ? "*" : table.name.split(separator: ".").last ?? ""
      return "\(name) \(table.columns.joined(separator: " "))"
    }
    let rows = try connection.query(
      """
      WITH kind AS (
        SELECT split_part(k, ' ', 1) AS name, (string_to_array(k, ' '))[2:] AS columns FROM unnest($1::text[]) k),
      tool AS (
        SELECT c.oid, relnamespace FROM pg_class c WHERE relkind = 'r' AND EXISTS (
          SELECT FROM kind WHERE kind.name IN ('*', relname) AND kind.columns <@ ARRAY(
            SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)
          -- One of a few columns that has others beside them may be anybody's.
          AND (cardinality(kind.columns) > 5 OR cardinality(kind.columns) = (
            SELECT count(*) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)))),
      own AS (
        SELECT oid, relnamespace FROM tool
        UNION SELECT s.oid, s.relnamespace FROM pg_class s
        JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
        JOIN tool ON tool.oid = d.refobjid WHERE s.relkind = 'S')
      SELECT nspname || '.' || relname, quote_ident(nspname), nspname <> 'public' AND NOT EXISTS (
        SELECT FROM pg_class o WHERE o.relnamespace = n.oid AND o.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
          AND o.oid NOT IN (SELECT oid FROM own))
      FROM own JOIN pg_class c ON c.oid = own.oid JOIN pg_namespace n ON n.oid = c.relnamespace
      """, [.textArray(wanted)]
    ).rows
    let schemas = rows.filter { $0[2] == "t" }.compactMap { $0[1] }
    return (Set(rows.compactMap { $0[0] }), Set(schemas).sorted())
  }
}
