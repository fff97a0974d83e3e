import Host
import PipelineCore
import PostgreSQL
import Records

extension Ledger {
  /// Why a run did not end well, as the ledger keeps it: in words that quote no value. Messages of the server
  /// may.
  package static func shownReason(_ error: any Error) -> String {
    switch error {
    case let error as RunError: error.ledgerText
    case let error as RecordsError: error.ledgerText
    case let error as MissingRights: "the role lacks a right (\(error.error.sqlState))"
    case let error as PostgreSQLError: shownReason(error)
    case is Interrupted: "\(Interrupted())"
    default: "\(type(of: error))"
    }
  }

  private static func shownReason(_ error: PostgreSQLError) -> String {
    guard let state = error.sqlState else {
      switch error {
      case .connectionLost: return "the connection to the server was lost"
      case .connectionFailed: return "the server could not be reached"
      case .unexpectedAnswer, .unreadableValue, .server: return "the server's answer could not be used"
      }
    }
    let meaning =
      switch state {
      case "53100": "its disk is full"
      case "42501": "the role lacks a right"
      case "57014": "the statement was cancelled, or took longer than statement_timeout allows"
      case "55P03": "a lock was not released in time"
      case "57P01", "57P02", "57P03": "it went down"
      case "25006": "it only reads"
      case "40001", "40P01": "another transaction was in the way"
      default: "see its log"
      }
    return "the server refused a statement (\(state)): \(meaning)"
  }
}
