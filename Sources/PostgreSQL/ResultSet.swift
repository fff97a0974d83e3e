import CLibPQ

/// The rows of one statement, held by libpq until the last row is let go.
public final class ResultSet {
  private let handle: OpaquePointer

  init(owning handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// How many rows.
  public var count: Int { Int(PQntuples(handle)) }

  /// The names of the columns.
  public var columns: [String] {
    (0..<PQnfields(handle)).map { PQfname(handle, $0).map { String(cString: $0) } ?? "" }
  }

  /// The type numbers (`pg_type.oid`) of the columns.
  public var columnTypes: [UInt32] { (0..<PQnfields(handle)).map { PQftype(handle, $0) } }

  /// How many rows an INSERT, UPDATE, DELETE or COPY touched.
  public var affectedRows: Int {
    guard let text = PQcmdTuples(handle) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  /// What the server calls the statement it has run: `COMMIT`, `INSERT 0 5`.
  var commandTag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

  /// One row, from 0.
  public subscript(row: Int) -> Row { Row(result: self, index: Int32(row)) }

  /// The first row, if there is one.
  public var first: Row? { count > 0 ? self[0] : nil }

  /// The rows in order.
  public var rows: some RandomAccessCollection<Row> { (0..<count).lazy.map { self[$0] } }

  fileprivate func text(_ row: Int32, _ column: Int32) -> String? {
    guard PQgetisnull(handle, row, column) == 0, let value = PQgetvalue(handle, row, column) else {
      return nil
    }
    return String(cString: value)
  }

  fileprivate func name(_ column: Int32) -> String {
    PQfname(handle, column).map { String(cString: $0) } ?? "\(column)"
  }

  fileprivate func index(_ name: String) -> Int32? {
    let index = PQfnumber(handle, Quote.identifier(name))
    return index < 0 ? nil : index
  }
}

/// One row of a result.
public struct Row {
  let result: ResultSet
  let index: Int32

  /// The text of a column, from 0; nil for NULL.
  public subscript(column: Int) -> String? { result.text(index, Int32(column)) }

  /// The text of a named column; nil for NULL or where there is no such column.
  public subscript(name: String) -> String? { result.index(name).flatMap { result.text(index, $0) } }

  /// A value that may be NULL.
  /// - Throws: ``PostgreSQLError/unreadableValue(column:type:)`` where it is none of the type.
  @inlinable
  public func optional<Value: ColumnValue>(_ column: Int, _ type: Value.Type = Value.self)
    throws(PostgreSQLError) -> Value?
  {
    guard let text = self[column] else { return nil }
    guard let value = Value(columnText: text) else { throw unreadable(column, "\(type)") }
    return value
  }

  /// A value that is not NULL.
  /// - Throws: ``PostgreSQLError/unreadableValue(column:type:)`` where it is NULL, or none of the type.
  @inlinable
  public func value<Value: ColumnValue>(_ column: Int, _ type: Value.Type = Value.self)
    throws(PostgreSQLError) -> Value
  {
    guard let value = try optional(column, type) else { throw unreadable(column, "\(type)") }
    return value
  }

  @usableFromInline
  func unreadable(_ column: Int, _ type: String) -> PostgreSQLError {
    .unreadableValue(column: result.name(Int32(column)), type: type)
  }
}

/// A Swift type that a column's text form can be read as.
public protocol ColumnValue {
  /// Reads PostgreSQL's text output of a value; nil where it is none of this type.
  init?(columnText: String)
}

extension String: ColumnValue {
  /// Reads PostgreSQL's text output of the type.
  public init?(columnText: String) { self = columnText }
}

extension Int: ColumnValue {
  /// Reads PostgreSQL's text output of the type.
  public init?(columnText: String) { self.init(columnText) }
}

extension Double: ColumnValue {
  /// Reads PostgreSQL's text output of the type.
  public init?(columnText: String) { self.init(columnText) }
}

extension Bool: ColumnValue {
  /// Reads PostgreSQL's text output of the type.
  public init?(columnText: String) {
    switch columnText {
    case "t": self = true
    case "f": self = false
    default: return nil
    }
  }
}
