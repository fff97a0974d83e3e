import SQLText

/// Which roles may log in, as far as CREATE ROLE and ALTER ROLE say it, in a statement or in the body of a DO
/// block.
struct RoleLogins {
  private var canLogIn: [String: Bool] = [:]

  /// Whether a role is known to be one that cannot log in.
  func lacks(_ role: String) -> Bool { canLogIn[role] == false }

  mutating func read(_ statement: SQLStatement) {
    guard ["CREATE", "ALTER", "DROP", "DO"].contains(statement.keyword) else { return }
    if statement.keyword == "DO" {
      for body in statement.words.indices.compactMap(statement.string) {
        for inner in (try? SQLScript(body))?.statements ?? [] { readAnywhere(inner) }
      }
    } else {
      take(SQLCursor(statement))
    }
  }

  /// In a body, IF and THEN may be in front.
  private mutating func readAnywhere(_ statement: SQLStatement) {
    for place in statement.words.indices where ["CREATE", "ALTER", "DROP"].contains(statement.words[place]) {
      take(SQLCursor(statement, place..<statement.words.count))
    }
  }

  private mutating func take(_ cursor: SQLCursor) {
    var cursor = cursor
    guard let verb = cursor.word else { return }
    cursor.place += 1
    let isUser = cursor.take("USER")
    guard isUser || cursor.take("ROLE") || cursor.take("GROUP") else { return }
    cursor.take("IF", "EXISTS")
    guard let name = cursor.name() else { return }
    let options = cursor.statement.words[min(cursor.place, cursor.end)..<cursor.end]
    let said = options.contains("NOLOGIN") ? false : options.contains("LOGIN") ? true : nil
    switch verb {
    case "CREATE": canLogIn[name] = said ?? isUser
    case "DROP": canLogIn[name] = nil
    default: if let said { canLogIn[name] = said }
    }
  }
}
