/// A file's name as Flyway reads it: `V1.2__add_fees.sql`, `R__views.sql`, `beforeMigrate__say_so.sql`.
struct FlywayName {
  /// What the file is for.
  enum Role: Equatable {
    /// `V`, with its version.
    case versioned(String)
    /// `U`, with the version that it reverts.
    case undo(String)
    /// `B`, which replaces all up to its version.
    case baseline(String)
    /// `R`.
    case repeatable
    /// An event, such as `beforeMigrate`.
    case callback(String)
  }

  let role: Role
  /// What follows `__`.
  let description: String

  /// Nil where the stem (the name without `.sql`) is of none of these forms.
  init?(stem: Substring) {
    let parts = FlywayName.parts(stem)
    description = String(parts.description ?? "")
    if FlywayName.events.contains(String(parts.head)) {
      role = .callback(String(parts.head))
      return
    }
    guard let letter = parts.head.first, let said = parts.description else { return nil }
    let version = String(parts.head.dropFirst()).replacing("_", with: ".")
    if letter == "R" && version.isEmpty && !said.isEmpty {
      role = .repeatable
      return
    }
    guard FlywayName.isVersion(version) else { return nil }
    switch letter {
    case "V": role = .versioned(version)
    case "U": role = .undo(version)
    case "B": role = .baseline(version)
    default: return nil
    }
  }

  /// Whether a file of this name shows that its folder is Flyway's.
  static func isTelling(_ file: String) -> Bool {
    guard file.hasSuffix(".sql"), let name = FlywayName(stem: file.dropLast(".sql".count)) else {
      return false
    }
    if case .callback = name.role { return false }
    return true
  }

  /// The ending of a migration that is a program and not SQL; nil for any other file.
  static func program(_ file: String) -> String? {
    guard let dot = file.lastIndex(of: ".") else { return nil }
    let ending = String(file[file.index(after: dot)...])
    let isProgram = ["java", "kt", "groovy", "scala", "class", "py", "sh", "bash", "ps1", "bat", "cmd"]
      .contains(ending)
    return isProgram && FlywayName(stem: file[..<dot]) != nil ? ending : nil
  }

  /// The events that run around migrations here too.
  static let knownEvents = ["beforeMigrate", "beforeEachMigrate", "afterEachMigrate", "afterMigrate"]

  /// All that Flyway knows.
  private static let events: Set<String> = Set(
    knownEvents + [
      "beforeClean", "afterClean", "afterCleanError", "beforeUndo", "beforeEachUndo",
      "beforeEachUndoStatement",
      "afterEachUndo", "afterEachUndoError", "afterEachUndoStatement", "afterEachUndoStatementError",
      "afterUndo",
      "afterUndoError", "afterUndoOperationFinish", "beforeValidate", "afterValidate", "afterValidateError",
      "beforeBaseline", "afterBaseline", "afterBaselineError", "beforeRepair", "afterRepair",
      "afterRepairError",
      "beforeInfo", "afterInfo", "afterInfoError", "beforeEachMigrateStatement", "afterEachMigrateStatement",
      "afterEachMigrateStatementError", "afterEachMigrateError", "afterMigrateError", "afterMigrateApplied",
      "afterMigrateOperationFinish", "beforeVersioned", "afterVersioned", "beforeRepeatables",
      "beforeConnect",
      "afterConnect", "createSchema", "beforeCreateSchema", "beforeDeploy",
    ])

  private static func parts(_ stem: Substring) -> (head: Substring, description: Substring?) {
    guard let mark = stem.firstRange(of: "__") else { return (stem, nil) }
    return (stem[..<mark.lowerBound], stem[mark.upperBound...])
  }

  private static func isVersion(_ text: String) -> Bool {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
