import SQLText

extension LintSubject {
  /// Whether a table may lie in Citus, as far as the folder says where tables lie.
  fileprivate func mayLieInCitus(_ name: SQLName) -> Bool { folder.placement.mayHold(model.key(name)) }

  fileprivate func place(of name: SQLName) -> CitusPlacement.Place {
    folder.placement.place(of: model.key(name))
  }

  /// The table that the statement makes or alters, where it may lie in Citus.
  fileprivate var citusTable: SQLName? {
    var name = meaning.table
    if case .createTable(let table) = meaning { name = table.isTemporary ? nil : table.parent ?? name }
    return name.flatMap { mayLieInCitus($0) ? $0 : nil }
  }

  /// ALTER TABLE of a table that may lie in Citus.
  fileprivate var citusAlter: AlterTable? {
    guard case .alterTable(let alter) = meaning, citusTable != nil else { return nil }
    return alter
  }
}

/// What Citus 13 refuses.
extension LintRule {
  /// Finds forms of ALTER TABLE that Citus refuses.
  static let citusAlterTable = LintRule(
    name: "citus-alter-table",
    reason:
      "Citus refuses RENAME CONSTRAINT and SET STATISTICS, and a CHECK that is added together with something else.",
    fix:
      "one ALTER TABLE for the CHECK and one for the rest; drop a constraint and add it again instead of renaming it"
  ) { subject in
    guard let alter = subject.citusAlter else { return [] }
    return alter.remarks { kind in
      switch kind {
      case .renameConstraint: "RENAME CONSTRAINT is refused"
      case .setStatistics: "SET STATISTICS is refused"
      case .addConstraint(let constraint) where constraint.kind == .check && alter.actions.count > 1:
        "the CHECK is in one command with other changes"
      case .addColumn(let column) where column.has(.check): "the CHECK is in one command with the column"
      default: nil
      }
    }
  }

  /// Finds COPY with a WHERE.
  static let citusCopyWhere = LintRule(
    name: "citus-copy-where", reason: "Citus refuses COPY ... FROM ... WHERE into its tables.",
    fix: "copy into a temporary table, and INSERT ... SELECT ... WHERE from it"
  ) { subject in
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("COPY"), let table = cursor.qualifiedName(), subject.mayLieInCitus(table),
      let place = subject.statement.words.firstIndex(of: "WHERE"),
      subject.statement.words[..<place].contains("FROM")
    else { return [] }
    return [LintRemark(place, "COPY with WHERE into \(table) is refused")]
  }

  /// Finds foreign keys between tables that lie where Citus cannot follow them.
  static let citusForeignKey = LintRule(
    name: "citus-foreign-key",
    reason:
      "A foreign key from a reference table to a distributed one, or from a distributed table to a local one, is "
      + "refused; from a local table to a distributed one it is accepted and not enforced. Asked only where migrations or "
      + "callbacks say where tables lie.",
    fix:
      "leave the key out, or place the tables so that it goes from distributed to reference, or along the same key"
  ) { subject in
    guard subject.folder.placement.isKnown, let table = subject.meaning.table else { return [] }
    let from = subject.place(of: table)
    return subject.meaning.constraints.compactMap { _, constraint in
      guard let target = constraint.target else { return nil }
      let to = subject.place(of: target)
      guard from != to, to != .reference else { return nil }
      return LintRemark(constraint.place, "\(table) is \(from.rawValue), and \(target) is \(to.rawValue)")
    }
  }

  /// Finds MERGE into tables that may lie in Citus.
  static let citusMerge = LintRule(
    name: "citus-merge",
    reason: "Citus refuses MERGE from a local table into a distributed one, and into a reference table.",
    fix: "INSERT ... ON CONFLICT, with excluded.column"
  ) { subject in
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("MERGE", "INTO") else { return [] }
    cursor.take("ONLY")
    guard let table = cursor.qualifiedName(), subject.mayLieInCitus(table) else { return [] }
    return [LintRemark(0, "MERGE into \(table) is refused where it is distributed or a reference table")]
  }

  /// Finds partitions in a way that Citus does not know.
  static let citusPartitions = LintRule(
    name: "citus-partitions",
    reason:
      "Citus knows one level of partitions, none of a reference table, and no DETACH PARTITION CONCURRENTLY.",
    fix: "one level of partitions of a distributed table, and DETACH PARTITION without CONCURRENTLY"
  ) { subject in
    if let alter = subject.citusAlter {
      return alter.remarks { kind in
        switch kind {
        case .detachPartition(_, isConcurrent: true): "CONCURRENTLY is refused here"
        case .attachPartition(let part, _) where subject.model.table(part)?.isPartitioned == true:
          "\(part) is partitioned itself"
        default: nil
        }
      }
    }
    guard case .createTable(let table) = subject.meaning, table.isPartitioned, let name = subject.citusTable
    else { return [] }
    if table.parent != nil {
      return [LintRemark(table.place, "\(table.name) is a partition that is partitioned again")]
    }
    guard subject.place(of: name) == .reference else { return [] }
    return [LintRemark(table.place, "\(table.name) is a reference table and cannot be partitioned")]
  }

