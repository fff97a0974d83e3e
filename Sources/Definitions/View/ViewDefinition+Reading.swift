import SQLText

extension ViewDefinition {
  private static let keys: [Strategy: [String]] = [
    .live: ["strategy", "description", "grants"],
    .full: ["strategy", "description", "key", "fresh_for", "indexes", "owner_column", "grants"],
    .incremental: [
      "strategy", "description", "key", "unique", "sources", "fresh_for", "rebuild_share", "indexes",
      "owner_column",
      "grants",
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
      "clock_timestamp",
      "statement_timestamp", "transaction_timestamp", "timeofday",
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
