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
      loss.rows = try loss.rows(on: connection, estimate: sizes[loss.table])
      return loss
    }.filter { !$0.rows.isNone }
  }

  private func rows(on connection: Connection, estimate: Int?) throws -> Rows {
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
