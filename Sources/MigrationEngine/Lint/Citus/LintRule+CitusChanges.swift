import SQLText

/// What Citus 13 refuses of changes of rows.
extension LintRule {
  /// Finds COPY with a WHERE.
  static let citusCopyWhere = LintRule(
    name: "citus-copy-where", reason: "Citus refuses COPY ... FROM ... WHERE into its tables.",
    fix: "copy into a temporary table, and INSERT ... SELECT ... WHERE from it"
  ) { subject in
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("COPY"), let table = cursor.qualifiedName(), subject.mayLieInCitus(table),
      let place = subject.statement.words.firstIndex(of: "WHERE"),
      subject.statement.words[..<place].contains("FROM")
    else { return [] }
    return [LintRemark(place, "COPY with WHERE into \(table) is refused")]
  }

  /// Finds changes of rows that a subquery has found by ctid.
  static let citusCtid = LintRule(
    name: "citus-ctid",
    reason:
      "A ctid is of one shard, and several rows of a distributed table have the same. Citus refuses UPDATE and DELETE of what a "
      + "subquery names by it.",
    fix: "name the rows by their key"
  ) { subject in
    subject.parts.compactMap { part in
      guard let changed = subject.changedTable(part), let key = subject.distributionKey(of: changed),
        !part.asks(for: key), let place = part.range.last(where: { part.statement.words[$0] == "CTID" }),
        part.range.contains(where: {
          part.statement.words[$0] == "CTID"
            && part.statement.words[part.surroundings(of: $0)].contains("SELECT")
            && part.surroundings(of: $0) != part.range
        })
      else { return nil }
      return LintRemark(
        subject.place(place, of: part), "rows of \(changed) are named by the ctid of a subquery")
    }
  }

  /// Finds MERGE that Citus refuses.
  static let citusMerge = LintRule(
    name: "citus-merge",
    reason:
      "Citus refuses MERGE into a reference table, from a local table or VALUES into a distributed one, and from a distributed "
      + "one into a local one.",
    fix: "INSERT ... ON CONFLICT, with excluded.column"
  ) { subject in
    guard let place = subject.statement.words.firstIndex(of: "MERGE"),
      place == 0 || subject.statement.keyword == "WITH"
    else { return [] }
    var cursor = SQLCursor(subject.statement)
    cursor.place = place
    guard cursor.take("MERGE", "INTO") else { return [] }
    cursor.take("ONLY")
    guard let table = cursor.qualifiedName() else { return [] }
    let isFromDistributed = subject.parts.flatMap { $0.tables() }.contains {
      $0 != table && subject.place(of: $0) == .distributed
    }
    switch subject.place(of: table) {
    case .local where subject.folder.placement.isKnown:
      return isFromDistributed
        ? [LintRemark(place, "MERGE from a distributed table into \(table) is refused")] : []
    case .distributed where isFromDistributed: return []
    default:
      return [
        LintRemark(place, "MERGE into \(table) is refused where it is distributed or a reference table")
      ]
    }
  }

  /// Finds changes of rows that Citus cannot give to the shards.
  static let citusUpdate = LintRule(
    name: "citus-update",
    reason:
      "Citus changes no distribution column of a row, and takes no VOLATILE function in UPDATE and DELETE of its tables.",
    fix:
      "delete the row and insert it again; work values out in a subquery of FROM, or in a column's default"
  ) { subject in
    subject.parts.flatMap { part -> [LintRemark] in
      guard let table = subject.changedTable(part), subject.folder.placement.holds(subject.model.key(table))
      else { return [] }
      let moved = subject.distributionKey(of: table).flatMap { part.change(of: $0) }.map {
        LintRemark(subject.place($0, of: part), "the distribution column of \(table) is changed")
      }
      let volatile = part.outsideSubqueries.lazy.compactMap { range -> LintRemark? in
        guard
          case .volatile(let function) = Volatility.of(
            part.statement, range, declared: subject.model.functions)
        else { return nil }
        return LintRemark(
          subject.place(range.lowerBound, of: part), "\(function)() is called for rows of \(table)")
      }.first
      return [moved, volatile].compactMap(\.self)
    }
  }
}

extension LintSubject {
  /// The table that UPDATE or DELETE changes.
  fileprivate func changedTable(_ part: SQLPart) -> SQLName? {
    var cursor = SQLCursor(part.statement, part.range)
    while let word = cursor.word {
      let isUpdate =
        word == "UPDATE" && (cursor.place == part.range.lowerBound || part.isBehindCTE(cursor.place))
      if isUpdate || word == "DELETE" && cursor.peek(1) == "FROM" {
        cursor.place += isUpdate ? 1 : 2
        cursor.take("ONLY")
        return cursor.qualifiedName()
      }
      cursor.skipItem()
    }
    return nil
  }
}

extension SQLPart {
  fileprivate func isBehindCTE(_ place: Int) -> Bool {
    words.first == "WITH" && statement.words[place - 1] == ")"
  }

  /// The token at which SET gives a column another value; nil where it does not.
  fileprivate func change(of column: String) -> Int? {
    var cursor = SQLCursor(statement, range)
    while let word = cursor.word, word != "SET" { cursor.skipItem() }
    guard cursor.take("SET") else { return nil }
    let start = cursor.place
    while let word = cursor.word, !["FROM", "WHERE", "RETURNING"].contains(word) { cursor.skipItem() }
    return SQLCursor(statement, start..<min(cursor.place, cursor.end)).pieces().lazy.compactMap { piece in
      var cursor = SQLCursor(statement, piece)
      let isList = cursor.word == "("
      let columns = isList ? cursor.nameList() : [cursor.name()].compactMap(\.self)
      guard columns.contains(column), cursor.take("=") else { return nil }
      return !isList && isColumn(column, cursor.place..<piece.upperBound) ? nil : piece.lowerBound
    }.first
  }

  /// Its tokens without those of subqueries.
  fileprivate var outsideSubqueries: [Range<Int>] {
    var found: [Range<Int>] = []
    var cursor = SQLCursor(statement, range)
    var start = range.lowerBound
    while let word = cursor.word {
      if word == "(", ["SELECT", "WITH"].contains(cursor.peek(1)) {
        found.append(start..<cursor.place)
        cursor.skipItem()
        start = cursor.place
      } else {
        cursor.place += 1
      }
    }
    return found + [min(start, range.upperBound)..<range.upperBound]
  }
}
