import SQLText

/// The TRUNCATE statements of a section. Where there are no rows, as in a shadow, a table that one of them
/// empties and one that is rewritten look the same: the text has to say which it is.
struct Truncation {
  private var emptied: [SQLName] = []
  private var altered: [SQLName] = []
  private var isCascade = false

  init(_ statements: [SQLStatement]) {
    for statement in statements where ["TRUNCATE", "ALTER"].contains(statement.keyword) {
      emptied += DataChange(statement)?.emptied ?? []
      altered += [AlterTable(statement)?.name].compactMap(\.self)
      isCascade = isCascade || statement.keyword == "TRUNCATE" && statement.words.last == "CASCADE"
    }
  }

  var isNone: Bool { emptied.isEmpty }

  /// Whether they empty a table that has a new file: it is named, or is part of one that is, or follows one
  /// whose rows it refers to.
  func empties(_ table: String, _ known: KnownRelations) -> Bool {
    var relation = known.relations.values.first { $0.name == table && $0.isTable }
    if isCascade, let relation, !altered.contains(where: { $0.mayBe(relation.plain) }) { return true }
    while let whole = relation {
      if emptied.contains(where: { $0.mayBe(whole.plain) }) { return true }
      relation = whole.parent.flatMap { known[$0] }
    }
    return false
  }
}
