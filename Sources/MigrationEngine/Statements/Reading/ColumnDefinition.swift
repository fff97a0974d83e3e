/// A column as CREATE TABLE and ADD COLUMN write it.
struct ColumnDefinition: Sendable {
  let name: String
  /// Its type; nil where none is said.
  let type: SQLType?
  /// What COLLATE says; nil where the type's own collation holds.
  let collation: SQLName?
  let constraints: [ConstraintDefinition]
  let place: Int

  func has(_ kind: ConstraintDefinition.Kind) -> Bool { constraints.contains { $0.kind == kind } }

  /// Whether NULL is refused: a primary key and an identity refuse it too.
  var isNotNull: Bool {
    has(.notNull) || has(.primaryKey) || has(.identity) || type?.isSerial == true
  }
}

extension SQLCursor {
  mutating func column() -> ColumnDefinition? {
    let start = place
    guard let name = name() else { return nil }
    let type = type()
    let collation = collation()
    return ColumnDefinition(
      name: name, type: type, collation: collation, constraints: columnConstraints(), place: start)
  }

  /// What COLLATE names among what is left, which stays to be read.
  private func collation() -> SQLName? {
    var ahead = self
    while let word = ahead.word {
      if word == "COLLATE" {
        ahead.place += 1
        return ahead.qualifiedName()
      }
      ahead.skipItem()
    }
    return nil
  }
}

/// A constraint of a column or table, or what a column is filled with.
struct ConstraintDefinition: Sendable {
  /// The kinds, with what follows `DEFAULT` and `GENERATED` among them.
  enum Kind: Sendable {
    case notNull
    case check
    case unique
    case primaryKey
    case exclude
    case foreignKey
    case defaultValue
    case identity
    case storedExpression
    case virtualExpression
  }

  let kind: Kind
  var name: String?
  var columns: [String] = []
  var expression: Range<Int>?
  /// The table that a foreign key refers to.
  var target: SQLName?
  /// Rows that are there already are not looked at: NOT VALID, and from version 18 on NOT ENFORCED.
  var isNotValid = false
  /// The index that it takes over, which is there already.
  var index: String?
  let place: Int
}

extension SQLCursor {
  mutating func columnConstraints() -> [ConstraintDefinition] {
    var found: [ConstraintDefinition] = []
    while place < end {
      let start = place
      let name = take("CONSTRAINT") ? self.name() : nil
      if var constraint = columnConstraint(at: start) {
        constraint.name = name
        constraint.isNotValid = take("NOT", "ENFORCED")
        found.append(constraint)
      } else if place == start || name == nil {
        skipItem()
      }
    }
    return found
  }

  mutating func tableConstraint() -> ConstraintDefinition? {
    let start = place
    let name = take("CONSTRAINT") ? self.name() : nil
    guard var constraint = tableConstraintBody(at: start) else {
      place = start
      return nil
    }
    constraint.name = name
    while place < end {
      if take("NOT", "VALID") || take("NOT", "ENFORCED") { constraint.isNotValid = true } else { skipItem() }
    }
    return constraint
  }

  private mutating func tableConstraintBody(at start: Int) -> ConstraintDefinition? {
    if take("CHECK") { return expression(.check, at: start) }
    // EXCLUDE alone may be the name of a column.
    if word == "EXCLUDE", peek(1) == "USING" || peek(1) == "(" {
      place += 1
      return ConstraintDefinition(kind: .exclude, place: start)
    }
    if take("FOREIGN", "KEY") {
      let columns = nameList()
      var constraint = ConstraintDefinition(kind: .foreignKey, columns: columns, place: start)
      if take("REFERENCES") { constraint.target = qualifiedName() }
      return constraint
    }
    if take("NOT", "NULL") {
      return ConstraintDefinition(kind: .notNull, columns: name().map { [$0] } ?? [], place: start)
    }
    let kind: ConstraintDefinition.Kind
    if take("PRIMARY", "KEY") {
      kind = .primaryKey
    } else if take("UNIQUE") {
      kind = .unique
      skip(["NULLS", "NOT", "DISTINCT"])
    } else {
      return nil
    }
    var constraint = ConstraintDefinition(kind: kind, place: start)
    if take("USING", "INDEX") { constraint.index = self.name() } else { constraint.columns = nameList() }
    return constraint
  }

  private mutating func columnConstraint(at start: Int) -> ConstraintDefinition? {
    if take("NOT", "NULL") { return ConstraintDefinition(kind: .notNull, place: start) }
    if take("CHECK") { return expression(.check, at: start) }
    if take("PRIMARY", "KEY") { return ConstraintDefinition(kind: .primaryKey, place: start) }
    if take("UNIQUE") { return ConstraintDefinition(kind: .unique, place: start) }
    if take("DEFAULT") { return defaultValue(at: start) }
    if take("GENERATED") { return generated(at: start) }
    guard take("REFERENCES") else { return nil }
    let target = qualifiedName()
    group()
    // The actions hold words that begin other constraints: SET NULL, SET DEFAULT.
    while take("ON", "DELETE") || take("ON", "UPDATE") {
      if take("SET") || take("NO") { place += 1 } else { skip(["CASCADE", "RESTRICT"]) }
    }
    return ConstraintDefinition(kind: .foreignKey, target: target, place: start)
  }

  private mutating func expression(_ kind: ConstraintDefinition.Kind, at start: Int) -> ConstraintDefinition {
    ConstraintDefinition(kind: kind, expression: group(), place: start)
  }

  private mutating func defaultValue(at start: Int) -> ConstraintDefinition {
    let from = place
    skipItem()
    while let word, !beginsConstraint(word) { skipItem() }
    return ConstraintDefinition(kind: .defaultValue, expression: from..<min(place, end), place: start)
  }

  private func beginsConstraint(_ word: String) -> Bool {
    switch word {
    case "NOT": peek(1) == "NULL" || peek(1) == "DEFERRABLE"
    case "CONSTRAINT", "NULL", "CHECK", "GENERATED", "UNIQUE", "PRIMARY", "REFERENCES": true
    default: false
    }
  }

  private mutating func generated(at start: Int) -> ConstraintDefinition {
    skip(["ALWAYS", "BY", "DEFAULT"])
    take("AS")
    if take("IDENTITY") {
      group()
      return ConstraintDefinition(kind: .identity, place: start)
    }
    let expression = group()
    let isStored = take("STORED")
    return ConstraintDefinition(
      kind: isStored ? .storedExpression : .virtualExpression, expression: expression, place: start)
  }
}
