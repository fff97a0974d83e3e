/// Something that a role lacks to apply pending migrations, and that an administrator gives it once.
public struct MissingGrant: Sendable, Equatable {
  /// The statement, without its semicolon.
  public let sql: String
  /// What needs it: a migration's label, or nil where every `migrate up` does.
  public let migration: String?
}
