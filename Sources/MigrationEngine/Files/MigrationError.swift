public import PostgreSQL

/// Why migrations cannot go on.
public indirect enum MigrationError: Error, Sendable {
  /// A file's name is not `NNNN_snake_case_name.sql`.
  case misnamed(file: String)
  /// Two files claim one version.
  case sameVersion(version: String, files: [String])
  /// A file, or what is in it, cannot be taken as it is.
  case malformed(file: String, line: Int?, column: Int?, message: String, hint: String)
  /// Several files, or places in them, that cannot be taken as they are.
  case several([MigrationError])
  /// Another program is migrating this database.
  case busy
  /// An applied file has been edited.
  case changed([String])
  /// Applied migrations whose files are gone.
  case missing([String])
  /// Pending migrations that come before applied ones.
  case late([String])
  /// The second half of a migration has to be run before others can be; as people name them.
  case awaitsContract(String, behind: [String])
  /// `--to` names a version that is not there.
  case unknownVersion(String, known: [String])
  /// A statement failed; the migration was rolled back.
  case failed(version: String, file: String, section: String, line: Int, error: ServerError)
  /// A section ended the transaction that it ran in: what it did before may have been kept.
  case leftTransaction(version: String, file: String, section: String)
  /// The section `require` did not answer true; nothing was begun.
  case requirementUnmet(version: String, name: String, file: String, line: Int)
  /// A statement that was done already is not what the file says any more.
  case changedWhileUnderWay(version: String, name: String, file: String, statement: Int)
  /// Migrations that hold what PostgreSQL refuses in a transaction.
  case cannotBeOneTransaction([String])
  /// A migration is applied, or reverted, in part.
  case underWay(String, Direction)
  /// The lock that keeps others from migrating was released by something that a migration ran.
  case lockReleased(version: String, file: String)
  /// A pooler gives every transaction another server process.
  case behindPooler
  /// A migration that is to be repaired was never applied.
  case notApplied(String, known: [String])
  /// What was applied is not known as a whole, or the folder is of another tool's format.
  case cannotRestore(String)
  /// The folder is of another tool's format.
  case notOwnFormat(path: String)
  /// Words that give no file a name.
  case unusableName(String)
  /// No column of a table, or one that cannot be changed in two halves, and why.
  case unusableColumn(String, String?)
  /// Nothing in a folder shows whose format it follows.
  case unknownFormat(path: String, names: [String])
  /// A value for a placeholder, and the folder's format has none.
  case noPlaceholders(name: String, path: String, format: MigrationFormat)
  /// Schemas that are not there, or that a query did not find any.
  case noSchemas([String], asked: String)
  /// One half of a migration cannot be marked so while the other is as it is.
  case otherHalf(String, MigrationMark)
  /// A migration is as it is to be marked.
  case alreadyMarked(String, MigrationMark)
  /// The way back is not given, and why.
  case irreversible(version: String, name: String, reason: String)

  /// The file and line that the error is about.
  public var place: (file: String, line: Int?, column: Int?)? {
    switch self {
    case .misnamed(let file), .leftTransaction(_, let file, _), .changedWhileUnderWay(_, _, let file, _),
      .lockReleased(_, let file):
      (file, nil, nil)
    case .malformed(let file, let line, let column, _, _): (file, line, column)
    case .requirementUnmet(_, _, let file, let line): (file, line, nil)
    case .several(let errors): errors.first?.place
    case .failed(_, let file, _, let line, let error):
      (file, line + (error.place?.line ?? 1) - 1, error.place?.column)
    default: nil
    }
  }
}

