import PostgreSQL

/// The type of a table's column, and what it means there that two values are equal.
struct ColumnType {
  /// The column's place in the table, from 1.
  let position: Int
  /// The type as it is written, with its length or precision.
  let name: String
  /// `COLLATE` with the column's collation; empty where that is the type's own.
  let collation: String
  /// The equality by which the server itself distinguishes values, with its schema: `OPERATOR(ext.=)`.
  let equality: String
  /// Whether equal values are identical. They are not where 1.0 is 1.00, or `a` is `A`.
  let isExact: Bool
  /// Whether a FULL JOIN can be by the equality: it is one that can be hashed or merged by. Those of the
  /// server are.
  let isJoinable: Bool

  /// Of a column that holds nothing but that something is so.
  static let boolean = ColumnType(
    position: 1, name: "boolean", collation: "", equality: "OPERATOR(pg_catalog.=)",
    isExact: true, isJoinable: true)

  /// The columns of a table by their names, in no order.
  /// - Parameters:
  ///   - table: quoted; also one that is temporary.
  ///   - connection: where the table is.
  /// - Returns: the columns; none where there is no such table.
  /// - Throws: `PostgreSQLError`.
  static func columns(of table: String, on connection: Connection) throws -> [String: ColumnType] {
    try columns(of: [table], on: connection)[table] ?? [:]
  }

  /// The same of several tables, by the tables.
  /// - Throws: `PostgreSQLError`.
  static func columns(
    of tables: [String], on connection: Connection
  ) throws -> [String: [String: ColumnType]] {
    let rows = try connection.query(columns, [.textArray(tables)]).rows
    return try rows.reduce(into: [:]) { found, row in
      found[try row.value(0), default: [:]][try row.value(1)] = ColumnType(
        position: try row.value(2), name: try row.value(3), collation: try row.value(4),
        equality: try row.value(5), isExact: try row.value(6), isJoinable: try row.value(7))
    }
  }

  /// A domain is compared as its type is, and arrays, enums, ranges and rows by what is common to all of
  /// them. Whether equal values are identical the server knows for its own sake, before it keeps one of them
  /// in an index for all.
  private static let columns = """
    SELECT tables.name, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod),
      CASE WHEN l.oid <> t.typcollation THEN format(' COLLATE %I.%I', ln.nspname, l.collname) ELSE '' END,
      coalesce(own.operator, 'OPERATOR(pg_catalog.=)'),
      coalesce(own.is_exact, true) AND coalesce(l.collisdeterministic, true), coalesce(own.is_joinable, true)
    FROM unnest($1::text[]) tables(name)
    JOIN pg_attribute a ON a.attrelid = to_regclass(tables.name) AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_collation l ON l.oid = a.attcollation LEFT JOIN pg_namespace ln ON ln.oid = l.collnamespace
    CROSS JOIN LATERAL (
      WITH RECURSIVE base(id) AS (
        SELECT t.oid UNION ALL SELECT d.typbasetype
          FROM base JOIN pg_type d ON d.oid = base.id AND d.typtype = 'd')
      SELECT CASE
        WHEN b.oid = 'varchar'::regtype THEN 'text'::regtype
        WHEN b.typcategory = 'A' THEN 'anyarray'::regtype
        WHEN b.typtype = 'e' THEN 'anyenum'::regtype
        WHEN b.typtype = 'r' THEN 'anyrange'::regtype
        WHEN b.typtype = 'm' THEN 'anymultirange'::regtype
        WHEN b.typtype = 'c' THEN 'record'::regtype
        ELSE b.oid END
      FROM base JOIN pg_type b ON b.oid = base.id AND b.typtype <> 'd') compared(type)
    LEFT JOIN LATERAL (
      SELECT format('OPERATOR(%I.%s)', n.nspname, o.oprname), c.opcintype = 'anyenum'::regtype
        OR m.amname = 'hash'
        OR EXISTS (SELECT FROM pg_amproc p WHERE p.amprocfamily = c.opcfamily
          AND p.amproclefttype = c.opcintype
          AND p.amprocrighttype = c.opcintype AND p.amprocnum = 4), o.oprcanhash OR o.oprcanmerge
      FROM pg_opclass c JOIN pg_am m ON m.oid = c.opcmethod AND m.amname IN ('btree', 'hash')
      JOIN pg_amop e ON e.amopfamily = c.opcfamily AND e.amoplefttype = c.opcintype
        AND e.amoprighttype = c.opcintype AND e.amopstrategy = CASE m.amname WHEN 'btree' THEN 3 ELSE 1 END
      JOIN pg_operator o ON o.oid = e.amopopr JOIN pg_namespace n ON n.oid = o.oprnamespace
      WHERE c.opcdefault AND c.opcintype = compared.type ORDER BY m.amname LIMIT 1)
        own(operator, is_exact, is_joinable) ON true
    """
}

