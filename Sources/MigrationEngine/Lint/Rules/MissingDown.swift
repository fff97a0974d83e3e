/// Finds migrations without a way back.
struct MissingDown: LintRule {
  let name = "missing-down"
  let severity = LintSeverity.notice
  let reason =
    "A migration without a section `down` cannot be reverted, and nobody knows whether that is intended."
  let fix = "write the section `-- rivulet:down`, or `-- rivulet:down irreversible \"reason\"`"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let migration = subject.section.migration
    guard subject.index == 0, migration.kind == .versioned, migration.down == .missing else { return [] }
    return [LintRemark(0, "\(migration.label) has no way back and does not say why")]
  }
}
