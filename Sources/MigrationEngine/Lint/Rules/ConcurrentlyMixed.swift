import SQLText

/// Finds statements that lose their transaction because of another one in their file.
struct ConcurrentlyMixed: LintRule {
  let name = "concurrently-mixed"
  let severity = LintSeverity.notice
  let reason =
    "One statement that PostgreSQL refuses in a transaction takes the whole file out of it: when a later statement "
    + "fails, the earlier ones stay done."
  let fix =
    "put the statements that a transaction can hold into a migration of their own, or write transaction=off on the "
    + "section's line to say that it is meant"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let section = subject.section
    guard subject.statement.isRefusedInTransaction, section.source.options.transaction == nil,
      section.statements.first(where: \.isRefusedInTransaction)?.range == subject.statement.range,
      let other = section.statements.first(where: { !$0.isRefusedInTransaction && $0.words.first != "SET" })
    else { return [] }
    return [LintRemark(0, "this takes the statement of line \(other.place.line) out of its transaction too")]
  }
}
