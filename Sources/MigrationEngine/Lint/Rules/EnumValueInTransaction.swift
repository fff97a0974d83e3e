import SQLText

/// Finds new values of an enum that are used before they are committed.
struct EnumValueInTransaction: LintRule {
  let name = "enum-value-in-transaction"
  let severity = LintSeverity.error
  let reason =
    "A value that ALTER TYPE ... ADD VALUE adds cannot be used before the transaction ends: the statement fails with "
    + "\"unsafe use of new value\"."
  let fix = "use the value in a later migration"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard subject.section.isTransactional else { return [] }
    let values = Set(subject.earlier.compactMap { value(of: $0, in: subject.model) })
    return subject.statement.words.indices.filter { values.contains(subject.statement.words[$0]) }.prefix(1)
      .map {
        LintRemark($0, "the value \(subject.statement.words[$0]) is not yet committed, so this fails")
      }
  }

  /// The value, in its quotes, that a statement adds to an enum of another migration.
  private func value(of statement: SQLStatement, in model: SchemaModel) -> String? {
    var cursor = SQLCursor(statement)
    guard cursor.take("ALTER", "TYPE"), let type = cursor.qualifiedName(), cursor.take("ADD", "VALUE"),
      model.enums[model.key(type)] != model.current
    else { return nil }
    _ = cursor.take("IF", "NOT", "EXISTS")
    return cursor.word
  }
}
