import SQLText

/// A derived view: one SELECT and how its result is kept.
public struct ViewDefinition: Sendable, Hashable {
  /// How a view is kept up to date.
  public enum Strategy: String, Sendable, Hashable, CaseIterable {
    /// A plain view with the reader's rights: always now.
    case live
    /// A table; the whole result is computed aside, and what differs is written.
    case full
    /// A table; the same for the groups whose sources have changed.
    case incremental
  }

  /// The view's name, `schema.name`, which is also its file's.
  public var name: String
  /// How it is kept up to date.
  public var strategy: Strategy
  /// What it shows, in words.
  public var description: String
  /// The SELECT; where ``strategy`` is incremental, with `{keys}` in the place of the groups to compute.
  public var template: SQLTemplate
  /// The columns that tell one group from another; where ``strategy`` is full, one row from another. Empty
  /// for one group, or one row, in all.
  public var key: [Marked<String>] = []
  /// The columns that tell one row from another; those of ``key`` unless the definition names others.
  public var unique: [Marked<String>] = []
  /// What of a changed row means which groups; of an incremental view only.
  public var sources: [ViewSource] = []
  /// How long the view may lag behind its sources before it counts as stale; nil for not at all.
  public var freshFor: Duration?
  /// The share of the groups, from 0 to 1, above which all of them are computed.
  public var rebuildShare = ViewDefinition.usualRebuildShare
  /// The indexes beside that of ``unique``, each by its columns.
  public var indexes: [[Marked<String>]] = []
  /// The column that says whose a row is; readers see their own rows only. Nil where grants are all there is.
  public var ownerColumn: Marked<String>?
  /// The roles that may read it.
  public var readers: [Marked<String>] = []
  /// The view's file, for errors.
  public var file: String

  /// The share of the groups above which a view is computed as a whole, unless its definition says another.
  public static let usualRebuildShare = 0.3

  /// The result is kept in a table.
  public var isStored: Bool { strategy != .live }
  /// The SELECT with a placeholder-free text in the place of `{keys}`.
  public func sql(keys: String) -> String { template.filled { _ in keys } }
  /// The SELECT of a view that has no placeholder.
  public var sql: String { sql(keys: "") }
  /// The line of the file that the SELECT begins on.
  public var line: Int { template.line }
  /// The place in the file of a character, counted from 1, of what ``sql(keys:)`` gives.
  public func place(of character: Int, keys: String) -> Mark { template.place(of: character) { _ in keys } }
  /// The part of the name before the dot.
  public var schema: String { String(name.prefix { $0 != "." }) }
  /// The part of the name after the dot.
  public var relation: String { String(name.drop { $0 != "." }.dropFirst()) }
}

/// A table that a view is computed from, and what a change of it means.
public struct ViewSource: Sendable, Hashable {
  /// What a change of a row means.
  public enum Change: Sendable, Hashable {
    /// Some groups: of each row, before and after, the columns `capture` are remembered; at refresh `keys`
    /// says the groups that they mean, as a SELECT from the table `changed`, which has those columns.
    case groups(capture: [Marked<String>], keys: EmbeddedSQL)
    /// Every group.
    case rebuild
  }

  /// The table, `schema.name`.
  public var name: Marked<String>
  /// What a change of a row means.
  public var change: Change
}

extension ViewDefinition {
  private static let keys: [Strategy: [String]] = [
    .live: ["strategy", "description", "grants"],
    .full: ["strategy", "description", "key", "fresh_for", "indexes", "owner_column", "grants"],
    .incremental: [
      "strategy", "description", "key", "unique", "sources", "fresh_for", "rebuild_share", "indexes",
      "owner_column", "grants",
    ],
  ]

