import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import ViewEngine

/// A command has failed with what a time-out of its role, of the database or of the server does.
struct EndedByTimeout: Error {
  /// What the command has failed with.
  let error: any Error
  /// The time-out.
  let timeout: SessionTimeout

  /// The setting that may be behind an error; nil where none is.
  static func setting(behind error: any Error) -> String? {
    switch error {
    case let error as RunFailure: setting(behind: error.cause)
    case let error as UnfilledViews: setting(behind: error.first.error)
    case MigrationError.failed(_, _, _, _, let error), QueryRun.Problem.broken(_, _, let error):
      setting(behind: PostgreSQLError.server(error))
    case let error as ViewProblem where error.sqlState == "57014": "statement_timeout"
    // A session that was lost otherwise may be tried again.
    case let PostgreSQLError.connectionLost(reason)
    where !PostgreSQLError.connectionLost(reason: reason).isTransient: "transaction_timeout"
    case let error as PostgreSQLError where error.isCancellation: "statement_timeout"
    default: nil
    }
  }
}
