/// Why no shadow database can be made.
public enum ShadowError: Error, Sendable {
  /// The role may not make databases in the server.
  case mayNotCreate(role: String)
  /// The folder of the throw-away server cannot be made.
  case noFolder(path: String, reason: String)
  /// A migration would change what the whole server shares, and not only the shadow.
  case reachesBeyond(file: String, line: Int, statement: String)
  /// The servers for a throw-away one are of other major versions than the database's, and describe the same
  /// schema in other words.
  case otherVersion(database: Int, installed: [String])
  /// What is to be made there needs an extension that the server has no files of; `cause` says where.
  case lacksExtension(MissingExtension, cause: String, isThrowAway: Bool)
}

extension ShadowError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .mayNotCreate(let role):
      "the role '\(role)' may not make databases, and a shadow database beside this one was asked for"
    case .noFolder(let path, let reason): "cannot make a folder '\(path)' for a shadow server: \(reason)"
    case .reachesBeyond(let file, let line, let statement):
      "\(file):\(line): \(statement) would change the server itself, not only a shadow database in it"
    case .otherVersion(let database, let installed):
      "the database's server is PostgreSQL \(database), and for a shadow there is only "
        + "\(installed.joined(separator: ", ")): another version describes the same schema in other words"
    case .lacksExtension(_, let cause, _): cause
    }
  }

  /// How to fix it.
  public var hint: String {
    switch self {
    case .mayNotCreate(let role):
      "a superuser can allow it with: ALTER ROLE \(role) CREATEDB; or leave --here out, "
        + "which uses a throw-away server of its own"
    case .noFolder: "make space or set the rights there, or use --here, which needs no server of its own"
    case .otherVersion(let database, _):
      "use --here, or name the bin folder of PostgreSQL \(database) in RIVULET_PG_BIN"
    case .lacksExtension(let missing, _, let isThrowAway): missing.hint(isThrowAway: isThrowAway)
    case .reachesBeyond: "leave --here out, which uses a throw-away server of its own"
    }
  }
}
