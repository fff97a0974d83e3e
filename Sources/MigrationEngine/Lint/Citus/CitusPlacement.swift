import SQLText

/// Where Citus keeps tables, read from the calls that say so: `create_distributed_table('s.t', 'key')` and
/// `create_reference_table('s.t')`, in a statement or in the body of a DO block.
struct CitusPlacement {
  /// Distributed tables with their key, by `schema.name`.
  var distributed: [String: String] = [:]
  /// Tables that every machine has whole.
  var references: Set<String> = []

  /// Whether anything is said at all.
  var isKnown: Bool { !distributed.isEmpty || !references.isEmpty }

  /// Whether a table may lie in Citus: where nothing is said, any may.
  func mayHold(_ key: String) -> Bool {
    !isKnown || distributed[key] != nil || references.contains(key)
  }

  enum Place: String {
    case distributed
    case reference = "a reference table"
    case local
  }

  /// Where a table lies; one of which nothing is said is local.
  func place(of key: String) -> Place {
    if distributed[key] != nil { return .distributed }
    return references.contains(key) ? .reference : .local
  }

  mutating func read(_ statement: SQLStatement) {
    for place in statement.words.indices {
      switch statement.words[place] {
      case "CREATE_DISTRIBUTED_TABLE":
        guard let table = CitusPlacement.argument(1, after: place, in: statement) else { continue }
        distributed[CitusPlacement.key(table)] =
          CitusPlacement.argument(2, after: place, in: statement).map { $0.lowercased() } ?? ""
      case "CREATE_REFERENCE_TABLE":
        guard let table = CitusPlacement.argument(1, after: place, in: statement) else { continue }
        references.insert(CitusPlacement.key(table))
      default:
        guard let body = statement.dollarBody(place) else { continue }
        for inner in (try? SQLScript(body))?.statements ?? [] { read(inner) }
      }
    }
  }

  /// The text of a string that is the nth argument of a call.
  private static func argument(_ number: Int, after place: Int, in statement: SQLStatement) -> String? {
    var cursor = SQLCursor(statement)
    cursor.place = place + 1
    guard let group = cursor.group() else { return nil }
    let pieces = SQLCursor(statement, group).pieces()
    guard number <= pieces.count,
      let string = statement.words[pieces[number - 1]].first(where: { $0.hasPrefix("'") })
    else { return nil }
    return string.filter { $0 != "'" }
  }

  private static func key(_ name: String) -> String { name.contains(".") ? name : "public." + name }
}

extension SQLStatement {
  /// What a dollar quote holds; nil for another token.
  func dollarBody(_ place: Int) -> String? {
    guard tokens[place].kind == .quote, words[place].hasPrefix("$") else { return nil }
    let tag = words[place].dropFirst().prefix { $0 != "$" }.count + 2
    return String(words[place].dropFirst(tag).dropLast(tag))
  }
}
