/// A derived view: one SELECT and how it is kept.
public struct ViewDefinition: Sendable, Hashable {
  /// How a view is kept up to date.
  public enum Strategy: String, Sendable, Hashable, CaseIterable {
    /// A plain view with the reader's rights: always now.
    case live
  }

  /// The view's name, `schema.name`, which is also its file's.
  public var name: String
  /// How it is kept up to date.
  public var strategy: Strategy
  /// What it shows, in words.
  public var description: String
  /// The SELECT.
  public var sql: String
  /// The line of the file that ``sql`` begins on, for errors of the server.
  public var line: Int
  /// The view's file, for errors.
  public var file: String

  /// The part of the name before the dot.
  public var schema: String { String(name.prefix { $0 != "." }) }
  /// The part of the name after the dot.
  public var relation: String { String(name.drop { $0 != "." }.dropFirst()) }
}

extension ViewDefinition {
  init?(_ bytes: [UInt8], named name: String, in file: DefinitionFile) {
    NameRule.qualified.check(
      Marked(name, at: Mark(line: 1, column: 1)), called: "a view's name", in: file)
    guard let sql = SQLFile(bytes, kind: "view", in: file) else { return nil }
    let keys = ["strategy", "description"]
    guard let fields = Fields(sql.header, of: "a view", keys: keys, in: file) else { return nil }
    fields.need("strategy")
    sql.body.report(unknownTo: [], called: "placeholder", listed: "", in: file)
    self.init(
      name: name, strategy: fields.choice("strategy", of: "strategy") ?? .live,
      description: fields.needText("description")?.value ?? "", sql: sql.body.filled { _ in "" },
      line: sql.body.line, file: file.name)
  }
}
