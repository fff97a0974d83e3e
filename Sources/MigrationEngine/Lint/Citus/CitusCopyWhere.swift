import SQLText

/// Finds COPY with a WHERE.
struct CitusCopyWhere: LintRule {
  let name = "citus-copy-where"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason = "Citus refuses COPY ... FROM ... WHERE into its tables."
  let fix = "copy into a temporary table, and INSERT ... SELECT ... WHERE from it"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("COPY"), let table = cursor.qualifiedName(), subject.mayLieInCitus(table),
      let place = subject.statement.words.firstIndex(of: "WHERE"),
      subject.statement.words[..<place].contains("FROM")
    else { return [] }
    return [LintRemark(place, "COPY with WHERE into \(table) is refused")]
  }
}
