import SQLText

/// Finds names whose schema the search path decides.
struct UnqualifiedName: LintRule {
  let name = "unqualified-name"
  let severity = LintSeverity.notice
  let looksAtDown = true
  let reason =
    "Without a schema, the search path of the role that runs the migration decides which object is meant. Looked for only in "
    + "folders where most names have one, and not after SET search_path in the same file."
  let fix = "write schema.name"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard subject.folder.qualifiedNames > 0,
      !subject.earlier.contains(where: { $0.words.contains("SEARCH_PATH") })
    else {
      return []
    }
    return subject.statement.targets.compactMap { target in
      guard target.name.schema == nil, !isTemporary(target.name, subject) else { return nil }
      return LintRemark(target.place, "\(target.name) is looked for along the search path")
    }
  }

  private func isTemporary(_ name: SQLName, _ subject: LintSubject) -> Bool {
    subject.model.table(name)?.isTemporary == true || subject.model.views["pg_temp." + name.name] != nil
  }
}
