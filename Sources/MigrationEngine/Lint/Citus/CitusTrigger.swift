/// Finds triggers on tables that may lie in Citus.
struct CitusTrigger: LintRule {
  let name = "citus-trigger"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason = "Citus refuses triggers on distributed and on reference tables."
  let fix = "rebuild what the trigger keeps by group, with INSERT ... SELECT ... ON CONFLICT"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard let table = subject.triggerTable, subject.mayLieInCitus(table) else { return [] }
    return [LintRemark(0, "\(table) can have no trigger where it is distributed or a reference table")]
  }
}
