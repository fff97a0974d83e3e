/// Finds allowances that allow nothing; the reader itself asks after them once it knows what they silenced.
struct UnusedAllow: LintRule {
  let name = "unused-allow"
  let severity = LintSeverity.notice
  let looksAtDown = true
  let reason =
    "A comment `-- rivulet:allow` that silences nothing, names a rule that there is not, or gives no reason. "
    + "Left standing, it would silence what comes there later."
  let fix = "take the comment out, or put it on the statement or the line above it"

  func remarks(on subject: LintSubject) -> [LintRemark] { [] }
}
