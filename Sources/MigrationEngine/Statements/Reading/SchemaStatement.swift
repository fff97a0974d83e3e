import SQLText

/// What a statement does to the schema, as far as its text shows.
enum SchemaStatement: Sendable {
  case createTable(CreateTable)
  case createIndex(CreateIndex)
  case createView(CreateView)
  case alterTable(AlterTable)
  case drop(DropObjects)
  case change(DataChange)
  /// None of these.
  case other

  /// Reads a statement.
  init(_ statement: SQLStatement) {
    if let table = CreateTable(statement) {
      self = .createTable(table)
    } else if let index = CreateIndex(statement) {
      self = .createIndex(index)
    } else if let view = CreateView(statement) {
      self = .createView(view)
    } else if let alter = AlterTable(statement) {
      self = .alterTable(alter)
    } else if let drop = DropObjects(statement) {
      self = .drop(drop)
    } else if let change = DataChange(statement) {
      self = .change(change)
    } else {
      self = .other
    }
  }
}
