/// Finds new names for what running programs call by the old one.
struct Rename: LintRule {
  let name = "rename"
  let severity = LintSeverity.notice
  let reason =
    "Programs that run while the migration is applied still use the old name of a table or column, and fail from then on."
  let fix =
    "add the new column beside the old one, or a view under the old name, and drop the old one once no program uses it"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard let alter = subject.existingAlter else { return [] }
    return alter.actions.compactMap { action in
      switch action.kind {
      case .renameColumn(let old, _):
        LintRemark(action.place, "programs that use \(alter.name).\(old) fail as soon as this is applied")
      case .rename, .setSchema:
        LintRemark(action.place, "programs that use \(alter.name) fail as soon as this is applied")
      default: nil
      }
    }
  }
}