  init?(_ bytes: [UInt8], named name: String, in file: DefinitionFile) {
    NameRule.qualified.check(
      Marked(name, at: Mark(line: 1, column: 1)), called: "a view's name", in: file)
    guard let sql = SQLFile(bytes, kind: "view", in: file) else { return nil }
    let every = Strategy.allCases.flatMap { Self.keys[$0] ?? [] }
    guard let fields = Fields(sql.header, of: "a view", keys: every, in: file) else { return nil }
    fields.need("strategy")
    let strategy: Strategy = fields.choice("strategy", of: "strategy") ?? .live
    for key in Set(every).sorted() where fields.has(key) && Self.keys[strategy]?.contains(key) == false {
      file.report("a view that is \(strategy.rawValue) takes no '\(key)'", at: fields.mark(of: key))
    }
    let isIncremental = strategy == .incremental
    sql.body.report(
      unknownTo: isIncremental ? ["keys"] : [], called: "placeholder", listed: "an incremental view has",
      in: file)
    self.init(
      name: name, strategy: strategy, description: fields.needText("description")?.value ?? "",
      template: sql.body, readers: Self.readers(fields, in: file), file: file.name)
    guard isStored else { return }
    fields.need("key")
    key = Self.columns(fields, "key", in: file)
    unique = fields.has("unique") ? Self.columns(fields, "unique", in: file) : key
    freshFor = fields.duration("fresh_for")
    rebuildShare = fields.share("rebuild_share") ?? Self.usualRebuildShare
    indexes = (fields.list("indexes") ?? []).map {
      Self.columns($0, called: "an item of 'indexes'", fields, in: file)
    }
    ownerColumn = fields.text("owner_column")
    NameRule.column.check(ownerColumn, called: "a column's name", in: file)
    reportMoments(in: file)
    guard isIncremental else { return }
    if !template.names.contains("keys") {
      file.report(
        "the SELECT does not say where the groups to compute come in", at: Mark(line: line, column: 1),
        hint: "join {keys}, which has the columns of 'key'")
    }
    fields.need("sources")
    sources = (fields.mapping("sources") ?? []).compactMap { ViewSource($0, of: sql, in: file) }
    if !sources.isEmpty, sources.allSatisfy({ $0.change == .rebuild }) {
      file.report(
        "no source distinguishes groups", at: fields.mark(of: "sources"),
        hint: "give one capture and keys, or make the view full")
    }
  }

  private static func columns(_ fields: Fields, _ key: String, in file: DefinitionFile) -> [Marked<String>] {
    fields.node(key).map { columns($0, called: "'\(key)'", fields, in: file) } ?? []
  }

  private static func columns(
    _ node: YAMLNode, called name: String, _ fields: Fields, in file: DefinitionFile
  ) -> [Marked<String>] {
    guard case .sequence(let items) = node.content else {
      file.report("\(name) must be a list of columns, found \(node.kind)", at: node.mark)
      return []
    }
    let columns = items.compactMap { fields.text($0, called: "a column of \(name)") }
    for column in columns { NameRule.column.check(column, called: "a column's name", in: file) }
    reportRepeats(columns, called: "the column", in: file)
    return columns
  }

  private static func readers(_ fields: Fields, in file: DefinitionFile) -> [Marked<String>] {
    (fields.mapping("grants") ?? []).compactMap { entry in
      guard let right = fields.text(entry.value, called: "what '\(entry.key)' may do") else { return nil }
      if right.value != "select" {
        file.report("'\(right.value)' cannot be granted on a view", at: right.mark, hint: "write select")
      }
      return Marked(entry.key, at: entry.mark)
    }
  }

  /// What is stored must not hang on the moment at which it was computed, nor on the session's own time zone.
  private func reportMoments(in file: DefinitionFile) {
    let moments = [
      "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "now",
      "clock_timestamp", "statement_timestamp", "transaction_timestamp", "timeofday",
    ]
    let text = sql(keys: "{keys}")
    var lexer = SQLLexer(text, firstLine: line)
    var last: (text: String, place: SQLPlace)?
    while let token = lexer.next() {
      let text = lexer.text(token.range).lowercased()
      // Those without an underscore are functions, and may be columns' names.
      if let found = last, found.text.hasPrefix("current_") || found.text.hasPrefix("local") || text == "(" {
        file.report(
          "what is stored cannot depend on '\(found.text)'",
          at: Mark(line: found.place.line, column: found.place.column),
          hint:
            "rivulet.today() is the day in the project's time zone; what depends on the moment is a live view"
        )
        last = nil
      }
      if token.kind != .blank && token.kind != .comment { last = nil }
      if token.kind == .word, moments.contains(text) { last = (text, token.place) }
    }
  }
}

extension ViewSource {
  init?(_ entry: YAMLNode.Entry, of file: SQLFile, in definition: DefinitionFile) {
    let name = Marked(entry.key, at: entry.mark)
    NameRule.qualified.check(name, called: "a table's name", in: definition)
    if case .scalar("rebuild", quoted: false) = entry.value.content {
      self.init(name: name, change: .rebuild)
      return
    }
    guard case .mapping = entry.value.content else {
      definition.report(
        "what a change of '\(entry.key)' means must be 'rebuild' or a mapping, found \(entry.value.kind)",
        at: entry.value.mark, hint: "write capture: [columns] and keys: SELECT ... FROM changed")
      return nil
    }
    guard let fields = Fields(entry.value, of: "a source", keys: ["capture", "keys"], in: definition) else {
      return nil
    }
    let capture = fields.needList("capture").compactMap { fields.text($0, called: "an item of 'capture'") }
    for column in capture { NameRule.column.check(column, called: "a column's name", in: definition) }
    reportRepeats(capture, called: "the column", in: definition)
    guard let keys = fields.needText("keys") else { return nil }
    self.init(
      name: name,
      change: .groups(
        capture: capture, keys: EmbeddedSQL(keys, of: "keys", in: file.headerText, of: definition)))
  }
}
