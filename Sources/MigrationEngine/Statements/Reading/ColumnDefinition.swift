/// A column as CREATE TABLE and ADD COLUMN write it.
struct ColumnDefinition: Sendable {
  /// Its name.
  let name: String
  /// Its type; nil where none is said.
  let type: SQLType?
  /// What follows the type.
  let constraints: [ConstraintDefinition]
  /// The token it begins with.
  let place: Int

  /// Whether it has a constraint of a kind.
  func has(_ kind: ConstraintDefinition.Kind) -> Bool { first(kind) != nil }

  /// The first constraint of a kind.
  func first(_ kind: ConstraintDefinition.Kind) -> ConstraintDefinition? {
    constraints.first { $0.kind == kind }
  }

  /// Whether NULL is refused: a primary key and an identity refuse it too.
  var isNotNull: Bool {
    has(.notNull) || has(.primaryKey) || has(.identity) || type?.isSerial == true
  }
}

extension SQLCursor {
  /// Takes a column with its type and all behind it.
  mutating func column() -> ColumnDefinition? {
    let start = place
    guard let name = name() else { return nil }
    return ColumnDefinition(name: name, type: type(), constraints: columnConstraints(), place: start)
  }
}
