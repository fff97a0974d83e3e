/// Why no shadow database can be made.
public enum ShadowError: Error, Sendable {
  /// The role may not make databases in the server.
  case mayNotCreate(role: String)
  /// The folder of the throw-away server cannot be made.
  case noFolder(path: String, reason: String)
  /// A migration would change what the whole server shares, and not only the shadow.
  case reachesBeyond(file: String, line: Int, statement: String)
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
    }
  }

  /// How to fix it.
  public var hint: String {
    switch self {
    case .mayNotCreate(let role):
      "a superuser can allow it with: ALTER ROLE \(role) CREATEDB; or leave --here out, "
        + "which uses a throw-away server of its own"
    case .noFolder: "make space or set the rights there, or use --here, which needs no server of its own"
    case .reachesBeyond: "leave --here out, which uses a throw-away server of its own"
    }
  }
}
