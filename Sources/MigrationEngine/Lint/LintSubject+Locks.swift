import SQLText

extension LintSubject {
  /// The tables that were there before and that nobody can write to, or read, until the transaction is over.
  ///
  /// Source: the table of lock modes and the pages of the commands in PostgreSQL's documentation.
  var lockedTables: [SQLName] {
    candidates.filter { model.isExisting($0) }
  }

  private var candidates: [SQLName] {
    switch meaning {
    case .alterTable(let alter): alter.actions.flatMap { $0.kind.lockedTables(by: alter.name) }
    case .createIndex(let index): index.isConcurrent ? [] : [index.table]
    case .createTable(let table):
      [table.parent].compactMap(\.self) + table.constraints.compactMap(\.target)
        + table.columns.flatMap { $0.constraints.compactMap(\.target) }
    case .drop(let drop) where drop.kind == "INDEX":
      drop.isConcurrent ? [] : drop.names.compactMap { model.indexes[model.key($0)]?.table }
    case .drop(let drop) where drop.kind.hasSuffix("TABLE"): drop.names
    case .change(let change): change.verb == "TRUNCATE" ? [change.table] : []
    case .drop, .other: hangsOnTable ? statement.targets.map(\.name) : []
    case .createView: []
    }
  }

  /// Whether it makes, changes or drops a trigger, a policy or a rule.
  private var hangsOnTable: Bool {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE") || cursor.take("ALTER") || cursor.take("DROP") else { return false }
    cursor.skip(["OR", "REPLACE", "CONSTRAINT"])
    return ["TRIGGER", "POLICY", "RULE"].contains(cursor.word)
  }

  /// The table of CREATE TRIGGER.
  var triggerTable: SQLName? {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE") else { return nil }
    _ = cursor.take("OR", "REPLACE")
    cursor.skip(["CONSTRAINT"])
    guard cursor.take("TRIGGER") else { return nil }
    while let word = cursor.word, word != "ON" { cursor.place += 1 }
    _ = cursor.take("ON")
    return cursor.qualifiedName()
  }
}

extension AlterTable.Kind {
  /// The tables that nobody writes to once this is done to a table; validating and attaching leave it alone.
  fileprivate func lockedTables(by table: SQLName) -> [SQLName] {
    switch self {
    case .validateConstraint, .setStatistics, .setParameters: []
    case .attachPartition(let part, _): [part]
    case .detachPartition(let part, let isConcurrent): isConcurrent ? [] : [table, part]
    case .addConstraint(let constraint): [table] + [constraint.target].compactMap(\.self)
    case .addColumn(let column): [table] + column.constraints.compactMap(\.target)
    default: [table]
    }
  }
}
