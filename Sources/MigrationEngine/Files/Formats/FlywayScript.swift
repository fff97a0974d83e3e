/// A file as Flyway reads its name: `V1.2__add_fees.sql`, `R__views.sql`, `beforeMigrate__say_so.sql`.
struct FlywayScript {
  enum Role {
    case versioned
    /// `U`, which reverts its version.
    case undo
    /// `B`, which replaces all up to its version.
    case baseline
    case repeatable
    /// An event, such as `beforeMigrate`.
    case callback
  }

  let role: Role
  /// The version; the event of a callback.
  let version: String
  /// What follows `__`.
  let description: String

  /// Nil where the stem (the name without `.sql`) is of none of these forms.
  init?(stem: Substring) {
    let mark = stem.firstRange(of: "__")
    let head = String(stem[..<(mark?.lowerBound ?? stem.endIndex)])
    description = mark.map { String(stem[$0.upperBound...]) } ?? ""
    if FlywayScript.events.contains(head) {
      (role, version) = (.callback, head)
      return
    }
    guard let letter = head.first, mark != nil else { return nil }
    version = String(head.dropFirst()).replacing("_", with: ".")
    if letter == "R" && version.isEmpty && !description.isEmpty {
      role = .repeatable
      return
    }
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let found = ["V": Role.versioned, "U": .undo, "B": .baseline][letter]
    else { return nil }
    role = found
  }

  /// Whether a file of this name shows that its folder is Flyway's.
  static func isTelling(_ file: String) -> Bool {
    guard file.hasSuffix(".sql"), let name = FlywayScript(stem: file.dropLast(".sql".count)) else {
      return false
    }
    return name.role != .callback
  }

  /// The ending of a migration that is a program and not SQL; nil for any other file.
  static func program(_ file: String) -> String? {
    guard let dot = file.lastIndex(of: ".") else { return nil }
    let ending = String(file[file.index(after: dot)...])
    let isProgram = ["java", "kt", "groovy", "scala", "class", "py", "sh", "bash", "ps1", "bat", "cmd"]
      .contains(ending)
    return isProgram && FlywayScript(stem: file[..<dot]) != nil ? ending : nil
  }

  /// All events that Flyway knows; those of ``MigrationFolder/Event`` run here too.
  private static let events: Set<String> = [
    "beforeMigrate", "beforeEachMigrate", "afterEachMigrate", "afterMigrate", "beforeClean", "afterClean",
    "afterCleanError", "beforeUndo", "beforeEachUndo", "beforeEachUndoStatement", "afterEachUndo",
    "afterEachUndoError", "afterEachUndoStatement", "afterEachUndoStatementError", "afterUndo",
    "afterUndoError", "afterUndoOperationFinish", "beforeValidate", "afterValidate", "afterValidateError",
    "beforeBaseline", "afterBaseline", "afterBaselineError", "beforeRepair", "afterRepair",
    "afterRepairError", "beforeInfo", "afterInfo", "afterInfoError", "beforeEachMigrateStatement",
    "afterEachMigrateStatement", "afterEachMigrateStatementError", "afterEachMigrateError",
    "afterMigrateError", "afterMigrateApplied", "afterMigrateOperationFinish", "beforeVersioned",
    "afterVersioned", "beforeRepeatables", "beforeConnect", "afterConnect", "createSchema",
    "beforeCreateSchema", "beforeDeploy",
  ]
}
