import SQLText

/// What rules ask about a folder as a whole.
struct LintFolder {
  /// Views that are kept outside the migrations, with the words of their text, names folded.
  var views: [SchemaModel.View] = []
  /// How many objects the migrations name with their schema, less those they name without: where it is above
  /// 0, a name without one is likely a slip.
  var qualifiedNames = 0
  /// Where the tables lie in Citus, as far as migrations and callbacks say it.
  var placement = CitusPlacement()
  /// The tables that a statement of a migration places, and so not before it.
  var placedInTurn: Set<String> = []
  /// Whether the files can say that there is no way back, as ours can.
  var isOwnFormat = true
}

/// A statement of a migration with all that a rule may ask about it.
struct LintSubject {
  let statement: SQLStatement
  let meaning: SchemaStatement
  /// What is there before it runs.
  let model: SchemaModel
  let section: LintSection
  /// Its place among the statements of the section, from 0.
  let index: Int
  /// What earlier statements of the transaction keep locked, with the lines of these.
  let held: [(name: SQLName, line: Int)]
  /// What earlier statements of the section have said that counts for this one.
  let said: LintMemory
  let folder: LintFolder

  /// ALTER TABLE, where its table was there before this migration.
  var existingAlter: AlterTable? {
    guard case .alterTable(let alter) = meaning, model.isExisting(alter.name) else { return nil }
    return alter
  }

  /// The columns that ALTER TABLE adds to a table that was there before.
  var addedColumns: [(table: SQLName, column: ColumnDefinition)] {
    guard let alter = existingAlter else { return [] }
    return alter.actions.compactMap { action in
      if case .addColumn(let column) = action.kind { (alter.name, column) } else { nil }
    }
  }

  /// The constraints that ALTER TABLE gives a table that was there before, those of new columns with them.
  var addedConstraints: [(table: SQLName, column: ColumnDefinition?, constraint: ConstraintDefinition)] {
    guard let alter = existingAlter else { return [] }
    return meaning.constraints.map { (alter.name, $0.column, $0.constraint) }
  }

  /// The statements before this one.
  var earlier: ArraySlice<SQLStatement> { section.statements[..<index] }

  /// The tables that were there before and that nobody can write to, or read, until the transaction is over.
  ///
  /// Source: the table of lock modes and the pages of the commands in PostgreSQL's documentation.
  var lockedTables: [SQLName] {
    let locked: [SQLName] =
      switch meaning {
      case .alterTable(let alter): alter.actions.flatMap { $0.kind.lockedTables(by: alter.name) }
      case .createIndex(let index): index.isConcurrent ? [] : [index.table]
      case .createTable(let table):
        [table.parent].compactMap(\.self) + meaning.constraints.compactMap(\.constraint.target)
      case .drop(let drop) where drop.kind == "INDEX":
        drop.isConcurrent ? [] : drop.names.compactMap { model.indexes[model.key($0)]?.table }
      case .drop(let drop) where drop.kind.hasSuffix("TABLE"): drop.names
      case .change(let change): change.verb == "TRUNCATE" ? [change.table] : []
      case .drop, .other: statement.hangsOnTable ? statement.targets.map(\.name) : []
      case .createView: []
      }
    return locked.filter(model.isExisting)
  }
}

extension AlterTable.Kind {
  /// The tables that nobody writes to once this is done to a table; validating and attaching leave it alone.
  fileprivate func lockedTables(by table: SQLName) -> [SQLName] {
    switch self {
    case .validateConstraint, .setStatistics, .setColumnParameters, .setParameters: []
    case .attachPartition(let part, _): [part]
    case .detachPartition(let part, let isConcurrent): isConcurrent ? [] : [table, part]
    case .addConstraint(let constraint): [table] + [constraint.target].compactMap(\.self)
    case .addColumn(let column): [table] + column.constraints.compactMap(\.target)
    default: [table]
    }
  }
}

/// What a section has said so far that rules ask for: kept up to date, since to look through the statements
/// before each one would take time with the square of their number.
struct LintMemory {
  /// Whether a statement was about the search path.
  private(set) var namesSearchPath = false
  /// The values, in their quotes, that were added to enums of other migrations.
  private(set) var enumValues: Set<String> = []
  /// The line of the first statement that uses several shards of Citus at once.
  private(set) var parallelLine: Int?
  /// Whether a statement was about the way in which Citus uses several shards.
  private(set) var isSequential = false
  /// Whether a statement was about what triggers Citus takes.
  private(set) var allowsUnsafeTriggers = false

  mutating func take(_ subject: LintSubject) {
    let (statement, model) = (subject.statement, subject.model)
    namesSearchPath = namesSearchPath || statement.words.contains("SEARCH_PATH")
    if parallelLine == nil, subject.usesSeveralShards { parallelLine = statement.place.line }
    if statement.isSetting || statement.keyword == "SET" {
      let says = { (name: String) in statement.words.contains { $0.uppercased().contains(name) } }
      isSequential = isSequential || says("MULTI_SHARD_MODIFY_MODE")
      allowsUnsafeTriggers = allowsUnsafeTriggers || says("ENABLE_UNSAFE_TRIGGERS")
    }
    guard statement.keyword == "ALTER" else { return }
    var cursor = SQLCursor(statement)
    guard cursor.take("ALTER", "TYPE"), let type = cursor.qualifiedName(), cursor.take("ADD", "VALUE"),
      model.enums[model.key(type)] != model.current
    else { return }
    cursor.take("IF", "NOT", "EXISTS")
    if let value = cursor.word { enumValues.insert(value) }
  }
}

/// A section of a migration taken apart.
struct LintSection {
  let migration: Migration
  let source: Migration.Section
  let isDown: Bool
  let statements: [SQLStatement]
  /// The places of the first statement that PostgreSQL refuses in a transaction, and of the first one that it
  /// does not and that does something.
  let firstRefused: Int?
  let firstTransactional: Int?
  private let hasBatches: Bool

  /// Takes a section apart.
  ///
  /// - Throws: `MigrationError.malformed`.
  init(_ source: Migration.Section, of migration: Migration, isDown: Bool) throws(MigrationError) {
    self.migration = migration
    self.source = source
    self.isDown = isDown
    let filled = try source.filled(isForReading: true)
    let script = try source.script(of: filled)
    statements = script.statements
    hasBatches = try !source.batches(of: script, in: filled).isEmpty
    firstRefused = statements.firstIndex(where: \.isRefusedInTransaction)
    firstTransactional = statements.firstIndex { !$0.isRefusedInTransaction && $0.keyword != "SET" }
  }

  /// Whether all its statements run in one transaction.
  var isTransactional: Bool {
    source.options.hasOwnTransactions || hasBatches
      ? false : source.options.transaction ?? (firstRefused == nil)
  }
}
