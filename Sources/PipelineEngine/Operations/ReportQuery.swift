public import Definitions
import Host
public import PostgreSQL

/// A part of the report, asked: what its SELECT gives of a database.
public enum ReportAnswer: Sendable {
  /// Rows, as many as are shown, and how many there are.
  case rows([[String?]], columns: [String], types: [UInt32], count: Int)
  /// The tables that it reads are not there.
  case absent
  /// The role may not read them.
  case forbidden
  /// It took longer than it may.
  case slow
}

/// Asks parts of the report.
public struct ReportQuery {
  /// More rows are counted and not shown.
  public static let mostRows = 400
  /// How long one part may take, in seconds.
  public static let mostSeconds = 30

  private let connection: Connection

  /// Asks over a connection.
  public init(connection: Connection) { self.connection = connection }

  /// Asks one part, in a transaction that only reads.
  /// - Throws: `DefinitionErrors` where the SELECT lacks a column, ``QueryRun/Problem`` where it is wrong,
  ///   `Interrupted`, and `PostgreSQLError`.
  public func answer(to part: ReportPart) throws -> ReportAnswer {
    do {
      return try connection.transaction {
        try connection.execute(
          """
          SET TRANSACTION READ ONLY;
          SET LOCAL statement_timeout = '\(Self.mostSeconds)s';
          SET LOCAL cursor_tuple_fraction = 1
          """)
        var (shown, count): ([[String?]], Int) = ([], 0)
        var (columns, types): ([String], [UInt32]) = ([], [])
        try connection.stream(part.sql) { batch in
          (columns, types) = (batch.columns, batch.columnTypes)
          let room = max(0, Self.mostRows - shown.count)
          shown += batch.rows.prefix(room).map { row in columns.indices.map { row[$0] } }
          count += batch.count
        }
        try Self.check(part, against: columns)
        return .rows(shown, columns: columns, types: types, count: count)
      }
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error else { throw error }
      switch server.sqlState {
      case "42P01", "42883", "3F000": return .absent
      case "42501": return .forbidden
      case "57014" where !Interruption.shared.isRaised: return .slow
      default: throw QueryRun.Problem.broken(file: part.file, line: part.template.line, error: server)
      }
    }
  }

  /// Whether the SELECT has the columns that are drawn.
  private static func check(_ part: ReportPart, against columns: [String]) throws {
    let missing = part.columns.filter { !columns.contains($0) }
    guard !missing.isEmpty, !columns.isEmpty else { return }
    throw DefinitionErrors(
      missing.map { column in
        DefinitionError(
          file: part.file, mark: Mark(line: part.template.line, column: 1),
          message: "the SELECT has no column '\(column)'",
          hint: NearestName.hint(column, among: columns, called: "it has"))
      })
  }
}