  /// Finds row policies that Citus refuses.
  static let citusPolicy = LintRule(
    name: "citus-policy", reason: "Citus takes no subquery in a policy of row level security.",
    fix: "compare columns with current_user or current_setting()"
  ) { subject in
    let statement = subject.statement
    guard statement.begins(with: "CREATE", "POLICY") || statement.begins(with: "ALTER", "POLICY"),
      // FOR SELECT names the command that the policy is for.
      let place = statement.words.indices.first(where: {
        statement.words[$0] == "SELECT" && statement.words[$0 - 1] != "FOR"
      })
    else { return [] }
    return [LintRemark(place, "the policy holds a subquery")]
  }

  /// Finds views with queries that Citus cannot run over distributed tables.
  static let citusQuery = LintRule(
    name: "citus-query",
    reason: "Citus runs no ROLLUP, CUBE, GROUPING SETS and no recursive query over distributed tables.",
    fix: "UNION ALL of a query for each grouping; a table that is filled step by step instead of recursion"
  ) { subject in
    guard case .createView = subject.meaning else { return [] }
    let words = subject.statement.words
    return zip(words.indices, zip(words, words.dropFirst())).compactMap { place, pair in
      switch pair {
      case ("ROLLUP", "("), ("CUBE", "("): LintRemark(place, "\(pair.0) is refused")
      case ("GROUPING", "SETS"): LintRemark(place, "GROUPING SETS is refused")
      case ("WITH", "RECURSIVE"): LintRemark(place, "a recursive query is refused")
      case ("RECURSIVE", "VIEW"): LintRemark(place, "a recursive view is refused")
      default: nil
      }
    }
  }

  /// Finds sequences of columns that Citus refuses.
  static let citusSerial = LintRule(
    name: "citus-serial",
    reason: "Citus takes serial and identity only of type bigint, and only in CREATE TABLE.",
    fix: "bigint GENERATED BY DEFAULT AS IDENTITY in CREATE TABLE"
  ) { subject in
    let isNumbered = { (column: ColumnDefinition) in column.has(.identity) || column.type?.isSerial == true }
    if let alter = subject.citusAlter {
      return alter.remarks { kind in
        let late = { (name: String) in "\(name) can be numbered only when the table is made" }
        return switch kind {
        case .addColumn(let column) where isNumbered(column): late(column.name)
        case .addIdentity(let column): late(column)
        default: nil
        }
      }
    }
    guard case .createTable(let table) = subject.meaning, subject.citusTable != nil else { return [] }
    return table.columns.filter { isNumbered($0) && $0.type?.stored.name != "int8" }.map {
      LintRemark($0.place, "\($0.name) is numbered and not a bigint")
    }
  }

  /// Finds triggers on tables that may lie in Citus.
  static let citusTrigger = LintRule(
    name: "citus-trigger", reason: "Citus refuses triggers on distributed and on reference tables.",
    fix: "rebuild what the trigger keeps by group, with INSERT ... SELECT ... ON CONFLICT"
  ) { subject in
    guard subject.statement.keyword == "CREATE", subject.statement.objectKind == "TRIGGER",
      let table = subject.statement.targets.first?.name, subject.mayLieInCitus(table)
    else { return [] }
    return [LintRemark(0, "\(table) can have no trigger where it is distributed or a reference table")]
  }

  /// Finds unique constraints and indexes of a distributed table that leave its key out.
  static let citusUniqueWithoutKey = LintRule(
    name: "citus-unique-without-key",
    reason:
      "A PRIMARY KEY, UNIQUE or EXCLUDE of a distributed table must contain the distribution column; reference "
      + "tables are free. Asked of keys and unique indexes, not of EXCLUDE, and only of tables that a migration or "
      + "callback distributes by create_distributed_table.",
    fix: "put the distribution column into the key, or make it a reference table"
  ) { subject in
    func remark(_ place: Int, _ table: SQLName, _ columns: [String]) -> LintRemark? {
      guard let key = subject.folder.placement.distributed[subject.model.key(table)], !columns.contains(key)
      else { return nil }
      return LintRemark(
        place, "\(table) is distributed by \(key), which is not in (\(columns.joined(separator: ", ")))")
    }
    if case .createIndex(let index) = subject.meaning, index.isUnique {
      return [remark(index.tablePlace, index.table, index.columns)].compactMap(\.self)
    }
    guard let table = subject.citusTable else { return [] }
    return subject.meaning.constraints.compactMap { column, constraint in
      guard [.unique, .primaryKey].contains(constraint.kind), constraint.index == nil else { return nil }
      return remark(constraint.place, table, column.map { [$0.name] } ?? constraint.columns)
    }
  }

  /// Finds constraints without a name on tables that may lie in Citus.
  static let citusUnnamedConstraint = LintRule(
    name: "citus-unnamed-constraint",
    reason:
      "Errors of a distributed table name the constraint with the number of a shard behind it: only a name of "
      + "one's own is recognised in them.",
    fix: "CONSTRAINT name in front of it"
  ) { subject in
    guard subject.citusTable != nil else { return [] }
    let kinds: [ConstraintDefinition.Kind] = [.unique, .primaryKey, .foreignKey, .check, .exclude]
    return subject.meaning.constraints.filter {
      kinds.contains($0.constraint.kind) && $0.constraint.name == nil
    }.map { LintRemark($0.constraint.place, "the constraint has no name of its own") }
  }
}
