import SQLText

/// Finds constraints of a domain that are tried on all tables which use it.
struct DomainConstraint: LintRule {
  let name = "domain-constraint"
  let severity = LintSeverity.error
  let reason =
    "ALTER DOMAIN ... ADD CHECK, SET NOT NULL and VALIDATE CONSTRAINT read every table with a column of the domain, and "
    + "nobody writes to them meanwhile."
  let fix =
    "ADD CONSTRAINT ... NOT VALID holds new values to it at once; validate it while nobody writes, with an allow"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("ALTER", "DOMAIN"), let domain = cursor.qualifiedName(),
      subject.model.domains[subject.model.key(domain)] != subject.model.current
    else { return [] }
    let place = cursor.place
    let isRead: Bool
    if cursor.take("ADD") {
      isRead = cursor.tableConstraint().map { !$0.isNotValid } ?? true
    } else {
      isRead = cursor.take("SET", "NOT", "NULL") || cursor.take("VALIDATE")
    }
    return isRead
      ? [LintRemark(place, "writers of the tables that use \(domain) wait until they are read")] : []
  }
}
