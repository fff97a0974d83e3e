/// Finds columns that are dropped while a view uses them.
struct DropColumnInView: LintRule {
  let name = "drop-column-in-view"
  let severity = LintSeverity.error
  let reason =
    "A view uses the column: DROP COLUMN fails, or with CASCADE takes the view with it; a derived view of a pipeline "
    + "cannot be made again. Decided by the words of the view: it names the table, and the column or a `*`."
  let mend = "first change the view so that it does without the column"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .alterTable(let alter) = subject.meaning else { return [] }
    let views = subject.model.views.values.sorted { $0.name < $1.name } + subject.folder.views
    return alter.actions.flatMap { action -> [LintRemark] in
      guard case .dropColumn(let column) = action.kind else { return [] }
      return views.filter { $0.names(alter.name) && $0.uses(column) }.map {
        LintRemark(action.place, "the view \($0.name) uses \(alter.name).\(column)")
      }
    }
  }
}

extension SchemaModel.View {
  /// Whether its query names a table.
  fileprivate func names(_ table: SQLName) -> Bool {
    words.indices.contains { place in
      guard words[place] == table.name else { return false }
      guard place > 1, words[place - 1] == "." else { return true }
      return words[place - 2] == table.schema ?? "public"
    }
  }

  /// Whether its query names a column, or asks for all: `*` behind SELECT, a comma or a dot.
  fileprivate func uses(_ column: String) -> Bool {
    words.indices.contains { place in
      words[place] == column
        || words[place] == "*" && place > 0
          && ["select", "all", "distinct", ",", "."].contains(words[place - 1])
    }
  }
}
