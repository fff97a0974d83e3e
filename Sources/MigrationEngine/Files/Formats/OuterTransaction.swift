import SQLText

/// The `BEGIN` and `COMMIT` that many a file of other tools puts around all it holds.
///
/// A migration is a transaction already, so both are blanked out; every line stays where it is.
enum OuterTransaction {
  /// The section without its own transaction.
  ///
  /// - Throws: `MigrationError.malformed` where a transaction begins or ends anywhere else.
  static func removed(from section: Migration.Section) throws(MigrationError) -> Migration.Section {
    let statements = try section.script().statements
    var section = section
    var inner = statements[...]
    if let first = statements.first, let last = statements.last, isBegin(first), isNoise(last) {
      switch last.keyword {
      case "COMMIT", "END":
        section.sql = replaced(section.sql, first, blanks(first), last, blanks(last))
        inner = statements.dropFirst().dropLast()
      // As sqitch's verify scripts do: what they change is not to stay. Within the migration's transaction a
      // savepoint rolls back as much.
      case "ROLLBACK", "ABORT":
        section.sql = replaced(section.sql, first, "SAVEPOINT its_own", last, "ROLLBACK TO SAVEPOINT its_own")
        inner = statements.dropFirst().dropLast()
      default: break
      }
    }
    for statement in inner where statement.controlsTransaction {
      throw section.unfit(
        statement.place, "\(statement.words[0]) is not half of a pair around the whole script",
        "leave it out, or make each transaction a migration of its own: each is one transaction already")
    }
    return section
  }

  /// Plain ones only: an isolation level is a wish that would be lost.
  private static func isBegin(_ statement: SQLStatement) -> Bool {
    statement.words == ["START", "TRANSACTION"] || statement.keyword == "BEGIN" && isNoise(statement)
  }

  /// Whether nothing that counts follows the first word.
  private static func isNoise(_ statement: SQLStatement) -> Bool {
    [[], ["WORK"], ["TRANSACTION"]].contains(Array(statement.words.dropFirst()))
  }

  private static func replaced(
    _ sql: String, _ first: SQLStatement, _ begin: String, _ last: SQLStatement, _ end: String
  ) -> String {
    let bytes = Array(sql.utf8)
    let parts = [
      bytes[..<first.range.lowerBound], Array(begin.utf8)[...],
      bytes[first.range.upperBound..<last.range.lowerBound], Array(end.utf8)[...],
      bytes[last.range.upperBound...],
    ]
    return String(decoding: parts.joined(), as: UTF8.self)
  }

  private static func blanks(_ statement: SQLStatement) -> String {
    String(repeating: " ", count: statement.range.count)
  }
}
