/// Finds long work that is done while an earlier statement of the same transaction keeps others away.
struct WorkUnderLock: LintRule {
  let name = "work-under-lock"
  let severity = LintSeverity.error
  let reason =
    "A lock is held until the transaction ends. VALIDATE CONSTRAINT, UPDATE, DELETE or INSERT ... SELECT after an ALTER "
    + "TABLE in the same migration keeps everybody from the altered table for as long as the rows take: adding a "
    + "constraint NOT VALID gains nothing when the same migration validates it."
  let fix = "put this statement into a migration of its own, after the one that changes the table"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard subject.section.isTransactional, let held = subject.held.last, let place = work(in: subject) else {
      return []
    }
    return [
      LintRemark(
        place,
        "this reads or writes many rows while \(held.name) stays locked since line \(held.line), until the migration ends"
      )
    ]
  }

  private func work(in subject: LintSubject) -> Int? {
    switch subject.meaning {
    case .alterTable(let alter) where subject.model.isExisting(alter.name):
      alter.actions.first { if case .validateConstraint = $0.kind { true } else { false } }?.place
    case .change(let change) where change.verb == "UPDATE" || change.verb == "DELETE":
      subject.model.isExisting(change.table) ? 0 : nil
    case .change(let change) where change.verb == "INSERT" && change.readsTables: 0
    default: nil
    }
  }
}