/// Which of some columns are null in a row.
///
/// Null is a value like any other in a key, but no index finds rows by `IS NOT DISTINCT FROM`. So rows are
/// looked for by plain conditions, one set for each pattern of nulls that occurs, which is nearly always the
/// one without any.
struct NullPattern {
  /// The columns, quoted, with the type of each and whether it is null.
  private let columns: [(name: String, type: ColumnType, isNull: Bool)]

  /// The patterns that occur in a table. A column whose type is not given is boolean.
  /// - Throws: `PostgreSQLError`.
  static func occurring(
    in table: String, _ columns: [String], _ types: [String: ColumnType], on connection: Connection
  ) throws -> [NullPattern] {
    func pattern(_ isNull: (Int) throws -> Bool) rethrows -> NullPattern {
      NullPattern(
        columns: try columns.enumerated().map { index, column in
          (Quote.identifier(column), types[column] ?? .boolean, try isNull(index))
        })
    }
    let isNull = columns.map { "\(Quote.identifier($0)) IS NULL" }
    let some = "SELECT FROM \(table) WHERE \(isNull.joined(separator: " OR ")) LIMIT 1"
    // Nearly always there is none, which is known sooner than which there are.
    if try columns.isEmpty || connection.execute(some).count == 0 { return [pattern { _ in false }] }
    let list = isNull.joined(separator: ", ")
    return try connection.query("SELECT DISTINCT \(list) FROM \(table) ORDER BY \(list)").rows.map { row in
      try pattern { try row.value($0) }
    }
  }

  /// A condition: rows of two tables, by their aliases, are both of the pattern and equal in all columns.
  func matches(_ one: String, _ other: String) -> String {
    condition { name, type, isNull in
      isNull
        ? "\(one).\(name) IS NULL AND \(other).\(name) IS NULL"
        : "\(one).\(name) \(type.equality) \(other).\(name)"
    }
  }

  /// A condition on rows that are both of the pattern: they are equal.
  func equals(_ one: String, _ other: String) -> String {
    let equal = columns.filter { !$0.isNull }.map {
      "\(one).\($0.name) \($0.type.equality) \(other).\($0.name)"
    }
    return equal.isEmpty ? "true" : equal.joined(separator: " AND ")
  }

  /// A FULL JOIN can be by that condition.
  var isJoinable: Bool {
    let equal = columns.filter { !$0.isNull }
    return equal.isEmpty || equal.contains { $0.type.isJoinable }
  }

  /// A column is null in it.
  var hasNull: Bool { columns.contains { $0.isNull } }

  /// A condition: the rows of a table, by its alias, are of the pattern.
  func describes(_ table: String) -> String {
    condition { name, _, isNull in "\(table).\(name) IS \(isNull ? "" : "NOT ")NULL" }
  }

  private func condition(_ each: (String, ColumnType, Bool) -> String) -> String {
    guard !columns.isEmpty else { return "true" }
    return columns.map(each).joined(separator: " AND ")
  }
}
