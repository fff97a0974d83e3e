import SQLText

extension Migration.Section {
  /// What begins the line of a mark, behind the dashes.
  private static let batchMark = "rivulet:batch"

  /// Whether something in it may be a mark.
  var hasBatches: Bool { sql.hasBytes(of: Self.batchMark) }

  /// The statements that run in batches: the mark of each by the byte at which it begins.
  ///
  /// - Throws: `MigrationError.malformed`.
  func batches(of script: SQLScript, in filled: FilledText) throws(MigrationError) -> [Int: BatchMark] {
    guard filled.text.hasBytes(of: Self.batchMark) else { return [:] }
    let bytes = Array(filled.text.utf8)
    var found: [Int: BatchMark] = [:]
    var end = 0
    for statement in script.statements {
      let start = statement.range.lowerBound
      if let mark = try mark(in: end..<start, of: bytes) {
        try require(mark, statement)
        found[start] = mark
      }
      end = statement.copyData?.upperBound ?? statement.range.upperBound
      if let comment = marks(Self.batchMark, in: statement.range, of: bytes).first {
        throw unfit(comment.place, "the mark is within a statement", BatchMark.hint)
      }
    }
    if let mark = try mark(in: end..<bytes.count, of: bytes) {
      throw unfit(mark.place, "no statement follows the mark", BatchMark.hint)
    }
    return found
  }

  /// Nothing in it runs in batches.
  ///
  /// - Throws: `MigrationError.malformed`.
  func refuseBatches() throws(MigrationError) {
    guard hasBatches, let comment = marks(Self.batchMark, in: 0..<sql.utf8.count, of: Array(sql.utf8)).first
    else {
      return
    }
    throw unfit(
      comment.place, "nothing runs in batches here: the section is part of a transaction",
      "put the statement into the section 'up' or 'down' of a migration")
  }

  /// The table and key of each mark, which are part of what a migration is although they are in comments; the size
  /// and what follows it are not.
  var batchKeys: [String] {
    guard hasBatches else { return [] }
    return SectionedText.lines(sql).compactMap { line in
      let text = line.drop { $0 == "-" || $0.isWhitespace }
      guard text.hasPrefix(Self.batchMark) else { return nil }
      let words = text.split(whereSeparator: \.isWhitespace).dropFirst()
      // One with placeholders cannot be read yet.
      return (try? BatchMark(words.joined(separator: " ")))?.identity
        ?? words.prefix { Int($0) == nil }.joined(separator: " ")
    }
  }

  /// The mark between two statements; nil where there is none.
  private func mark(in range: Range<Int>, of bytes: [UInt8]) throws(MigrationError) -> BatchMark? {
    guard let comment = try mark(Self.batchMark, in: range, of: bytes, BatchMark.hint) else { return nil }
    if options.hasOwnTransactions || options.transaction == true {
      throw unfit(
        comment.place, "batches are transactions of their own, and the section asks for others",
        "take transaction=\(options.hasOwnTransactions ? "own" : "on") out")
    }
    do throws(BatchMark.Fault) {
      var mark = try BatchMark(comment.text)
      mark.place = comment.place
      return mark
    } catch {
      throw unfit(comment.place, error.message, BatchMark.hint)
    }
  }

  private func require(_ mark: BatchMark, _ statement: SQLStatement) throws(MigrationError) {
    let verbs: Set<String> = ["UPDATE", "DELETE", "INSERT", "MERGE"]
    let isWith = statement.keyword == "WITH" && !verbs.isDisjoint(with: statement.words)
    guard verbs.contains(statement.keyword) || isWith else {
      throw unfit(
        statement.place, "\(statement.keyword) does not run in batches",
        "the mark is for UPDATE, DELETE, MERGE and INSERT ... SELECT; take it out, or put it before one of them"
      )
    }
    if BatchPlace.all(of: statement).isEmpty {
      throw unfit(
        statement.place, "the statement does not say where the range of a batch goes",
        "write {batch} into its WHERE, or {batch v} where the table is called v: WHERE {batch} AND code IS NULL"
      )
    }
    if let column = statement.setColumns.first(where: mark.keys.contains) {
      throw unfit(
        statement.place, "the statement changes \(column), and a row with another key may be in two ranges",
        "name a key whose columns it leaves alone")
    }
    var cursor = SQLCursor(statement)
    if cursor.take("INSERT", "INTO"), cursor.qualifiedName() == mark.table {
      throw unfit(
        statement.place, "what is inserted into the table of the mark may be ranges for ever",
        "insert into another table, or without batches")
    }
  }
}

extension SQLStatement {
  /// The columns that an UPDATE sets, as far as it says them by name; none of any other statement.
  fileprivate var setColumns: [String] {
    guard keyword == "UPDATE" else { return [] }
    var cursor = SQLCursor(self)
    while let word = cursor.word, word != "SET" { cursor.skipItem() }
    let start = cursor.place + 1
    while let word = cursor.word, !["FROM", "WHERE"].contains(word) { cursor.skipItem() }
    guard start <= cursor.place else { return [] }
    return SQLCursor(self, start..<cursor.place).pieces().flatMap { piece in
      var part = SQLCursor(self, piece)
      return part.word == "(" ? part.nameList() : [part.name()].compactMap(\.self)
    }
  }
}
