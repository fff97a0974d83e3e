import SQLText

/// Finds row policies that Citus refuses.
struct CitusPolicy: LintRule {
  let name = "citus-policy"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason = "Citus takes no subquery in a policy of row level security."
  let fix = "compare columns with current_user or current_setting()"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let statement = subject.statement
    guard statement.begins(with: "CREATE", "POLICY") || statement.begins(with: "ALTER", "POLICY"),
      // FOR SELECT names the command that the policy is for.
      let place = statement.words.indices.first(where: {
        statement.words[$0] == "SELECT" && statement.words[$0 - 1] != "FOR"
      })
    else { return [] }
    return [LintRemark(place, "the policy holds a subquery")]
  }
}
