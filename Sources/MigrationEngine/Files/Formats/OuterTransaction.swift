import SQLText

/// The `BEGIN` and `COMMIT` that many a file of other tools puts around all it holds.
///
/// A migration is a transaction already, so both are blanked out; every line stays where it is.
enum OuterTransaction {
  /// How a script's own transaction ends.
  enum Ending {
    case commit
    /// As sqitch's verify scripts do: what they change is not to stay.
    case rollback
  }

  /// The section without its own transaction.
  ///
  /// Throws where a transaction begins or ends anywhere else.
  static func removed(from section: Migration.Section) throws(MigrationError) -> Migration.Section {
    let statements = try section.script().statements
    var section = section
    var inner = statements[...]
    if let first = statements.first, let last = statements.last, isBegin(first), let ending = ending(last) {
      section.sql = replaced(section.sql, first, last, ending)
      inner = statements.dropFirst().dropLast()
    }
    for statement in inner where statement.controlsTransaction {
      throw .malformed(
        file: section.file, line: statement.place.line, column: statement.place.column,
        message: "\(statement.words[0]) is not half of a pair around the whole script",
        hint: "leave it out, or make each transaction a migration of its own: each is one transaction already"
      )
    }
    return section
  }

  /// Plain ones only: an isolation level is a wish that would be lost.
  private static func isBegin(_ statement: SQLStatement) -> Bool {
    statement.words == ["START", "TRANSACTION"]
      || statement.keyword == "BEGIN" && isNoise(statement.words.dropFirst())
  }

  private static func ending(_ statement: SQLStatement) -> Ending? {
    guard isNoise(statement.words.dropFirst()) else { return nil }
    switch statement.keyword {
    case "COMMIT", "END": return .commit
    case "ROLLBACK", "ABORT": return .rollback
    default: return nil
    }
  }

  private static func isNoise(_ words: ArraySlice<String>) -> Bool {
    words.isEmpty || words.elementsEqual(["WORK"]) || words.elementsEqual(["TRANSACTION"])
  }

  private static func replaced(
    _ sql: String, _ first: SQLStatement, _ last: SQLStatement, _ ending: Ending
  ) -> String {
    let bytes = Array(sql.utf8)
    let (begin, end) =
      switch ending {
      case .commit: (blanks(first.range.count), blanks(last.range.count))
      // Within the migration's transaction a savepoint rolls back as much.
      case .rollback: ("SAVEPOINT its_own", "ROLLBACK TO SAVEPOINT its_own")
      }
    let parts = [
      bytes[..<first.range.lowerBound], Array(begin.utf8)[...],
      bytes[first.range.upperBound..<last.range.lowerBound], Array(end.utf8)[...],
      bytes[last.range.upperBound...],
    ]
    return String(decoding: parts.joined(), as: UTF8.self)
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
