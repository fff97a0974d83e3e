public import PipelineCore
import PostgreSQL
import Records

/// Why something did not end well, for what is sent on to others: in words that quote nothing of the data.
public enum DiscreetReason {
  /// The words; nil where the error is none of a run, a source or the server.
  public static func text(_ error: any Error) -> String? {
    switch error {
    case let error as RunFailure: text(error.cause)
    // What is where the columns should be is said by the full message.
    case RunError.unknownLayout(let entry, _): "\(entry): no layout fits"
    case is RunError, is RecordsError, is MissingRights, is PostgreSQLError: Ledger.shownReason(error)
    default: nil
    }
  }
}

extension RunReport {
  /// The same without any value of a refused record.
  public var withoutValues: RunReport {
    var report = self
    for index in report.rejects.indices {
      report.rejects[index].examples = report.rejects[index].examples.map {
        RejectReason.Example(line: $0.line, value: nil, explanation: $0.explanation)
      }
    }
    return report
  }
}
