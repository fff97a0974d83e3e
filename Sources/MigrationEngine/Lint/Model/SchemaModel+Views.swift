extension SchemaModel.View {
  /// Whether its query uses a column of a table: by its name, or by a `*`, which means all columns.
  ///
  /// Decided by words: where a column without its table is in a query of several tables, it counts for each.
  func uses(_ column: String, of table: SQLName) -> Bool {
    let places = words.indices.filter { names(table, at: $0) }
    if places.isEmpty { return false }
    let callers = Set(places.compactMap(alias)).union([table.name])
    let queries = Set(places.map(query))
    return words.indices.contains { place in
      guard words[place] == column || words[place] == "*" else { return false }
      let before = place > 0 ? words[place - 1] : ""
      if before == "." { return place > 1 && callers.contains(words[place - 2]) }
      if words[place] == column { return true }
      return ["select", "all", "distinct", ","].contains(before) && queries.contains(query(place))
    }
  }

  /// Whether its query names a table or view.
  func names(_ table: SQLName) -> Bool { words.indices.contains { names(table, at: $0) } }

  private func names(_ table: SQLName, at place: Int) -> Bool {
    guard words[place] == table.name else { return false }
    // Before a dot it is what a column is called by.
    if place + 1 < words.count, words[place + 1] == "." { return false }
    guard place > 1, words[place - 1] == "." else { return true }
    return words[place - 2] == table.schema ?? "public"
  }

  /// The other name that a table is given behind its own.
  private func alias(_ place: Int) -> String? {
    let next = place + 1 < words.count && words[place + 1] == "as" ? place + 2 : place + 1
    return next < words.count ? words[next] : nil
  }

  /// Where the query begins that a word belongs to: behind the parenthesis of the nearest subquery around it.
  private func query(_ place: Int) -> Int {
    var depth = 0
    for before in words[..<place].indices.reversed() {
      switch words[before] {
      case ")": depth += 1
      case "(" where depth > 0: depth -= 1
      case "(" where ["select", "with", "("].contains(words[before + 1]): return before + 1
      default: break
      }
    }
    return 0
  }
}
