/// Finds CREATE INDEX CONCURRENTLY that gives the index no name.
struct UnnamedConcurrentIndex: LintRule {
  let name = "unnamed-concurrent-index"
  let severity = LintSeverity.error
  let reason =
    "A CREATE INDEX CONCURRENTLY that fails leaves an invalid index. Without a name of its own, the next try cannot "
    + "distinguish it from another index and makes a second one beside it."
  let fix = "give the index a name"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .createIndex(let index) = subject.meaning, index.isConcurrent, index.name == nil else {
      return []
    }
    return [LintRemark(0, "the index has no name, so what a failure leaves of it cannot be found")]
  }
}
