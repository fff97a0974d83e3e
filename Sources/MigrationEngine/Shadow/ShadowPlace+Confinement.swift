import SQLText

/// Statements whose effect is not confined to the database they run in: in a shadow beside a database they
/// would reach what is in use.
extension ShadowPlace {
  private static let objects: Set<String> = ["DATABASE", "TABLESPACE", "ROLE", "USER", "GROUP", "SYSTEM"]

  /// Nothing that is to run in a shadow here reaches beyond it.
  ///
  /// - Throws: `ShadowError.reachesBeyond` for the first that does, and `MigrationError.malformed`.
  func requireConfined(_ sections: [Migration.Section]) throws {
    guard case .beside = self else { return }
    for section in sections {
      for statement in try section.script(isForReading: true).statements
      where ShadowPlace.reachesBeyond(statement.words) {
        throw ShadowError.reachesBeyond(
          file: section.file, line: statement.place.line,
          statement: statement.words.prefix(2).joined(separator: " "))
      }
    }
  }

  /// Roles may be created: migrations do that where they are missing, and leave them.
  private static func reachesBeyond(_ words: [String]) -> Bool {
    guard words.count > 1 else { return false }
    switch words[0] {
    case "ALTER", "DROP":
      if words[1] == "OWNED" { return true }
      return objects.contains(words[1]) && !words.starts(with: [words[0], "USER", "MAPPING"])
    case "CREATE": return words[1] == "DATABASE" || words[1] == "TABLESPACE"
    // Without ON it takes away the membership in a role.
    case "REVOKE": return !words.contains("ON")
    default: return false
    }
  }
}
