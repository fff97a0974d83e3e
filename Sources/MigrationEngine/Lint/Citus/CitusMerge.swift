import SQLText

/// Finds MERGE into tables that may lie in Citus.
struct CitusMerge: LintRule {
  let name = "citus-merge"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason = "Citus refuses MERGE from a local table into a distributed one, and into a reference table."
  let fix = "INSERT ... ON CONFLICT, with excluded.column"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("MERGE", "INTO") else { return [] }
    _ = cursor.take("ONLY")
    guard let table = cursor.qualifiedName(), subject.mayLieInCitus(table) else { return [] }
    return [LintRemark(0, "MERGE into \(table) is refused where it is distributed or a reference table")]
  }
}
