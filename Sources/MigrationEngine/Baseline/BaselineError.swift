/// Why a database cannot be taken over; nothing was written.
public enum BaselineError: Error, Sendable {
  /// This program has migrated the database already.
  case alreadyMigrated([String])
  /// The tool's table is not there.
  case noTable(String, tool: MigrationTool)
  /// The tool's table names nothing that is applied.
  case nothingApplied(String)
  /// The tool says that a migration failed half-way.
  case unfinished([String], tool: MigrationTool)
  /// The table holds the changes of several projects, and the folder is none of them.
  case severalProjects([String], table: String)
  /// What the tool has applied and the folder does not have.
  case withoutFile([String], table: String)
  /// Files that come before the last applied one, of which the tool knows nothing.
  case skipped([String], table: String)
  /// Files that were edited since the tool ran them.
  case edited([String], table: String)
}

extension BaselineError: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .alreadyMigrated(let names):
      "this program has applied other migrations here already: \(BaselineError.list(names))"
    case .noTable(let table, let tool): "there is no table '\(table)' of \(tool.rawValue) in this database"
    case .nothingApplied(let table): "'\(table)' says that nothing is applied"
    case .unfinished(let names, let tool):
      "\(tool.rawValue) has left unfinished: \(BaselineError.list(names))"
    case .severalProjects(let names, let table):
      "'\(table)' holds several projects, \(BaselineError.list(names)), and the folder is none of them"
    case .withoutFile(let names, let table):
      "'\(table)' says that these are applied, and the folder has no file for them: \(BaselineError.list(names))"
    case .skipped(let names, let table):
      "these files come before the last applied one, and '\(table)' knows nothing of them: "
        + BaselineError.list(names)
    case .edited(let names, let table):
      "these files are not what '\(table)' says was applied: \(BaselineError.list(names))"
    }
  }

  /// How to fix it.
  public var hint: String {
    switch self {
    case .alreadyMigrated:
      "a baseline is for a database that this program has not touched: 'migrate up' goes on"
    case .noTable: "name it with --table SCHEMA.NAME"
    case .nothingApplied: "'migrate up' starts from nothing"
    case .unfinished(_, let tool):
      "find out what of it was done, finish it or revert it, let \(tool.rawValue) know, and try again"
    case .severalProjects: "name the folder of one of them with --dir: the one that holds its sqitch.plan"
    case .withoutFile:
      "name the folder that the tool was run with, put the files back, or say the version yourself: "
        + "migrate baseline VERSION"
    case .skipped:
      "apply them with that tool first, take the files away, or, if what they do is there, say the "
        + "version yourself: migrate baseline VERSION"
    case .edited:
      "put them back as they were, or, if the database is as they say now, say the version yourself: "
        + "migrate baseline VERSION"
    }
  }

  private static func list(_ names: [String]) -> String {
    let rest = names.count > 20 ? " and \(names.count - 20) more" : ""
    return names.prefix(20).joined(separator: ", ") + rest
  }
}
