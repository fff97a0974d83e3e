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
    let rows = try connection.execute(columns(of: tables)).rows
    let types = try rows.map { try Collated(type: $0.value(4), collation: $0.value(5)) }
    let comparisons = try comparisons(of: Set(types.map(\.type)), on: connection)
    let collations = try collations(of: Set(types), on: connection)
    return try zip(rows, types).reduce(into: [:]) { found, column in
      let (row, type) = column
      let comparison = comparisons[type.type] ?? Comparison(isExact: true)
      let collation = collations[type] ?? Collation()
      found[try row.value(0), default: [:]][try row.value(1)] = ColumnType(
        position: try row.value(2), name: try row.value(3),
        collation: collation.clause, equality: comparison.equality,
        isExact: comparison.isExact && collation.isDeterministic, isJoinable: comparison.isJoinable)
    }
  }

  /// How values of a type are compared.
  private struct Comparison {
    var equality = "OPERATOR(pg_catalog.=)"
    let isExact: Bool
    var isJoinable = true
  }

  /// The server's own types that are met most, by their numbers, which never change: to ask for them takes
  /// longer than the rest of a brief refresh.
  private static let ownTypes: [Int: Comparison] = names.mapValues { _ in Comparison(isExact: true) }.merging(
    // float4, float8, numeric
    [700, 701, 1700].map { ($0, Comparison(isExact: false)) }, uniquingKeysWith: { $1 })

  /// Those of them whose equal values are identical.
  private static let names = [
    16: "boolean", 20: "bigint", 21: "smallint", 23: "integer", 25: "text", 1043: "character varying",
    1082: "date", 1114: "timestamp without time zone", 1184: "timestamp with time zone", 2950: "uuid",
  ]

  /// A type with a collation, by their numbers.
  private struct Collated: Hashable {
    let type: Int
    let collation: Int

    /// There is none, or a type of the server's own has the database's: what that means needs no asking.
    var isUsual: Bool { collation == 0 || (collation == 100 && [25, 1042, 1043].contains(type)) }
  }

  /// In which order, and as equal, texts of a column are taken.
  private struct Collation {
    var clause = ""
    var isDeterministic = true
  }

  private static func collations(
    of types: Set<Collated>, on connection: Connection
  ) throws -> [Collated: Collation] {
    let others = types.filter { !$0.isUsual }
    if others.isEmpty { return [:] }
    func numbers(_ part: (Collated) -> Int) -> Parameter {
      .text("{\(Set(others.map(part)).sorted().map(String.init).joined(separator: ","))}")
    }
    return try connection.query(collations, [numbers(\.type), numbers(\.collation)]).rows.reduce(into: [:]) {
      found, row in
      found[try Collated(type: row.value(0), collation: row.value(1))] = Collation(
        clause: row[2] ?? "", isDeterministic: try row.value(3))
    }
  }

  private static func comparisons(
    of types: Set<Int>, on connection: Connection
  ) throws -> [Int: Comparison] {
    let others = types.filter { ownTypes[$0] == nil }.sorted()
    if others.isEmpty { return ownTypes }
    return try connection.query(comparisons, [.text("{\(others.map(String.init).joined(separator: ","))}")])
      .rows.reduce(into: ownTypes) { found, row in
        found[try row.value(0)] = Comparison(
          equality: try row.value(1), isExact: try row.value(2), isJoinable: try row.value(3))
      }
  }

  /// A query of the columns of tables, which are quoted.
  private static func columns(of tables: [String]) -> String {
    let named = tables.map(Quote.literal).map { (name: $0, id: "to_regclass(\($0))::oid") }
    return """
      SELECT CASE attrelid \(named.map { "WHEN \($0.id) THEN \($0.name)" }.joined(separator: " "))
        END, attname, attnum,
        format_type(atttypid, atttypmod), atttypid::int8, attcollation::int8
      FROM pg_attribute
      WHERE attrelid IN (\(named.map(\.id).joined(separator: ", "))) AND attnum > 0 AND NOT attisdropped
      """
  }

  private static let collations = """
    SELECT t.oid::int8, l.oid::int8,
      CASE WHEN l.oid <> t.typcollation THEN format(' COLLATE %I.%I', n.nspname, l.collname) END,
        l.collisdeterministic
    FROM pg_type t CROSS JOIN pg_collation l JOIN pg_namespace n ON n.oid = l.collnamespace
    WHERE t.oid = ANY ($1::oid[]) AND l.oid = ANY ($2::oid[])
    """

  /// A domain is compared as its type is, and arrays, enums, ranges and rows by what is common to all of
  /// them. Whether equal values are identical the server knows for its own sake, before it keeps one of them
  /// in an index for all.
  private static let comparisons = """
    SELECT t.oid::int8, coalesce(own.operator, 'OPERATOR(pg_catalog.=)'), coalesce(own.is_exact, true),
      coalesce(own.is_joinable, true)
    FROM pg_type t CROSS JOIN LATERAL (
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
    WHERE t.oid = ANY ($1::oid[])
    """
}
