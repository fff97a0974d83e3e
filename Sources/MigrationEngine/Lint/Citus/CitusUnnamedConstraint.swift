/// Finds constraints without a name on tables that may lie in Citus.
struct CitusUnnamedConstraint: LintRule {
  let name = "citus-unnamed-constraint"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason =
    "Errors of a distributed table name the constraint with the number of a shard behind it: only a name of one's own is "
    + "recognised in them."
  let fix = "CONSTRAINT name in front of it"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let kinds: [ConstraintDefinition.Kind] = [.unique, .primaryKey, .foreignKey, .check, .exclude]
    return subject.citusConstraints.filter { kinds.contains($0.constraint.kind) && $0.constraint.name == nil }
      .map {
        LintRemark($0.constraint.place, "the constraint has no name of its own")
      }
  }
}
