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
    if isCheck, let sql = rollingBack(statements, in: section.sql) {
      section.sql = sql
      return
    }
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
    section.sql = replaced([(begin, blanks(begin)), (end, blanks(end))], in: section.sql)
  }

  /// A check whose transactions are all rolled back, as sqitch's verify scripts are: what they change is not to
  /// stay. Within the migration's transaction a savepoint rolls back as much. Nil for any other script.
  private static func rollingBack(_ statements: [SQLStatement], in sql: String) -> String? {
    let marks = statements.filter(\.controlsTransaction)
    var changes: [(SQLStatement, String)] = []
    for (index, mark) in marks.enumerated() {
      let isBegin = index.isMultiple(of: 2)
      guard isBegin ? mark.isPlainBegin : mark.isPlainEnd && ["ROLLBACK", "ABORT"].contains(mark.keyword)
      else { return nil }
      changes.append((mark, isBegin ? "SAVEPOINT its_own" : "ROLLBACK TO SAVEPOINT its_own"))
    }
    return marks.isEmpty || !marks.count.isMultiple(of: 2) ? nil : replaced(changes, in: sql)
  }

  /// A text with others in the place of some statements.
  private static func replaced(_ changes: [(statement: SQLStatement, text: String)], in sql: String) -> String
  {
    let bytes = Array(sql.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = 0
    for (statement, text) in changes {
      result += bytes[end..<statement.range.lowerBound]
      result += Array(text.utf8)
      end = statement.range.upperBound
    }
    result += bytes[end...]
    return String(decoding: result, as: UTF8.self)
  }

  /// The places of the one BEGIN and of its end, with nothing before it but settings and nothing after it that
  /// could not as well be in the same transaction.
  private static func pair(in statements: [SQLStatement]) -> ClosedRange<Int>? {
    let marks = statements.indices.filter { statements[$0].controlsTransaction }
    guard marks.count == 2, statements[marks[0]].isPlainBegin, statements[marks[1]].isPlainEnd,
      ["COMMIT", "END"].contains(statements[marks[1]].keyword),
      statements[..<marks[0]].allSatisfy(\.isSetting),
      statements[(marks[1] + 1)...].allSatisfy({ ["COMMENT", "GRANT", "REVOKE"].contains($0.keyword) })
    else { return nil }
    return marks[0]...marks[1]
  }

  private static func blanks(_ statement: SQLStatement) -> String {
    String(repeating: " ", count: statement.range.count)
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
