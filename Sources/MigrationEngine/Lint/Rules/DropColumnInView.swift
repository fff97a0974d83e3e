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
      return views.filter { $0.uses(column, of: alter.name) }.map {
        LintRemark(action.place, "the view \($0.name) uses \(alter.name).\(column)")
      }
    }
  }
}

extension SchemaModel.View {
  /// Whether its query uses a column of a table: by its name, or by `*` behind SELECT, a comma or a dot.
  fileprivate func uses(_ column: String, of table: SQLName) -> Bool {
    let places = words.indices.filter { names(table, at: $0) }
    if places.isEmpty { return false }
    let callers = Set(places.compactMap(alias)).union([table.name])
    return words.indices.contains { place in
      guard words[place] == column || words[place] == "*" else { return false }
      let before = place > 0 ? words[place - 1] : ""
      if before == "." { return place > 1 && callers.contains(words[place - 2]) }
      return words[place] == column || ["select", "all", "distinct", ","].contains(before)
    }
  }

  private func names(_ table: SQLName, at place: Int) -> Bool {
    guard words[place] == table.name else { return false }
    // Before a dot it is what a column is called by.
    if place + 1 < words.count, words[place + 1] == "." { return false }
    guard place > 1, words[place - 1] == "." else { return true }
    return words[place - 2] == table.schema ?? "public"
  }

  /// The other name that a table is given behind its own.
  private func alias(_ place: Int) -> String? {
    let next = place + 1 < words.count && words[place + 1] == "as" ? place + 2 : place + 1
    return next < words.count ? words[next] : nil
  }
}
