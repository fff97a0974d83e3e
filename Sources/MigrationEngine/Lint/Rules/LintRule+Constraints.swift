extension LintRule {
  /// Finds CHECK constraints that are checked under a lock.
  static let checkWithoutNotValid = LintRule(
    name: "check-without-not-valid",
    reason:
      "ADD CHECK reads the whole table under an ACCESS EXCLUSIVE lock: nobody reads or writes it until it is done. "
      + "A CHECK on a new column does so too.",
    fix:
      "ADD CONSTRAINT ... NOT VALID, and in a later migration VALIDATE CONSTRAINT, which lets all others go on"
  ) { subject in
    subject.addedConstraints.filter { $0.constraint.kind == .check && !$0.constraint.isNotValid }.map {
      LintRemark($0.constraint.place, "readers and writers of \($0.table) wait until every row is checked")
    }
  }

  /// Finds foreign keys that are checked under a lock on both tables.
  static let foreignKeyWithoutNotValid = LintRule(
    name: "foreign-key-without-not-valid",
    reason:
      "ADD FOREIGN KEY reads the whole table under SHARE ROW EXCLUSIVE locks on both tables: nobody writes to "
      + "either until it is done. From PostgreSQL 18 on ALTER CONSTRAINT ... ENFORCED does so too, and keeps readers away.",
    fix:
      "ADD CONSTRAINT ... NOT VALID, and in a later migration VALIDATE CONSTRAINT, which lets writers go on"
  ) { subject in
    enforcedKeys(subject)
      + subject.addedConstraints.compactMap { table, column, key in
        // A new column without a default holds nothing but NULL and is not read; with DEFAULT NULL it is.
        guard key.kind == .foreignKey, !key.isNotValid, column?.has(.defaultValue) != false else {
          return nil
        }
        let target = key.target.map { " and \($0)" } ?? ""
        let isPartitioned = column == nil && subject.model.table(table)?.isPartitioned == true
        return LintRemark(
          key.place, "writers of \(table)\(target) wait until every row is checked",
          fix: isPartitioned
            ? "before PostgreSQL 18 a partitioned table knows no NOT VALID foreign key: add the key to each partition with "
              + "NOT VALID, validate it there, and then add it to the parent, which takes those over" : nil)
      }
  }

  private static func enforcedKeys(_ subject: LintSubject) -> [LintRemark] {
    guard let alter = subject.existingAlter else { return [] }
    return alter.actions.compactMap { action in
      guard case .enforceConstraint = action.kind else { return nil }
      return LintRemark(
        action.place, "readers and writers of \(alter.name) wait until every row is checked",
        fix: "drop the key and add it again with NOT VALID; in a later migration VALIDATE CONSTRAINT")
    }
  }

  /// Finds unique and primary keys whose index is built under a lock.
  static let keyWithoutIndex = LintRule(
    name: "key-without-index",
    reason:
      "ADD UNIQUE, ADD PRIMARY KEY and ADD EXCLUDE build an index under an ACCESS EXCLUSIVE lock: nobody reads or "
      + "writes the table until it is built.",
    fix:
      "CREATE UNIQUE INDEX CONCURRENTLY in a migration of its own, then ADD CONSTRAINT ... UNIQUE USING INDEX (for a "
      + "primary key the columns must be NOT NULL already)"
  ) { subject in
    subject.addedConstraints.compactMap { table, _, key in
      guard [.unique, .primaryKey, .exclude].contains(key.kind), key.index == nil else { return nil }
      let isPartitioned = subject.model.table(table)?.isPartitioned == true
      let why =
        key.kind == .exclude
        ? "there is no other way" : isPartitioned ? "a partitioned table cannot take an index over" : nil
      return LintRemark(
        key.place, "readers and writers of \(table) wait until the index is built",
        fix: why.map { "\($0): do it while nobody needs \(table), and say so in an allow" })
    }
  }

  /// Finds SET NOT NULL that has to read the table.
  static let notNullWithoutCheck = LintRule(
    name: "not-null-without-check",
    reason:
      "SET NOT NULL, and ADD PRIMARY KEY USING INDEX on a column that is not yet NOT NULL, reads the whole table "
      + "under an ACCESS EXCLUSIVE lock, unless a valid CHECK says already that the column is not null.",
    fix:
      "ADD CONSTRAINT ... CHECK (column IS NOT NULL) NOT VALID; in a later migration VALIDATE CONSTRAINT, and in one "
      + "after that SET NOT NULL and DROP CONSTRAINT"
  ) { subject in
    guard let alter = subject.existingAlter else { return [] }
    let table = subject.model.table(alter.name)
    return alter.actions.flatMap { action in
      columns(madeNotNull: action.kind, of: alter.name, subject.model).filter { column in
        table?.columns[column]?.isNotNull != true && table?.provesNotNull(column) != true
      }.map {
        LintRemark(
          action.place,
          "readers and writers of \(alter.name) wait until every row is read for a NULL in \($0)")
      }
    }
  }

  private static func columns(madeNotNull action: AlterTable.Kind, of table: SQLName, _ model: SchemaModel)
    -> [String]
  {
    switch action {
    case .setNotNull(let column): return [column]
    case .addConstraint(let constraint) where constraint.kind == .notNull && !constraint.isNotValid:
      return constraint.columns
    case .addConstraint(let constraint) where constraint.kind == .primaryKey:
      // The columns of the index become NOT NULL; one that no migration made may have any.
      return constraint.index.flatMap { model.indexes[model.key(SQLName(schema: table.schema, $0))]?.columns }
        ?? []
    default: return []
    }
  }

  /// Finds constraints that are added without a name.
  static let unnamedConstraint = LintRule(
    name: "unnamed-constraint", severity: .notice,
    reason:
      "The server chooses a name for a constraint that ALTER TABLE ... ADD gives none, and takes another one where "
      + "that is taken: the way back and later migrations cannot be sure of it.",
    fix: "give it a name: ADD CONSTRAINT name, and then the constraint"
  ) { subject in
    guard case .alterTable(let alter) = subject.meaning else { return [] }
    return alter.remarks { kind in
      guard case .addConstraint(let constraint) = kind, constraint.name == nil, constraint.kind != .notNull
      else { return nil }
      return "the constraint has no name of its own"
    }
  }

  /// Finds constraints of a domain that are tried on all tables which use it.
  static let domainConstraint = LintRule(
    name: "domain-constraint",
    reason:
      "ALTER DOMAIN ... ADD CHECK, SET NOT NULL and VALIDATE CONSTRAINT read every table with a column of the "
      + "domain, and nobody writes to them meanwhile.",
    fix:
      "ADD CONSTRAINT ... NOT VALID holds new values to it at once; validate it while nobody writes, with an allow"
  ) { subject in
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("ALTER", "DOMAIN"), let domain = cursor.qualifiedName(),
      subject.model.domains[subject.model.key(domain)] != subject.model.current
    else { return [] }
    let place = cursor.place
    let isRead =
      cursor.take("ADD")
      ? cursor.tableConstraint()?.isNotValid != true
      : cursor.take("SET", "NOT", "NULL") || cursor.take("VALIDATE")
    return isRead
      ? [LintRemark(place, "writers of the tables that use \(domain) wait until they are read")] : []
  }
}
