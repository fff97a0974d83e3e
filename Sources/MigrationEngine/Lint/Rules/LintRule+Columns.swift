import SQLText

extension LintRule {
  /// Finds new columns that refuse NULL and have nothing else to hold.
  static let notNullColumn = LintRule(
    name: "not-null-column-without-default",
    reason: "ADD COLUMN ... NOT NULL without a default fails on a table that has rows.",
    fix:
      "give it a DEFAULT (a constant one does not rewrite the table), or add it without NOT NULL, fill it, and set "
      + "NOT NULL by way of a validated CHECK"
  ) { subject in
    subject.addedColumns.compactMap { table, column in
      let filled: [ConstraintDefinition.Kind] = [
        .defaultValue, .identity, .storedExpression, .virtualExpression,
      ]
      let isFilled = filled.contains(where: column.has) || column.type?.isSerial == true
      guard column.has(.notNull) || column.has(.primaryKey), !isFilled else { return nil }
      return LintRemark(
        column.place, "this fails where \(table) has rows: \(column.name) would be NULL in them")
    }
  }

  /// Finds new columns whose value has to be written into every row.
  static let volatileDefault = LintRule(
    name: "volatile-default",
    reason:
      "ADD COLUMN with a default that differs from row to row (random(), clock_timestamp(), gen_random_uuid(), nextval()), "
      + "with serial, identity or GENERATED ... STORED rewrites the whole table and its indexes under an ACCESS EXCLUSIVE "
      + "lock. now() and constants do not.",
    fix:
      "add the column without a default, then SET DEFAULT for new rows, and fill the old ones in batches of a "
      + "migration of their own"
  ) { subject in
    subject.addedColumns.flatMap { table, column in
      let causes = [(column.place, cause(column.type, subject.model))]
      return (causes + column.constraints.map { ($0.place, cause($0, table, subject)) }).compactMap {
        place, cause in
        switch cause {
        case .rewrite(let cause)?:
          LintRemark(
            place, "readers and writers of \(table) wait while it is rewritten: \(column.name) has \(cause)")
        case .unknown(let function)?:
          LintRemark(
            place,
            "\(table) is rewritten unless \(function)() is declared STABLE or IMMUTABLE, which the file does not show"
          )
        case nil: nil
        }
      }
    }
  }

  private enum RewriteCause {
    case rewrite(String)
    /// The table is rewritten if this function says so.
    case unknown(String)
  }

  private static func cause(_ constraint: ConstraintDefinition, _ table: SQLName, _ subject: LintSubject)
    -> RewriteCause?
  {
    switch constraint.kind {
    case .identity: return .rewrite("identity")
    case .storedExpression: return .rewrite("a stored expression")
    case .defaultValue:
      guard let expression = constraint.expression else { return nil }
      switch Volatility.of(subject.statement, expression, declared: subject.model.functions) {
      case .steady: return nil
      case .volatile(let function): return .rewrite("\(function)(), which gives each row another value")
      case .unknown(let function): return .unknown(function)
      }
    default: return nil
    }
  }

  private static func cause(_ type: SQLType?, _ model: SchemaModel) -> RewriteCause? {
    guard let type else { return nil }
    if type.isSerial { return .rewrite(type.name) }
    guard model.checkedDomains.contains(type.name) else { return nil }
    return .rewrite("the domain \(type.name), whose checks are tried on every row")
  }

  /// Finds changes of a column's type that rewrite or read the table.
  static let rewritingTypeChange = LintRule(
    name: "rewriting-type-change",
    reason:
      "ALTER COLUMN ... TYPE rewrites the table and its indexes under an ACCESS EXCLUSIVE lock, unless the stored "
      + "values are good as they are: a longer varchar or none, varchar to text, a numeric of more digits and the same "
      + "scale, a finer timestamp. The old type is taken from earlier migrations; where they do not show it, the rule "
      + "says so.",
    fix:
      "add a column of the new type, keep both filled by a trigger, fill the old rows in batches, and swap the names "
      + "in a later migration: 'rivulet migrate new --change-type' drafts that"
  ) { subject in
    guard let alter = subject.existingAlter else { return [] }
    return alter.remarks { kind in
      guard case .setType(let change) = kind else { return nil }
      return message(change, of: alter.name, subject)
    }
  }

