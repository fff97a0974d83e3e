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
    case .alterTable(let alter):
      (alter.actions.contains { $0.kind.locksWriters } ? [alter.name] : [])
        + alter.actions.compactMap(\.kind.referred)
    case .createIndex(let index): index.isConcurrent ? [] : [index.table]
    case .createTable(let table): table.parent.map { [$0] } ?? []
    case .drop(let drop): drop.kind.hasSuffix("TABLE") ? drop.names : []
    case .change(let change): change.verb == "TRUNCATE" ? [change.table] : []
    case .createView: []
    case .other: triggerTable.map { [$0] } ?? []
    }
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
  /// The other table that a new foreign key keeps writers from.
  fileprivate var referred: SQLName? {
    switch self {
    case .addConstraint(let constraint): constraint.target
    case .addColumn(let column): column.first(.foreignKey)?.target
    default: nil
    }
  }

  /// Whether writers wait while it is done; validating and attaching leave them alone.
  fileprivate var locksWriters: Bool {
    switch self {
    case .validateConstraint, .setStatistics, .setParameters, .attachPartition: false
    case .detachPartition(_, let isConcurrent): !isConcurrent
    default: true
    }
  }
}
