/// A run that began and did not end well: what it was, and why.
public struct RunFailure: Error {
  /// As far as it got.
  public let report: RunReport
  /// Why.
  public let cause: any Error

  package init(
    report: RunReport, cause: any Error
  ) {
    self.report = report
    self.cause = cause
  }
}
