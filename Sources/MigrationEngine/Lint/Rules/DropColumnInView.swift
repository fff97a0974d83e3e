/// Finds columns that are dropped while a view uses them.
struct DropColumnInView: LintRule {
  let name = "drop-column-in-view"
  let severity = LintSeverity.error
  let reason =
    "A view uses the column: DROP COLUMN fails, or with CASCADE takes the view with it; a derived view of a pipeline "
    + "cannot be made again. Decided by the words of the view: it names the table, and the column or a `*`."
  let fix = "first change the view so that it does without the column"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .alterTable(let alter) = subject.meaning else { return [] }
    let views = subject.model.views.values.sorted { $0.name < $1.name } + subject.folder.views
    return alter.actions.flatMap { action -> [LintRemark] in
      guard case .dropColumn(let column) = action.kind else { return [] }
      return views.filter { $0.uses(column, of: alter.name) }.map {
        LintRemark(action.place, "the view \($0.name) uses \(alter.name).\(column)")
      }
    }
  }
}
