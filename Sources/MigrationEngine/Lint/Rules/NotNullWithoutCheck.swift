/// Finds SET NOT NULL that has to read the table.
struct NotNullWithoutCheck: LintRule {
  let name = "not-null-without-check"
  let severity = LintSeverity.error
  let reason =
    "SET NOT NULL reads the whole table under an ACCESS EXCLUSIVE lock, unless a valid CHECK says already that the "
    + "column is not null."
  let mend =
    "ADD CONSTRAINT ... CHECK (column IS NOT NULL) NOT VALID; in a later migration VALIDATE CONSTRAINT, and in one "
    + "after that SET NOT NULL and DROP CONSTRAINT"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard let alter = subject.existingAlter else { return [] }
    let table = subject.model.table(alter.name)
    return alter.actions.compactMap { action in
      guard case .setNotNull(let column) = action.kind else { return nil }
      if table?.columns[column]?.isNotNull == true || table?.provesNotNull(column) == true { return nil }
      return LintRemark(
        action.place,
        "readers and writers of \(alter.name) wait until every row is read for a NULL in \(column)")
    }
  }
}

extension SchemaModel.Table {
  /// Whether a valid check refuses NULL in a column, alone or joined with others by AND.
  func provesNotNull(_ column: String) -> Bool {
    checks.contains { check in
      guard check.isValid else { return false }
      let words = check.condition.filter { $0 != "(" && $0 != ")" }
      guard !words.contains("or"), !words.contains("not") || words.firstIndex(of: "not") != 0 else {
        return false
      }
      return words.split(separator: "and").contains { $0.elementsEqual([column, "is", "not", "null"]) }
    }
  }
}
