import PostgreSQL

/// How many rows a table has, and a number that follows from all their values and from no order of them.
struct TableDigest: Equatable {
  let table: String
  let rows: Int
  let sum: String

  /// Throws ``BenchError/failed(_:)`` unless they are what is expected.
  static func check(_ found: [TableDigest], are expected: [TableDigest]) throws {
    for (found, expected) in zip(found, expected) where found != expected {
      let what =
        found.rows == expected.rows
        ? "has other values than ours" : "has \(found.rows) rows instead of \(expected.rows)"
      throw BenchError.failed("its table \(found.table) \(what), so its time says nothing")
    }
  }
}

extension Workbench {
  /// The digests of the five tables in a schema, over all columns but those that name our files and lines.
  func digests(of schema: String) throws -> [TableDigest] {
    let connection = try connect(to: Workbench.own)
    return try Loading.tables.map { table in
      let columns: String = try connection.query(
        """
        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
        FROM pg_attribute
        WHERE attrelid = 'cms.\(table)'::regclass AND attnum > 0 AND NOT attisdropped
          AND attname NOT IN ('source_file_id', 'source_line')
        """)[0].value(0)
      let row = try connection.query(
        "SELECT count(*), coalesce(sum(hashtextextended(ROW(\(columns))::text, 0)), 0)::text FROM \(schema).\(table)"
      )[0]
      return TableDigest(table: table, rows: try row.value(0), sum: try row.value(1))
    }
  }
}
