/// What the rows of a source, such as a publisher's corrections, do to the other tables of their release.
///
/// A bundle that holds nothing else is a new revision of a release that is loaded: the tables of its last
/// revision without amendments are copied, and then amended.
public struct Amendment: Sendable, Hashable {
  /// The amendment's name, which is also its file's.
  public var name: String
  /// The statements, with `{schema.table}` for staged tables.
  public var template: SQLTemplate
  /// The statements' file, for errors.
  public var file: String
}
