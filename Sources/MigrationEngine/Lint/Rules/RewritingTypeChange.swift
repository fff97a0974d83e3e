import SQLText

/// Finds changes of a column's type that rewrite or read the table.
struct RewritingTypeChange: LintRule {
  let name = "rewriting-type-change"
  let severity = LintSeverity.error
  let reason =
    "ALTER COLUMN ... TYPE rewrites the table and its indexes under an ACCESS EXCLUSIVE lock, unless the stored values "
    + "are good as they are: a longer varchar or none, varchar to text, a numeric of more digits and the same scale, a "
    + "finer timestamp. The old type is taken from earlier migrations; where they do not show it, the rule says so."
  let fix =
    "add a column of the new type, keep both filled by a trigger, fill the old rows in batches, and swap the names in a "
    + "later migration"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard let alter = subject.existingAlter else { return [] }
    return alter.actions.compactMap { action in
      guard case .setType(let change) = action.kind else { return nil }
      return message(change, of: alter.name, subject).map { LintRemark(action.place, $0) }
    }
  }

  private func message(_ change: AlterTable.ColumnTypeChange, of name: SQLName, _ subject: LintSubject)
    -> String?
  {
    let table = subject.model.table(name)
    guard let new = change.type, let old = table?.columns[change.column]?.type else {
      return "\(name) may be rewritten: no migration shows what type \(change.column) has now"
    }
    if let using = change.using, !isPlain(subject.folded(using), change.column) {
      return
        "readers and writers of \(name) wait while USING is worked out for every row and the table is rewritten"
    }
    switch TypeChange(from: old, to: new) {
    case .rewrite:
      return
        "readers and writers of \(name) wait while it is rewritten: \(change.column) is \(old), and becomes \(new)"
    case .rewriteUnlessUTC where subject.setsUTC: break
    case .rewriteUnlessUTC:
      return
        "\(name) is rewritten unless the session's time zone is UTC: \(change.column) is \(old), and becomes \(new)"
    case .unknown:
      return "\(name) may be rewritten: whether \(old) can be read as \(new) is not known here"
    case .free: break
    }
    if change.hasCollation {
      return "the indexes of \(name) with \(change.column) are rebuilt if its collation changes"
    }
    let isChecked = table?.checks.contains { $0.isValid && $0.condition.contains(change.column) } == true
    return isChecked ? "every row of \(name) is read, since a CHECK names \(change.column)" : nil
  }

  /// Whether USING says no more than the column itself, or its cast.
  private func isPlain(_ words: [String], _ column: String) -> Bool {
    words.first == column && (words.count == 1 || words.dropFirst().prefix(2).elementsEqual([":", ":"]))
      && !words.contains { ["+", "-", "*", "/", "|"].contains($0) }
  }
}

extension LintSubject {
  /// Whether the file says before this statement that the time zone is UTC.
  fileprivate var setsUTC: Bool {
    earlier.contains { statement in
      statement.words.first == "SET" && statement.words.last?.uppercased() == "'UTC'"
        && (statement.words.contains("TIMEZONE") || statement.words.contains("ZONE"))
    }
  }
}