extension MigrationError: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .misnamed: "not a migration's name"
    case .sameVersion(let version, let files):
      "version \(version) is claimed by \(files.joined(separator: " and "))"
    case .malformed(_, _, _, let message, _): message
    case .unknownFormat(let path, let names):
      "'\(path)' holds no migrations of a format that is known"
        + (names.isEmpty ? ", it is empty" : ", only \(names.prefix(3).joined(separator: ", "))")
    case .noPlaceholders(let name, let path, let format):
      "--set \(name): '\(path)' is a folder of \(format.rawValue), which has no placeholders"
    case .several(let errors):
      errors.enumerated().map { $0.offset == 0 ? $0.element.description : $0.element.located }
        .joined(separator: "\n")
    case .busy: "another program is migrating this database"
    case .changed(let names):
      "applied migrations were edited since: \(names.joined(separator: ", "))"
    case .missing(let names):
      "applied migrations have no file any more: \(names.joined(separator: ", "))"
    case .late(let names):
      "pending migrations come before applied ones: \(names.joined(separator: ", "))"
    case .awaitsContract(let half, let behind):
      "\(half) waits for 'rivulet migrate contract'"
        + (behind.isEmpty ? "" : ", and so do those behind it: \(behind.joined(separator: ", "))")
    case .unknownVersion(let version, let known):
      "there is no migration \(version)" + (known.isEmpty ? ": the folder is empty" : "")
    case .failed(_, _, let section, _, let error):
      MigrationError.sentence(section) + error.description
    case .leftTransaction(let version, _, let section):
      "section '\(section)' of migration \(version) ended its transaction"
    case .requirementUnmet(let version, let name, _, _):
      "migration \(Migration.Kind.versioned.label(version, name)) does not start: what its section 'require' asks for is not true"
    case .changedWhileUnderWay(let version, let name, _, let statement):
      "migration \(Migration.Kind.versioned.label(version, name)) is applied in part, and statement \(statement), which is done, has been edited "
        + "since"
    case .cannotBeOneTransaction(let names):
      "no transaction can hold all statements of \(names.joined(separator: ", "))"
    case .lockReleased(let version, _):
      "migration \(version) releases all advisory locks, and so the one that keeps others from migrating"
    case .underWay(let name, .up):
      "\(name) is applied in part"
    case .underWay(let name, .down):
      "\(name) is reverted in part"
    case .behindPooler:
      "the connection goes through a pooler that shares server processes between clients, so that no lock of ours would "
        + "hold"
    case .notApplied(let version, let known):
      "migration \(version) is not applied" + (known.isEmpty ? ": none is" : "")
    case .cannotRestore(let name):
      "the file of \(name) cannot be written from the history: it was applied only in part, by a program that did not "
        + "keep all of its text, or from another tool's folder"
    case .notOwnFormat(let path): "'\(path)' holds migrations of another tool"
    case .unusableName(let words): "'\(words)' gives no file a name"
    case .unusableColumn(let name, let reason):
      "'\(name)' " + (reason.map { "cannot be changed: \($0)" } ?? "is no column of a table")
    case .noSchemas(let missing, let asked):
      missing.isEmpty
        ? "no schema is named by '\(asked)'" : "there is no schema \(missing.joined(separator: ", "))"
    case .otherHalf(let label, .applied): "\(label) cannot be applied while its first half is not"
    case .otherHalf(let label, .pending): "\(label) cannot be pending while its second half is applied"
    case .alreadyMarked(let label, let mark): "\(label) is \(mark.rawValue) already"
    case .irreversible(let version, let name, let reason):
      "migration \(Migration.Kind.versioned.label(version, name)) cannot be reverted: \(reason)"
    }
  }
}

extension MigrationError: TransientError {
  /// That of the server's error behind it.
  public var transientCause: TransientCause? {
    guard case .failed(_, _, _, _, let error) = self else { return nil }
    return error.transientCause
  }
}

extension MigrationError {
  /// `Migrations/0007_x.sql:12:8:` and the sentence.
  var located: String {
    guard let place else { return description }
    let parts = [place.file, place.line.map(String.init), place.column.map(String.init)].compactMap(\.self)
    return parts.joined(separator: ":") + ": " + description
  }

  /// There is nothing to complain of.
  ///
  /// - Throws: the complaint; all of them as ``several(_:)``.
  static func requireNone(of complaints: [MigrationError]) throws(MigrationError) {
    guard let first = complaints.first else { return }
    throw complaints.count == 1 ? first : .several(complaints)
  }

  /// That a file, or a line of it, cannot be taken as it is.
  static func unfit(_ file: String, line: Int? = nil, _ message: String, _ hint: String) -> MigrationError {
    .malformed(file: file, line: line, column: nil, message: message, hint: hint)
  }

  /// The section `verify`, run after statements that are kept.
  static let lateVerify = "verify of what is kept"

  private static func sentence(_ section: String) -> String {
    switch section {
    case "verify": "the verify section fails, so nothing was kept: "
    case lateVerify: "the verify section fails; what 'up' did is kept: fix it, and run 'migrate up' again: "
    default: ""
    }
  }
}
