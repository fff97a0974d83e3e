import PostgreSQL

extension DataLoss {
  /// So many rows of a table are counted; of a larger one the statistics have to do.
  static let mostCounted = 100_000

  /// The losses with the rows that are in their tables now; those that take none are left out.
  ///
  /// - Throws: `PostgreSQLError` where the connection is lost.
  static func counted(_ losses: [DataLoss], on connection: Connection) throws -> [DataLoss] {
    if losses.isEmpty { return [] }
    let sizes = try KnownRelations.sizes(connection)
    return try losses.map { loss in
      guard loss.rows == .unknown else { return loss }
      var loss = loss
      loss.rows = try .counted(in: loss.table, loss.column, estimate: sizes[loss.table], on: connection)
      return loss
    }.filter { !$0.rows.isNone }
  }
}

extension DataLoss.Rows {
  /// The rows of a table, or those that have a value in one of its columns; names are quoted where need be.
  ///
  /// `estimate` is what the statistics say.
  static func counted(in table: String, _ column: String? = nil, estimate: Int?, on connection: Connection)
    throws -> DataLoss.Rows
  {
    let most = DataLoss.mostCounted
    // Rows that a policy hides would not be counted, and who has the table locked is not waited for.
    let settings = "SET LOCAL row_security = off; SET LOCAL lock_timeout = '2s'"
    do {
      let counts = try connection.transaction(settings: settings) {
        try connection.query(
          """
          SELECT count(*), count(value)
          FROM (SELECT \(column ?? "1") AS value FROM \(table) LIMIT \(most + 1)) AS part
          """)[0]
      }
      if try counts.value(0, Int.self) <= most { return .counted(try counts.value(1)) }
      return estimate.flatMap { $0 > most ? .about($0) : nil } ?? .moreThan(most)
    } catch PostgreSQLError.server {
      return estimate.map { .about($0) } ?? .unknown
    }
  }
}
