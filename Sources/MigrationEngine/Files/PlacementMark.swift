import PostgreSQL
import SQLText

/// What a line `-- rivulet:place distributed by source_id with directory.provider` says: where Citus keeps the table
/// that the statement below it makes, alters or comments on. A server without Citus ignores it.
public struct PlacementMark: Sendable, Equatable {
  /// Where the rows of a table are.
  enum Place: Sendable, Equatable {
    /// Each on the server that a column leads to; `with` is a table whose rows of the same value are there, too.
    case distributed(by: String, with: SQLName?)
    /// All of them on every server.
    case reference
    /// On the coordinator, where every table is that no mark names; said on the way back.
    case local
  }

  /// The table, `schema.name`, as the catalog has it.
  public var table: String { name.description }
  /// The same, as SQL takes it whatever is in it.
  public var quotedTable: String { name.quoted }
  /// Where its rows are.
  let place: Place
  let name: SQLName
  /// Where the line is.
  var position = SQLPlace(line: 1, column: 1)

  /// What cannot be read in such a line.
  struct Fault: Error { let message: String }

  static let hint =
    "write '-- rivulet:place distributed by KEY', '... distributed by KEY with schema.table', '... reference' or "
    + "'... local' right before CREATE TABLE, ALTER TABLE or COMMENT ON TABLE of schema.table"

  /// Reads what follows the words `-- rivulet:place`.
  init(_ text: String, of table: SQLName) throws(Fault) {
    name = table
    guard var cursor = SQLCursor(text) else { throw Fault(message: "the mark says no place") }
    if cursor.take("REFERENCE") {
      place = .reference
    } else if cursor.take("LOCAL") {
      place = .local
    } else {
      guard cursor.take("DISTRIBUTED", "BY") else {
        throw Fault(message: "the mark says no place that there is")
      }
      guard let key = cursor.name() else { throw Fault(message: "the mark names no column") }
      var other: SQLName?
      if cursor.take("WITH") {
        guard let name = cursor.qualifiedName(), name.schema != nil else {
          throw Fault(message: "the mark names no table with its schema behind 'with'")
        }
        other = name
      }
      place = .distributed(by: key, with: other)
    }
    if let word = cursor.word { throw Fault(message: "the mark has an unknown word '\(word.lowercased())'") }
  }

  /// What no line says of a table.
  init(_ name: SQLName, _ place: Place) { (self.name, self.place) = (name, place) }

  /// It says that the table is on the coordinator.
  public var isLocal: Bool { place == .local }

  /// The column that leads to a server; nil where none does.
  var key: String? {
    if case .distributed(let key, _) = place { return key }
    return nil
  }

  /// The table that it lies beside; nil where there is none.
  var companion: SQLName? {
    if case .distributed(_, let other) = place { return other }
    return nil
  }

  /// As the line has it: `distributed by source_id with directory.provider`.
  public var text: String {
    switch place {
    case .reference: "reference"
    case .local: "local"
    case .distributed(let key, let other):
      "distributed by \(key)" + (other.map { " with \($0)" } ?? "")
    }
  }

  /// SQL that puts the table there, whatever the server is: one without Citus does nothing, and what is distributed by
  /// something else stays so.
  var sql: String {
    let name = Quote.literal(quotedTable)
    let call =
      switch place {
      case .local: "undistribute_table(\(name))"
      case .reference: "create_reference_table(\(name))"
      case .distributed(let key, let other):
        "create_distributed_table(\(name), \(Quote.literal(key)), colocate_with => \(Quote.literal(other?.quoted ?? "none")))"
      }
    return """
      DO $rivulet$
      BEGIN
        IF EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus') THEN
          IF \(place == .local ? "" : "NOT ")EXISTS (
              SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = \(name)::regclass) THEN
            PERFORM pg_catalog.\(call);
          END IF;
        END IF;
      END
      $rivulet$;
      """
  }
}
