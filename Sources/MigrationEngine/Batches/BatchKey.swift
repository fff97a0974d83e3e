import PostgreSQL
import SQLText

/// The key that batches go along, as the database has it: what a range ends with, and how that is written.
struct BatchKey {
  /// The table as `schema.name`, quoted where need be.
  let table: String
  private let columns: [String]
  private let types: [String]

  /// Looks the key up along the session's path.
  ///
  /// - Throws: `MigrationError.malformed` where it cannot be gone along, and `PostgreSQLError`.
  init(_ mark: BatchMark, of section: Migration.Section, on connection: Connection) throws {
    if connection.clientEncoding != "UTF8" {
      throw section.unfit(
        mark.place, "the section has set client_encoding, and keys are sent as UTF8",
        "take that statement out")
    }
    guard let found = try connection.query(BatchKey.facts(of: mark)).first, let table = found[0] else {
      throw section.unfit(
        mark.place, "there is no table \(mark.table)", "write its name with its schema: schema.table")
    }
    self.table = table
    if let column = found[1] {
      throw section.unfit(mark.place, "\(table) has no column \(column)", "name columns of the table")
    }
    if let column = found[2] {
      throw section.unfit(
        mark.place, "\(table).\(column) may be null, so that rows of it would be left out",
        "name a key whose columns are NOT NULL, such as the primary key")
    }
    guard found[3] == "t" else {
      throw section.unfit(
        mark.place, "\(table) has no index that begins with \(mark.keys.joined(separator: ", "))",
        "make a valid btree index without WHERE, in the default order of these columns; or name the columns of one"
      )
    }
    columns = mark.keys.map(Quote.identifier)
    types = try connection.query(
      """
      SELECT format_type(atttypid, -1) FROM unnest($1::text[]) WITH ORDINALITY AS key (name, place)
      JOIN pg_attribute ON attname = name AND attrelid = to_regclass($2) AND attnum > 0 ORDER BY place
      """, [.textArray(mark.keys), .text(mark.table.quoted)]
    ).rows.map { try $0.value(0) }
  }

  /// A query for one row: the table as the server writes it, null where it is not there; a column that it does
  /// not have, or that may be null; and whether an index has the columns in their order.
  static func facts(of mark: BatchMark) -> String {
    let keys =
      "unnest(ARRAY[\(mark.keys.map(Quote.literal).joined(separator: ", "))]) WITH ORDINALITY AS key (name, place)"
    return """
      SELECT (SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
          WHERE c.oid = relation AND relkind IN ('r', 'p')),
        (SELECT min(name) FROM \(keys)
          WHERE NOT EXISTS (SELECT FROM pg_attribute
            WHERE attrelid = relation AND attname = name AND attnum > 0 AND NOT attisdropped)),
        (SELECT min(name) FROM \(keys) JOIN pg_attribute ON attrelid = relation AND attname = name AND NOT attnotnull),
        EXISTS (SELECT FROM pg_index i JOIN pg_class x ON x.oid = indexrelid JOIN pg_am m ON m.oid = x.relam
          WHERE indrelid = relation AND amname = 'btree' AND indisvalid AND indpred IS NULL
            AND indnkeyatts >= \(mark.keys.count)
            AND NOT EXISTS (SELECT FROM \(keys)
              LEFT JOIN pg_attribute ON attrelid = relation AND attnum = indkey[(place - 1)::int]
              LEFT JOIN pg_opclass o ON o.oid = indclass[(place - 1)::int]
              WHERE attname IS DISTINCT FROM name OR NOT opcdefault OR indcollation[(place - 1)::int] <> attcollation
                OR indoption[(place - 1)::int] NOT IN (0, 3) OR indoption[(place - 1)::int] <> indoption[0]))
      FROM (SELECT to_regclass(\(Quote.literal(mark.table.quoted))) AS relation) AS named
      """
  }

  /// The query for the key that a range of so many rows ends with, of the rows that a condition holds for.
  static func end(of size: Int, in table: String, _ columns: [String], where condition: String) -> String {
    let list = columns.joined(separator: ", ")
    return "SELECT \(list) FROM \(table) WHERE \(condition) ORDER BY \(list) OFFSET \(size - 1) LIMIT 1"
  }

  /// The key that a range of so many rows above another key ends with; nil where there are fewer rows left.
  func end(of size: Int, after lower: [String]?, on connection: Connection) throws -> [String]? {
    let rest = BatchRange(lower: lower.map(literals)).condition(columns)
    let query = BatchKey.end(of: size, in: table, columns, where: rest)
    return try connection.transaction(settings: BatchKey.exact) {
      try connection.query(query).first.map { row in try columns.indices.map { try row.value($0) } }
    }
  }

  /// The values of a key as SQL.
  func literals(_ values: [String]) -> [String] {
    zip(values, types).map { "\(Quote.literal($0))::\($1)" }
  }

  /// The forms in which every value is written as what it is, whatever the section has set, and which are read
  /// under any setting.
  static let exact = """
    SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
    SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
    """
}
