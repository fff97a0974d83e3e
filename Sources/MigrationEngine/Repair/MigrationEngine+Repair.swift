import Host
import PostgreSQL

/// How one migration of the history agrees with its file.
public struct RepairFinding: Sendable {
  /// The row of the history.
  public let row: AppliedMigration
  /// The file, unless it is gone.
  public let file: Migration?
  let text: AppliedText?
  /// From what was applied to what the file says now, line by line: `- old`, `+ new`; empty where nothing
  /// differs.
  public let difference: String
}

/// How to bring the history and the files together again; the schema stays as it is either way.
public enum Repair: Sendable {
  /// The file is right: the history takes its text, or forgets the migration where the file is gone. One that
  /// is applied in part counts as applied.
  case acceptFile
  /// The history is right: the file is written as it was applied.
  case restoreFile
}

extension MigrationEngine {
  /// How a migration agrees with its file; a repeatable one is named `R_name`.
  ///
  /// - Throws: `MigrationError.notApplied` and `PostgreSQLError`.
  public func finding(_ version: String) throws -> RepairFinding {
    let status = try status()
    let isRepeatable = version.hasPrefix("R_")
    let row = status.applied.first {
      isRepeatable
        ? $0.kind == .repeatable && $0.name == version.dropFirst(2)
        : $0.kind == .versioned && folder.order.isSame($0.version, version)
    }
    guard let row else {
      throw MigrationError.notApplied(
        version, known: status.applied.filter { $0.kind == .versioned }.map(\.version))
    }
    let file = isRepeatable ? folder.repeatables.first { $0.name == row.name } : folder.migration(row.version)
    let texts = try history.texts(of: row.checksum.isEmpty ? [] : [row])
    let text = texts[row.position]
    return RepairFinding(
      row: row, file: file, text: text,
      difference: LineDifference.text(from: try text?.ownText(row) ?? "", to: file?.text ?? ""))
  }

  /// Makes a migration and its file agree, and says in a sentence what was done; nil where they agree
  /// already.
  ///
  /// - Throws: `MigrationError.notApplied`, `.cannotRestore`, `.busy` and `.behindPooler`, `PostgreSQLError` and
  ///   `FileError`.
  public func repair(_ version: String, _ repair: Repair) throws -> String? {
    try locked {
      let finding = try finding(version)
      if finding.row.state == .applied || finding.row.state == .late { return nil }
      switch repair {
      case .acceptFile: return try connection.transaction { try accept(finding) }
      case .restoreFile: return try restore(finding)
      }
    }
  }

  private func accept(_ finding: RepairFinding) throws -> String {
    let row = finding.row
    try journal.clear(row.kind, row.version)
    // What was run in one of several schemas stays there.
    let runIn = try finding.text?.migration(row).up.options.runIn
    guard let file = finding.file?.inSchema(runIn) else {
      try connection.execute(history.removal(of: row.kind, version: row.version))
      return "\(row.label) is forgotten: what it has made stays, and is nobody's now"
    }
    try connection.execute(
      row.checksum.isEmpty
        ? history.addition(of: file, using: folder.datasets)
        : history.replacement(of: row, by: file))
    return row.state == .partial
      ? "\(row.label) counts as applied in whole" : "\(row.label): the history has the file's text now"
  }

  private func restore(_ finding: RepairFinding) throws -> String {
    let row = finding.row
    guard let applied = try finding.text?.migration(row).inSchema(nil), row.state != .partial,
      folder.isOwnFormat
    else {
      throw MigrationError.cannotRestore(row.label)
    }
    let version = applied.fileVersion
    let name = (row.kind == .versioned ? version : "R") + "_" + row.name + ".sql"
    let path = finding.file?.file ?? folder.migration(version)?.file ?? Path.join(folder.path, name)
    var text = applied.text
    switch applied.half {
    case nil: break
    // What waits may have been edited since.
    case .expand: text += folder.migration(version + Migration.contractEnding)?.text ?? applied.rest
    case .contract: text = try firstHalf(version) + text
    }
    try Files.write(text, to: path)
    return "\(path) is written as it was applied"
  }

  /// The first half of a version, as its file has it, or as it was applied where there is no file.
  private func firstHalf(_ version: String) throws -> String {
    if let file = folder.migration(version), file.half == .expand { return file.text }
    let row = try status().applied.first { folder.order.isSame($0.version, version) }
    guard let row, let text = try history.texts(of: [row])[row.position] else {
      throw MigrationError.cannotRestore(version)
    }
    return try text.migration(row).inSchema(nil).text
  }
}
