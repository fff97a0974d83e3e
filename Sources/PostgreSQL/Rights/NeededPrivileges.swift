/// Which privileges on a relation the statements of a text need, as its words about that relation say.
struct NeededPrivileges {
  /// The statements, and what the server said of where it stood in them.
  let text: String

  /// On a table, a view or the like, by its name without its schema, each once; none where it gives rights on
  /// the relation away, which is its owner's.
  func onRelation(_ name: String) -> [String] {
    let uses = uses(of: name)
    let others = uses.filter { !$0.contains("GRANT") && !$0.contains("REVOKE") }
    if others.isEmpty && !uses.isEmpty { return [] }
    var found: [String] = []
    for use in others {
      for privilege in privileges(after: use) where !found.contains(privilege) { found.append(privilege) }
    }
    return found.isEmpty ? ["SELECT"] : found
  }

  /// The roles, as written, that something is given to with `OWNER TO`; they need CREATE where it is.
  var newOwners: [String] {
    text.matches(of: /(?i)\bOWNER\s+TO\s+("(?:[^"]|"")+"|\w+)/).map { String($0.1) }
  }

  /// Whether a setting is changed for the whole server.
  var setsForAll: Bool { text.contains(/(?i)\bALTER\s+SYSTEM\b/) }

  /// The words before each place where the text names the relation, in upper case, the nearest last.
  private func uses(of name: String) -> [[Substring]] {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
    return words.indices.filter { words[$0].lowercased() == name.lowercased() }.map { index in
      words[max(0, index - 4)..<index].map { Substring($0.uppercased()) }
    }
  }

  /// The name may have that of its schema before it, which is no keyword.
  private func privileges(after words: [Substring]) -> [String] {
    for word in words.reversed().filter({ $0 != "ONLY" && $0 != "TABLE" }).prefix(2) {
      switch word {
      case "INTO" where words.contains("MERGE"): return ["SELECT", "INSERT", "UPDATE", "DELETE"]
      case "INTO", "COPY":
        return ["INSERT"] + (text.contains(/(?i)\bON\s+CONFLICT\b/) ? ["SELECT", "UPDATE"] : [])
          + (text.contains(/(?i)\bRETURNING\b/) ? ["SELECT"] : [])
      case "UPDATE": return ["SELECT", "UPDATE"]
      case "FROM" where words.contains("DELETE"): return ["SELECT", "DELETE"]
      case "FROM", "JOIN", "USING": return ["SELECT"]
      case "TRUNCATE": return ["TRUNCATE"]
      case "LOCK": return ["UPDATE"]
      case "REFERENCES": return ["REFERENCES"]
      case "ON" where words.contains("INSERT") || words.contains("UPDATE") || words.contains("DELETE"):
        return ["TRIGGER"]
      default: continue
      }
    }
    return []
  }
}
