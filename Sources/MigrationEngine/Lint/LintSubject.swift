import SQLText

/// A statement of a migration with all that a rule may ask about it.
struct LintSubject {
  /// A table that an earlier statement of the same transaction keeps others from.
  struct HeldTable {
    /// Its name as the statement has it.
    let name: SQLName
    /// The line of that statement.
    let line: Int
  }

  /// The statement.
  let statement: SQLStatement
  /// What it does to the schema.
  let meaning: SchemaStatement
  /// What is there before it runs.
  let model: SchemaModel
  /// The section it is in.
  let section: LintSection
  /// Its place among the statements of the section, from 0.
  let index: Int
  /// What earlier statements of the transaction keep locked.
  let held: [HeldTable]
  /// What the whole folder says.
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

  /// The constraints that ALTER TABLE adds to a table that was there before.
  var addedConstraints: [(table: SQLName, constraint: ConstraintDefinition)] {
    guard let alter = existingAlter else { return [] }
    return alter.actions.compactMap { action in
      if case .addConstraint(let constraint) = action.kind { (alter.name, constraint) } else { nil }
    }
  }

  /// The statements before this one.
  var earlier: ArraySlice<SQLStatement> { section.statements[..<index] }

  /// Words of an expression, names folded.
  func folded(_ range: Range<Int>) -> [String] { SchemaModel.folded(statement, range) }
}

/// A section of a migration taken apart.
struct LintSection {
  /// The migration.
  let migration: Migration
  /// The SQL.
  let source: Migration.Section
  /// Whether it is the way back.
  let isDown: Bool
  /// Its statements.
  let statements: [SQLStatement]

  /// Takes a section apart; throws ``MigrationError/malformed(file:line:column:message:hint:)``.
  init(_ source: Migration.Section, of migration: Migration, isDown: Bool) throws(MigrationError) {
    self.migration = migration
    self.source = source
    self.isDown = isDown
    statements = try source.script().statements
  }

  /// Whether all its statements run in one transaction.
  var isTransactional: Bool {
    source.options.transaction ?? !statements.contains { $0.isRefusedInTransaction }
  }
}
