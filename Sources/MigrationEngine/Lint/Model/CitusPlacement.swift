import SQLText

/// Where Citus keeps tables: by the calls that say so, `create_distributed_table('s.t', 'key')` and
/// `create_reference_table('s.t')`, in a statement or in the body of a DO block, and by what migrations declare.
///
/// Tables are named `schema.name`.
struct CitusPlacement {
  /// Distributed tables with their key; empty for one that lies on a single node whole.
  private(set) var distributed: [String: String] = [:]
  /// The tables beside which others are to lie; `none` for beside no other.
  private(set) var neighbours: [String: String] = [:]
  /// Tables that every machine has whole.
  private(set) var references: Set<String> = []
  /// Tables whose place is declared at their CREATE TABLE.
  private(set) var declared: Set<String> = []

  /// Whether anything is said at all.
  var isKnown: Bool { !distributed.isEmpty || !references.isEmpty }

  /// Whether a table may lie in Citus: where nothing is said, any may.
  func mayHold(_ key: String) -> Bool { !isKnown || holds(key) }

  /// Whether a table is said to lie in Citus.
  func holds(_ key: String) -> Bool { distributed[key] != nil || references.contains(key) }

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

  /// Takes in that a table is distributed by a column, beside another one where that is said, and whether its
  /// CREATE TABLE declares it.
  mutating func distribute(
    _ table: String, by key: String, with neighbour: String? = nil, isDeclared: Bool = false
  ) {
    let table = CitusPlacement.key(table)
    distributed[table] = key
    neighbours[table] = neighbour.map(CitusPlacement.key)
    if isDeclared { declared.insert(table) }
  }

  /// Takes in that every machine has a table.
  mutating func copyEverywhere(_ table: String, isDeclared: Bool = false) {
    references.insert(CitusPlacement.key(table))
    if isDeclared { declared.insert(CitusPlacement.key(table)) }
  }

  mutating func read(_ statement: SQLStatement) {
    if ["INSERT", "UPDATE", "DELETE", "COPY"].contains(statement.keyword) { return }
    for place in statement.words.indices {
      switch statement.words[place] {
      case "CREATE_DISTRIBUTED_TABLE", "CREATE_DISTRIBUTED_TABLE_CONCURRENTLY":
        guard let call = CitusCall(statement, place), let table = call.text(1, "TABLE_NAME") else { continue }
        distribute(
          table, by: call.text(2, "DISTRIBUTION_COLUMN")?.lowercased() ?? "",
          with: call.text(4, "COLOCATE_WITH").flatMap { $0 == "default" ? nil : $0 })
      case "CREATE_REFERENCE_TABLE":
        guard let table = CitusCall(statement, place)?.text(1, "TABLE_NAME") else { continue }
        copyEverywhere(table)
      default:
        guard let body = statement.dollarBody(place) else { continue }
        for inner in (try? SQLScript(body))?.statements ?? [] { read(inner) }
      }
    }
  }

  private static func key(_ name: String) -> String {
    name.contains(".") || name == "none" ? name : "public." + name
  }
}

/// A call with strings for its arguments.
private struct CitusCall {
  private let statement: SQLStatement
  private let pieces: [Range<Int>]

  init?(_ statement: SQLStatement, _ place: Int) {
    var cursor = SQLCursor(statement)
    cursor.place = place + 1
    guard let group = cursor.group() else { return nil }
    self.statement = statement
    pieces = SQLCursor(statement, group).pieces()
  }

  /// The text of the argument of a name, or else of the nth one, where that has no name.
  func text(_ number: Int, _ name: String) -> String? {
    let named = pieces.first { statement.words[$0].starts(with: [name]) }
    guard let piece = named ?? (number <= pieces.count ? pieces[number - 1] : nil) else { return nil }
    let words = statement.words[piece]
    let hasName = words.count > 2 && (words.contains("=") && words.contains(">") || words.contains(":"))
    let isCast = words.first?.hasPrefix("'") == true
    if named == nil && hasName && !isCast { return nil }
    return words.first { $0.hasPrefix("'") }.map { $0.filter { $0 != "'" && $0 != "\"" } }
  }
}

extension SQLStatement {
  /// What a dollar quote holds; nil for another token.
  func dollarBody(_ place: Int) -> String? {
    guard tokens[place].kind == .quote, words[place].hasPrefix("$") else { return nil }
    let tag = words[place].dropFirst().prefix { $0 != "$" }.count + 2
    return String(words[place].dropFirst(tag).dropLast(tag))
  }

  /// What a string or dollar quote holds; nil for another token.
  func string(_ place: Int) -> String? {
    guard place < words.count, words[place].hasPrefix("'") else {
      return place < words.count ? dollarBody(place) : nil
    }
    return String(words[place].dropFirst().dropLast()).replacing("''", with: "'")
  }
}
