import SQLText

/// What Citus 13 refuses of queries.
extension LintRule {
  /// Finds lists of column names over a UNION whose own columns are called otherwise.
  static let citusNames = LintRule(
    name: "citus-names",
    reason:
      "A CTE or a view with a list of column names over a UNION fails on the shards (column does not exist) where the first "
      + "SELECT calls its columns otherwise and Citus gives the query to the shards: each SELECT is of distributed tables, and "
      + "gives the distribution column at the same place or asks for one value of it.",
    fix: "AS name for the columns of the first SELECT, constants among them"
  ) { subject in
    subject.parts.flatMap { part in
      part.namedQueries.compactMap { named -> LintRemark? in
        let arms = part.arms(named.query)
        let items = arms.compactMap { part.items($0) }
        guard arms.count > 1, items.count == arms.count, items[0].count == named.names.count,
          let wrong = zip(items[0], named.names).first(where: { part.title($0.0) != $0.1 }),
          subject.isGivenToShards(part, arms, items)
        else { return nil }
        return LintRemark(
          subject.place(wrong.0.lowerBound, of: part),
          "this column is \(wrong.1) only by the list of \(named.name)")
      }
    }
  }

  /// Finds views with queries that Citus cannot run over distributed tables.
  static let citusQuery = LintRule(
    name: "citus-query",
    reason: "Citus runs no ROLLUP, CUBE, GROUPING SETS and no recursive query over distributed tables.",
    fix: "UNION ALL of a query for each grouping; a table that is filled step by step instead of recursion"
  ) { subject in
    guard case .createView = subject.meaning, subject.mayBeDistributed else { return [] }
    let words = subject.statement.words
    return zip(words.indices, zip(words, words.dropFirst())).compactMap { place, pair in
      switch pair {
      case ("ROLLUP", "("), ("CUBE", "("): LintRemark(place, "\(pair.0) is refused")
      case ("GROUPING", "SETS"): LintRemark(place, "GROUPING SETS is refused")
      case ("WITH", "RECURSIVE"): LintRemark(place, "a recursive query is refused")
      case ("RECURSIVE", "VIEW"): LintRemark(place, "a recursive view is refused")
      default: nil
      }
    }
  }

  /// Finds locks of rows of several shards.
  static let citusRowLocks = LintRule(
    name: "citus-row-locks",
    reason:
      "Citus takes FOR UPDATE, FOR NO KEY UPDATE, FOR SHARE and FOR KEY SHARE of a distributed table only where the query asks "
      + "for one value of its distribution column.",
    fix:
      "ask for one value of the distribution column, or LOCK TABLE, or do without where another lock is held"
  ) { subject in
    subject.parts.flatMap { part in
      part.range.compactMap { place -> LintRemark? in
        var cursor = SQLCursor(part.statement, place..<part.range.upperBound)
        guard cursor.take("FOR"),
          cursor.take("UPDATE") || cursor.take("NO", "KEY", "UPDATE") || cursor.take("SHARE")
            || cursor.take("KEY", "SHARE"), part.words.first != "CREATE"
        else { return nil }
        let query = part.surroundings(of: place)
        let found = part.tables(in: query, false).first { name in
          subject.distributionKey(of: name).map { !part.asks(for: $0, in: query) } ?? false
        }
        return found.map {
          LintRemark(subject.place(place, of: part), "rows of \($0) are locked on more than one shard")
        }
      }
    }
  }

  /// Finds comparisons of rows as they are stored.
  static let citusRecord = LintRule(
    name: "citus-record",
    reason:
      "On the way to the shards ROW(...) loses its cast to record, and the operators *= and *<> are not found there.",
    fix: "record_image_ne(ROW(...), ROW(...)), or record_image_eq"
  ) { subject in
    subject.parts.compactMap { part in
      guard part.tables().contains(where: { subject.distributionKey(of: $0) != nil }),
        part.words.contains("RECORD"),
        let place = part.range.dropLast().first(where: { place in
          part.statement.words[place] == "*" && ["=", "<", ">"].contains(part.statement.words[place + 1])
            && part.statement.tokens[place].range.upperBound
              == part.statement.tokens[place + 1].range.lowerBound
        })
      else { return nil }
      return LintRemark(subject.place(place, of: part), "rows are compared by an operator of records")
    }
  }
}

extension LintSubject {
  /// Whether the statement may be about a distributed table: also where nothing says where tables lie.
  fileprivate var mayBeDistributed: Bool {
    !folder.placement.isKnown
      || parts.contains { part in
        part.tables().contains { name in
          distributionKey(of: name).map { !part.asks(for: $0) } ?? false
        }
      }
  }

  /// Whether Citus gives a UNION to the shards as it is.
  fileprivate func isGivenToShards(_ part: SQLPart, _ arms: [Range<Int>], _ items: [[Range<Int>]]) -> Bool {
    var shared: Set<Int>?
    var isOfOneShard = true
    for (arm, items) in zip(arms, items) {
      let tables = part.tables(in: arm, true)
      let keys = tables.compactMap { distributionKey(of: $0) }
      guard let key = keys.first, tables.allSatisfy({ folder.placement.holds(model.key($0)) }) else {
        return false
      }
      let places = Set(items.indices.filter { part.isItem(key, items[$0]) })
      shared = shared?.intersection(places) ?? places
      isOfOneShard = isOfOneShard && part.asks(for: key, in: arm)
    }
    return isOfOneShard || shared?.isEmpty == false
  }
}

extension SQLPart {
  /// A CTE that is used once, or a view, with its list of names.
  fileprivate typealias NamedQuery = (name: String, names: [String], query: Range<Int>)

  fileprivate var namedQueries: [NamedQuery] {
    if case .createView(let view) = SchemaStatement(statement) {
      guard !words.contains("MATERIALIZED"), let list = range.first(where: { statement.words[$0] == "(" }),
        list < view.query.lowerBound
      else { return ctes }
      var cursor = SQLCursor(statement, list..<range.upperBound)
      return [(view.name.description, cursor.nameList(), view.query)] + ctes
    }
    return ctes
  }

  private var ctes: [NamedQuery] {
    range.compactMap { place in
      var cursor = SQLCursor(statement, place..<range.upperBound)
      guard cursor.word == "(", place > range.lowerBound + 1, let name = statement.name(at: place - 1),
        ["WITH", ","].contains(statement.words[place - 2])
      else { return nil }
      let names = cursor.nameList()
      guard cursor.take("AS") else { return nil }
      cursor.take("NOT", "MATERIALIZED")
      guard let query = cursor.group() else { return nil }
      // One that is used twice is worked out once, and not given to the shards with what uses it.
      let uses = tables(in: cursor.place..<range.upperBound, true).count { $0 == SQLName(name) }
      return uses == 1 ? (name, names, query) : nil
    }
  }

  /// Whether what a SELECT gives is a column as it is, under whatever name.
  fileprivate func isItem(_ column: String, _ item: Range<Int>) -> Bool {
    let end = item.first { statement.words[$0] == "AS" } ?? item.upperBound
    return isColumn(column, item.lowerBound..<end)
  }
}
