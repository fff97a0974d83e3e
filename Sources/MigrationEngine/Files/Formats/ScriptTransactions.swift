import SQLText

/// What becomes of `BEGIN` and `COMMIT` in the scripts of other tools.
///
/// Where one pair is around all that a script does, both are blanked out, since a migration is a transaction
/// already; every line stays where it is. Anywhere else they say what is one transaction and what is the next,
/// and the script runs as its own tool would run it, piece by piece.
enum ScriptTransactions {
  /// The section as it is to be run; where it cannot be, ``Migration/Section/fault`` says why.
  ///
  /// `isCheck` says that it runs inside of a migration's transaction and may not end it.
  static func adapted(_ section: Migration.Section, isCheck: Bool = false) -> Migration.Section {
    var section = section
    do throws(MigrationError) {
      if section.fault == nil { try adapt(&section, isCheck: isCheck) }
    } catch {
      section.fault = error
    }
    return section
  }

  private static func adapt(_ section: inout Migration.Section, isCheck: Bool) throws(MigrationError) {
    // Where statements begin and end is decided before values are known.
    let statements = try section.script(of: FilledText(section.sql)).statements
    guard let pair = pair(in: statements) else {
      guard let first = statements.first(where: \.controlsTransaction) else { return }
      if isCheck {
        throw section.unfit(
          first.place, "\(first.words[0]) is not half of a pair around the whole check",
          "leave it out: a check runs in its migration's transaction")
      }
      section.options.hasOwnTransactions = true
      return _ = try ScriptPieces(statements, of: section)
    }
    let (begin, end) = (statements[pair.lowerBound], statements[pair.upperBound])
    switch end.keyword {
    // As sqitch's verify scripts do: what they change is not to stay. Within the migration's transaction a
    // savepoint rolls back as much.
    case "ROLLBACK", "ABORT":
      section.replace(begin, with: "SAVEPOINT its_own", end, with: "ROLLBACK TO SAVEPOINT its_own")
    default: section.replace(begin, with: blanks(begin), end, with: blanks(end))
    }
  }

  /// The places of the one BEGIN and of its end, with nothing before it but settings and nothing after it that
  /// could not as well be in the same transaction.
  private static func pair(in statements: [SQLStatement]) -> ClosedRange<Int>? {
    let marks = statements.indices.filter { statements[$0].controlsTransaction }
    guard marks.count == 2, statements[marks[0]].isPlainBegin, statements[marks[1]].isPlainEnd,
      statements[..<marks[0]].allSatisfy(\.isSetting),
      statements[(marks[1] + 1)...].allSatisfy({ ["COMMENT", "GRANT", "REVOKE"].contains($0.keyword) })
    else { return nil }
    return marks[0]...marks[1]
  }

  private static func blanks(_ statement: SQLStatement) -> String {
    String(repeating: " ", count: statement.range.count)
  }
}

extension Migration.Section {
  fileprivate mutating func replace(
    _ first: SQLStatement, with begin: String, _ last: SQLStatement, with end: String
  ) {
    let bytes = Array(sql.utf8)
    let parts = [
      bytes[..<first.range.lowerBound], Array(begin.utf8)[...],
      bytes[first.range.upperBound..<last.range.lowerBound], Array(end.utf8)[...],
      bytes[last.range.upperBound...],
    ]
    sql = String(decoding: parts.joined(), as: UTF8.self)
  }
}

extension SQLStatement {
  /// A BEGIN without wishes: an isolation level would be lost.
  fileprivate var isPlainBegin: Bool { beginning == [] }

  /// An end of a transaction, without AND CHAIN.
  fileprivate var isPlainEnd: Bool {
    ["COMMIT", "END", "ROLLBACK", "ABORT"].contains(keyword)
      && [[], ["WORK"], ["TRANSACTION"]].contains(Array(words.dropFirst()))
  }

  /// What a statement that begins a transaction says of it; nil for any other statement.
  var beginning: [String]? {
    guard keyword == "BEGIN" || begins(with: "START", "TRANSACTION") else { return nil }
    let rest = words.dropFirst()
    return Array(["WORK", "TRANSACTION"].contains(rest.first) ? rest.dropFirst() : rest)
  }
}
