public import Definitions
public import PipelineCore
public import PostgreSQL
import Store

/// Two published releases of a pipeline, compared table by table.
///
/// All of it is read in one transaction, with the tables kept from being detached, so that the counts,
/// the rows and the figures are of the same content:
///
///     try ReleaseDiff.compare(pipeline, from: "2025A", to: "2025D", on: connection) { diff in
///       print(diff.tables[0].counts?.changed ?? 0)
///       try diff.rows { change in print(change.kind) }
///     }
public struct ReleaseDiff {
  /// The release that is compared.
  public let from: String
  /// The release that it is compared with.
  public let to: String
  /// What differs, in the order of the pipeline's sources; the first is the main table.
  public let tables: [TableDiff]
  private let pipeline: Pipeline
  private let connection: Connection
  private let compared: [ComparedTable]

  /// Compares two releases, and hands the result over while the transaction is open.
  ///
  /// Throws ``ReleaseOperationError`` where one of them is not loaded or not published.
  public static func compare(
    _ pipeline: Pipeline, from: String, to: String, on connection: Connection,
    _ body: (ReleaseDiff) throws -> Void
  ) throws {
    let tables = try ComparedTable.all(of: pipeline, on: connection)
    try connection.transaction {
      try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
      // Before anything is read: what is published now stays attached until the end.
      let names = tables.map { Quote.qualified($0.name) }.joined(separator: ", ONLY ")
      try connection.execute("LOCK TABLE ONLY \(names) IN ACCESS SHARE MODE")
      try body(
        try ReleaseDiff(pipeline, from: from, to: to, tables: tables, on: connection))
    }
  }

  private init(
    _ pipeline: Pipeline, from: String, to: String, tables: [ComparedTable], on connection: Connection
  ) throws {
    let releases = ReleaseStore(connection: connection)
    let lacking = try [from, to].map { release in
      try releases.missingTables(pipeline: pipeline.name, release: release)
    }
    self.from = from
    self.to = to
    self.pipeline = pipeline
    self.connection = connection
    compared = tables
    self.tables = try tables.map { table in
      let missing = zip([TableDiff.Side.from, .to], lacking).filter { $1.contains(table.name) }.map(\.0)
      let (from, to) = table.sides(from: from, to: to)
      return try TableDiff(table, from: from, to: to, missingIn: missing, on: connection)
    }
  }

  /// Hands over each row that differs, table by table in the order of their keys, as they come from the
  /// server.
  /// - Throws: what `body` throws, and `PostgreSQLError`.
  public func rows(_ body: (RowChange) throws -> Void) throws {
    for (table, diff) in zip(compared, tables) where diff.counts != nil {
      let (from, to) = table.sides(from: from, to: to)
      try connection.stream(table.rows(from: from, to: to)) { rows in
        let types = rows.columnTypes
        for row in rows.rows { try body(change(row, of: table, types: types)) }
      }
    }
  }

  private func change(_ row: Row, of table: ComparedTable, types: [UInt32]) -> RowChange {
    let key = table.key.enumerated().map { index, column in
      RowChange.KeyValue(
        column: column, value: row[1 + index], type: types[1 + index], isWithheld: table.isWithheld(column))
    }
    let columns = table.compared.enumerated().compactMap { index, column -> RowChange.ValueChange? in
      let place = 1 + key.count + 2 * index
      let (before, after) = (row[place], row[place + 1])
      guard before != nil || after != nil else { return nil }
      let isWithheld = table.isWithheld(column)
      return RowChange.ValueChange(
        column: column, from: isWithheld ? nil : before, to: isWithheld ? nil : after, type: types[place],
        isWithheld: isWithheld)
    }
    return RowChange(
      table: table.name, kind: RowChange.Kind(rawValue: row[0] ?? "") ?? .changed, key: key, columns: columns)
  }

  /// Asks the queries that the pipeline's definition names for a comparison, and hands over their rows in
  /// batches.
  /// - Throws: what `body` throws, and ``QueryRun/Problem`` where a query is wrong.
  public func figures(_ body: (QueryDefinition, ResultSet) throws -> Void) throws {
    for query in pipeline.diff.queries {
      let run = try QueryRun(query, values: [("from", from), ("to", to)])
      try run.rows(on: connection) { try body(query, $0) }
    }
  }
}
