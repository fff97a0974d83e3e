import SQLText

/// What Citus 13 refuses of keys and constraints.
extension LintRule {
  /// Finds tables whose distribution columns differ, though they are to lie together.
  static let citusColocation = LintRule(
    name: "citus-colocation",
    reason:
      "Tables lie together only where their distribution columns have one type and one collation. Without colocate_with a "
      + "table joins those of its type, and fails where their collation is another one. Asked where a table is placed.",
    fix: "the same type everywhere, and COLLATE \"C\" for each distribution column that holds text"
  ) { subject in
    var placed = CitusPlacement()
    placed.read(subject.statement)
    if case .createTable(let table) = subject.meaning {
      let name = subject.model.key(table.name)
      if subject.folder.placement.declared.contains(name), let key = subject.distributionKey(of: table.name) {
        placed.distribute(name, by: key, with: subject.folder.placement.neighbours[name])
      }
    }
    return placed.distributed.sorted { $0.key < $1.key }.compactMap { table, key in
      guard let column = subject.column(key, of: table) else { return nil }
      let neighbour = placed.neighbours[table]
      let others = neighbour.map { [$0] } ?? subject.model.placed.distributed.keys.sorted()
      return others.lazy.compactMap { other -> LintRemark? in
        guard other != table, other != "none", subject.model.placed.neighbours[other] != "none",
          let otherKey = subject.folder.placement.distributed[other],
          let there = subject.column(otherKey, of: other)
        else { return nil }
        return difference(
          (table, key, column), (other, otherKey, there), isNamed: neighbour != nil
        ).map { LintRemark(subject.place(ofColumn: key, in: table), $0) }
      }.first
    }
  }

  private typealias KeyColumn = (table: String, name: String, column: SchemaModel.Column)

  private static func difference(_ one: KeyColumn, _ other: KeyColumn, isNamed: Bool) -> String? {
    guard let type = one.column.type, let otherType = other.column.type else { return nil }
    let names = ("\(one.table).\(one.name)", "\(other.table).\(other.name)")
    if type.name != otherType.name || type.isArray != otherType.isArray {
      return isNamed ? "\(names.0) is \(type.name), and \(names.1) is \(otherType.name)" : nil
    }
    let collations = [one, other].map { $0.column.collation ?? "default" }
    guard collations[0] != collations[1] else { return nil }
    return "\(names.0) has the collation \(collations[0]), and \(names.1) \(collations[1])"
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
      guard let key = subject.distributionKey(of: table), !columns.contains(key)
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

extension LintSubject {
  /// A column of a table as it is, or as the statement makes it.
  fileprivate func column(_ column: String, of table: String) -> SchemaModel.Column? {
    guard let made = made(column, in: table) else { return model.tables[table]?.columns[column] }
    return SchemaModel.Column(
      type: made.type?.stored, collation: made.collation?.name, madeIn: model.current)
  }

  /// The token of a column that the statement makes; its first one where it makes none.
  fileprivate func place(ofColumn column: String, in table: String) -> Int {
    made(column, in: table)?.place ?? 0
  }

  private func made(_ column: String, in table: String) -> ColumnDefinition? {
    guard case .createTable(let definition) = meaning, model.key(definition.name) == table else { return nil }
    return definition.columns.first { $0.name == column }
  }
}
