import SQLText

/// Finds roles that a migration makes without looking whether they are there.
struct CreateRole: LintRule {
  let name = "create-role"
  let severity = LintSeverity.error
  let reason =
    "Roles belong to the whole cluster: CREATE ROLE fails in the second database of a cluster, and when the migration is "
    + "applied again after it was reverted."
  let fix =
    "make it if it is missing: DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'name') THEN CREATE ROLE "
    + "name; END IF; END $$"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let statement = subject.statement
    let isRole = ["ROLE", "USER", "GROUP"].contains { statement.begins(with: "CREATE", $0) }
    guard isRole, !statement.begins(with: "CREATE", "USER", "MAPPING") else { return [] }
    return [LintRemark(0, "this fails where the cluster has the role already")]
  }
}
