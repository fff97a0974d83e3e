import SQLText

struct AlterTable: Sendable {
  /// One of the actions that commas part.
  struct Action: Sendable {
    let kind: Kind
    let place: Int
  }

  enum Kind: Sendable {
    case addColumn(ColumnDefinition)
    case dropColumn(String)
    case addConstraint(ConstraintDefinition)
    case dropConstraint(String)
    case validateConstraint(String)
    /// ALTER CONSTRAINT ... ENFORCED of one that was not.
    case enforceConstraint
    case renameConstraint
    case renameColumn(String, to: String)
    case rename(to: String)
    case setSchema(String)
    case setNotNull(String)
    case dropNotNull(String)
    case setType(ColumnTypeChange)
    case setExpression
    case setStatistics
    /// SET or RESET of parameters of a column, such as `n_distinct`.
    case setColumnParameters
    case addIdentity(String)
    /// A change that copies the whole table, by its words: `SET LOGGED`.
    case rewrite(String)
    case attachPartition(SQLName, isDefault: Bool)
    case detachPartition(SQLName, isConcurrent: Bool)
    /// Parameters of storage and the index to cluster on, which keep nobody away.
    case setParameters
    /// Nothing that a rule asks for.
    case other
  }

  /// ALTER COLUMN ... TYPE.
  struct ColumnTypeChange: Sendable {
    let column: String
    /// The new type; nil where it cannot be read.
    let type: SQLType?
    var collation: SQLName?
    var using: Range<Int>?
  }

  let name: SQLName
  let actions: [Action]
}

extension AlterTable {
  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("ALTER") else { return nil }
    cursor.take("FOREIGN")
    guard cursor.take("TABLE") else { return nil }
    cursor.take("IF", "EXISTS")
    cursor.take("ONLY")
    guard let name = cursor.qualifiedName() else { return nil }
    self.name = name
    cursor.take("*")
    actions = cursor.pieces().map { piece in
      var cursor = SQLCursor(statement, piece)
      return Action(kind: AlterTable.kind(&cursor), place: piece.lowerBound)
    }
  }

  private static func kind(_ cursor: inout SQLCursor) -> Kind {
    if cursor.take("ADD") { return added(&cursor) }
    if cursor.take("DROP") { return dropped(&cursor) }
    if cursor.take("ALTER") {
      if cursor.take("CONSTRAINT") { return enforced(&cursor) }
      cursor.take("COLUMN")
      return cursor.name().map { altered($0, &cursor) } ?? .other
    }
    if cursor.take("VALIDATE", "CONSTRAINT") {
      return cursor.name().map { .validateConstraint($0) } ?? .other
    }
    if cursor.take("RENAME") { return renamed(&cursor) }
    if cursor.take("SET") { return set(&cursor) }
    if cursor.take("RESET") || cursor.take("CLUSTER", "ON") { return .setParameters }
    let isAttached = cursor.take("ATTACH", "PARTITION")
    guard isAttached || cursor.take("DETACH", "PARTITION"), let part = cursor.qualifiedName() else {
      return .other
    }
    return isAttached
      ? .attachPartition(part, isDefault: cursor.word == "DEFAULT")
      : .detachPartition(part, isConcurrent: cursor.take("CONCURRENTLY"))
  }

  private static func added(_ cursor: inout SQLCursor) -> Kind {
    if let constraint = cursor.tableConstraint() { return .addConstraint(constraint) }
    cursor.take("COLUMN")
    cursor.take("IF", "NOT", "EXISTS")
    return cursor.column().map { .addColumn($0) } ?? .other
  }

  private static func dropped(_ cursor: inout SQLCursor) -> Kind {
    let isConstraint = cursor.take("CONSTRAINT")
    if !isConstraint { cursor.take("COLUMN") }
    cursor.take("IF", "EXISTS")
    guard let name = cursor.name() else { return .other }
    return isConstraint ? .dropConstraint(name) : .dropColumn(name)
  }

  private static func altered(_ column: String, _ cursor: inout SQLCursor) -> Kind {
    if cursor.take("SET", "NOT", "NULL") { return .setNotNull(column) }
    if cursor.take("DROP", "NOT", "NULL") { return .dropNotNull(column) }
    if cursor.take("SET", "EXPRESSION") { return .setExpression }
    if cursor.take("SET", "STATISTICS") { return .setStatistics }
    if ["SET", "RESET"].contains(cursor.word), cursor.peek(1) == "(" { return .setColumnParameters }
    if cursor.take("ADD", "GENERATED") { return .addIdentity(column) }
    guard cursor.take("SET", "DATA", "TYPE") || cursor.take("TYPE") else { return .other }
    var change = ColumnTypeChange(column: column, type: cursor.type())
    if cursor.take("COLLATE") { change.collation = cursor.qualifiedName() }
    if cursor.take("USING") { change.using = cursor.place..<cursor.end }
    return .setType(change)
  }

  private static func enforced(_ cursor: inout SQLCursor) -> Kind {
    _ = cursor.name()
    while cursor.place < cursor.end {
      if cursor.take("NOT", "ENFORCED") { return .other }
      if cursor.take("ENFORCED") { return .enforceConstraint }
      cursor.skipItem()
    }
    return .other
  }

  private static func renamed(_ cursor: inout SQLCursor) -> Kind {
    if cursor.take("CONSTRAINT") { return .renameConstraint }
    if cursor.take("TO") { return cursor.name().map { .rename(to: $0) } ?? .other }
    cursor.take("COLUMN")
    guard let column = cursor.name(), cursor.take("TO"), let new = cursor.name() else { return .other }
    return .renameColumn(column, to: new)
  }

  private static func set(_ cursor: inout SQLCursor) -> Kind {
    if cursor.word == "(" || cursor.take("WITHOUT", "CLUSTER") { return .setParameters }
    if cursor.take("SCHEMA") { return cursor.name().map { .setSchema($0) } ?? .other }
    switch cursor.word {
    case "ACCESS" where cursor.peek(1) == "METHOD": return .rewrite("SET ACCESS METHOD")
    case "LOGGED"?, "UNLOGGED"?, "TABLESPACE"?: return .rewrite("SET \(cursor.word ?? "")")
    default: return .other
    }
  }
}
