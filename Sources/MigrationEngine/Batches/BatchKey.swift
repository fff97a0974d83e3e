import PostgreSQL
import SQLText

/// The key that batches go along, as the database has it: what a range ends with, and how that is written.
struct BatchKey {
  /// The table as `schema.name`, quoted where need be.
  let table: String
  /// The type of each column with its collation.
  let types: [String]
  private let columns: [String]

  /// Looks the key up along the session's path.
  ///
  /// - Throws: `MigrationError.malformed` where it cannot be gone along, and `PostgreSQLError`.
  init(_ mark: BatchMark, of section: Migration.Section, on connection: Connection) throws {
    if connection.clientEncoding != "UTF8" {
      throw section.unfit(
        mark.place, "the section has set client_encoding, and keys are sent as UTF8",
        "take that statement out")
    }
    let facts = try BatchFacts(of: mark, on: connection)
    guard let table = facts.table else {
      throw section.unfit(
        mark.place, "there is no table \(mark.table)", "write its name with its schema: schema.table")
    }
    if let column = facts.missing {
      throw section.unfit(mark.place, "\(table) has no column \(column)", "name columns of the table")
    }
    if let column = facts.nullable {
      throw section.unfit(
        mark.place, "\(column) may be null, so that rows of it would be left out",
        "name a key whose columns are NOT NULL, also in tables that inherit, such as the primary key")
    }
    guard facts.hasIndex else {
      throw section.unfit(
        mark.place, "\(table) has no index that begins with \(mark.keys.joined(separator: ", "))",
        "make a valid btree index without WHERE, in the default order of these columns; or name the columns of one"
      )
    }
    (self.table, types, columns) = (table, facts.types, mark.keys.map(Quote.identifier))
  }

  /// The query for the key that a range of so many rows ends with, of the rows that a condition holds for.
  static func end(of size: Int, in table: String, _ columns: [String], where condition: String) -> String {
    let list = columns.joined(separator: ", ")
    return "SELECT \(list) FROM \(table) WHERE \(condition) ORDER BY \(list) OFFSET \(size - 1) LIMIT 1"
  }

  /// The query for the greatest key of a table.
  static func greatest(in table: String, _ columns: [String]) -> String {
    let order = columns.map { $0 + " DESC" }.joined(separator: ", ")
    return "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(order) LIMIT 1"
  }

  /// The key that a range of so many rows of the rest ends with; nil where there are fewer rows left.
  func end(of size: Int, of rest: BatchPosition, on connection: Connection) throws -> [String]? {
    let condition = range(after: rest.last, upTo: rest.end).condition(columns)
    return try key(BatchKey.end(of: size, in: table, columns, where: condition), on: connection)
  }

  /// The greatest key there is; nil where there are no rows.
  func greatest(on connection: Connection) throws -> [String]? {
    try key(BatchKey.greatest(in: table, columns), on: connection)
  }

  private func key(_ query: String, on connection: Connection) throws -> [String]? {
    try connection.transaction(settings: BatchKey.exact + BatchKey.allRows) {
      try connection.query(query).first.map { row in try columns.indices.map { try row.value($0) } }
    }
  }

  /// The range between two keys.
  func range(after lower: [String]?, upTo upper: [String]?) -> BatchRange {
    BatchRange(lower: lower.map(literals), upper: upper.map(literals))
  }

  /// The values of a key as SQL.
  private func literals(_ values: [String]) -> [String] {
    zip(values, types).map { "\(Quote.literal($0))::\($1)" }
  }

  /// The forms in which every value is written as what it is, whatever the section has set, and which are read
  /// under any setting.
  static let exact = """
    SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
    SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
    """

  /// Has the server refuse what a policy of row level security would hide rows from.
  static let allRows = "SET LOCAL row_security = off;"
}