  private static func message(
    _ change: AlterTable.ColumnTypeChange, of name: SQLName, _ subject: LintSubject
  ) -> String? {
    let table = subject.model.table(name)
    guard let new = change.type, let old = table?.columns[change.column]?.type else {
      return "\(name) may be rewritten: no migration shows what type \(change.column) has now"
    }
    let words = change.using.map { SchemaModel.folded(subject.statement, $0) } ?? []
    if !words.isEmpty, !isPlain(words, change.column) {
      return
        "readers and writers of \(name) wait while USING is worked out for every row and the table is rewritten"
    }
    switch TypeChange(from: old, to: new) {
    case .rewrite:
      return
        "readers and writers of \(name) wait while it is rewritten: \(change.column) is \(old), and becomes \(new)"
    case .rewriteUnlessUTC where !setsUTC(subject.earlier):
      return
        "\(name) is rewritten unless the session's time zone is UTC: \(change.column) is \(old), and becomes \(new)"
    case .unknown:
      return "\(name) may be rewritten: whether \(old) can be read as \(new) is not known here"
    case .free, .rewriteUnlessUTC: break
    }
    if change.collation != nil {
      return "the indexes of \(name) with \(change.column) are rebuilt if its collation changes"
    }
    let isChecked = table?.checks.contains { $0.isValid && $0.condition.contains(change.column) } == true
    return isChecked ? "every row of \(name) is read, since a CHECK names \(change.column)" : nil
  }

  /// Whether USING says no more than the column itself, or its cast.
  private static func isPlain(_ words: [String], _ column: String) -> Bool {
    words.first == column && (words.count == 1 || words.dropFirst().prefix(2).elementsEqual([":", ":"]))
      && !words.contains { ["+", "-", "*", "/", "|"].contains($0) }
  }

  /// Whether statements say that the time zone is UTC.
  private static func setsUTC(_ statements: ArraySlice<SQLStatement>) -> Bool {
    statements.contains { statement in
      statement.words.first == "SET" && statement.words.last?.uppercased() == "'UTC'"
        && (statement.words.contains("TIMEZONE") || statement.words.contains("ZONE"))
    }
  }

  /// Finds columns that are dropped while a view uses them.
  static let dropColumnInView = LintRule(
    name: "drop-column-in-view",
    reason:
      "A view uses the column: DROP COLUMN fails, or with CASCADE takes the view with it; a derived view of a "
      + "pipeline cannot be made again. Decided by the words of the view: it names the table, and the column or a `*`.",
    fix: "first change the view so that it does without the column"
  ) { subject in
    guard case .alterTable(let alter) = subject.meaning else { return [] }
    let views = subject.model.views.values.sorted { $0.name < $1.name } + subject.folder.views
    return alter.actions.flatMap { action -> [LintRemark] in
      guard case .dropColumn(let column) = action.kind else { return [] }
      return views.filter { $0.uses(column, of: alter.name) }.map {
        LintRemark(action.place, "the view \($0.name) uses \(alter.name).\(column)")
      }
    }
  }

  /// Finds new names for what running programs call by the old one.
  static let rename = LintRule(
    name: "rename", severity: .notice,
    reason:
      "Programs that run while the migration is applied still use the old name of a table or column, and fail from then on.",
    fix:
      "add the new column beside the old one, or a view under the old name, and drop the old one once no program "
      + "uses it: 'rivulet migrate new --rename-column' drafts that"
  ) { subject in
    guard let alter = subject.existingAlter else { return [] }
    return alter.remarks { kind in
      switch kind {
      case .renameColumn(let old, _):
        "programs that use \(alter.name).\(old) fail as soon as this is applied"
      case .rename, .setSchema: "programs that use \(alter.name) fail as soon as this is applied"
      default: nil
      }
    }
  }
}
