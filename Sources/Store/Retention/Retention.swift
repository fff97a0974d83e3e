import PipelineCore
public import PostgreSQL

/// What retention has removed.
public struct Removed: Sendable {
  /// How many of what was asked for: runs, refused records or revisions.
  public var count = 0
  /// Rows, over all tables.
  public var rows = 0
  /// How much they took, in bytes; of revisions with their indexes.
  public var bytes = 0

  /// Nothing.
  public init() {}

  /// Counts both.
  public static func += (left: inout Removed, right: Removed) {
    left.count += right.count
    left.rows += right.rows
    left.bytes += right.bytes
  }
}

/// Removes what nobody asks for any more, in transactions so short that no running load waits for one.
public struct Retention {
  package let connection: Connection

  /// The retention of one database.
  public init(connection: Connection) { self.connection = connection }

  /// So many rows go in one transaction.
  package static let batch = 10_000

  /// Deletes rows of a table of schema `rivulet`, called `t` in the condition.
  package func remove(from table: String, where condition: String, _ parameters: [Parameter]) throws
    -> Removed
  {
    let row = try connection.query(
      """
      WITH gone AS (DELETE FROM rivulet.\(table) t WHERE \(condition) RETURNING pg_column_size(t.*) AS bytes)
      SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM gone
      """, parameters)[0]
    var removed = Removed()
    removed.rows = try row.value(0)
    removed.bytes = try row.value(1)
    return removed
  }
}

extension Parameter {
  /// A span for `make_interval(secs => ...)`.
  package static func seconds(_ span: Duration) -> Parameter { .integer(Int(span.components.seconds)) }
}
