import SQLText

/// Statements whose effect is not confined to the database they run in: in a shadow beside a database they
/// would reach what is in use.
enum ClusterWideStatement {
  private static let objects: Set<String> = ["DATABASE", "TABLESPACE", "ROLE", "USER", "GROUP", "SYSTEM"]

  /// Throws ``ShadowError/reachesBeyond(file:line:statement:)`` for the first of them in a migration.
  static func refuse(in migration: Migration) throws {
    var sections = [migration.up]
    if case .sql(let down) = migration.down { sections.append(down) }
    for section in sections { try refuse(in: section) }
  }

  /// The same for one section.
  static func refuse(in section: Migration.Section) throws {
    for statement in try section.script().statements where reachesBeyond(statement.words) {
      throw ShadowError.reachesBeyond(
        file: section.file, line: statement.place.line,
        statement: statement.words.prefix(2).joined(separator: " "))
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
