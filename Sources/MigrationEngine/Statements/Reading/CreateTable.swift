import SQLText

struct CreateTable: Sendable {
  let name: SQLName
  let place: Int
  var isTemporary = false
  /// It may be there already.
  var isConditional = false
  var columns: [ColumnDefinition] = []
  var constraints: [ConstraintDefinition] = []
  var isPartitioned = false
  /// The table it is a part of.
  var parent: SQLName?
  /// It takes the rows that no other part takes.
  var isDefaultPartition = false
}

extension CreateTable {
  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE") else { return nil }
    let kinds = cursor.place
    cursor.skip(["GLOBAL", "LOCAL", "TEMPORARY", "TEMP", "UNLOGGED", "FOREIGN"])
    let isTemporary = statement.words[kinds..<cursor.place].contains { $0.hasPrefix("TEMP") }
    guard cursor.take("TABLE") else { return nil }
    let isConditional = cursor.take("IF", "NOT", "EXISTS")
    let place = cursor.place
    guard let name = cursor.qualifiedName() else { return nil }
    self.init(name: name, place: place, isTemporary: isTemporary, isConditional: isConditional)
    if cursor.take("PARTITION", "OF") { parent = cursor.qualifiedName() }
    cursor.take("OF")
    if let body = cursor.group() { read(body, of: statement) }
    readTail(&cursor)
  }

  private mutating func read(_ body: Range<Int>, of statement: SQLStatement) {
    for piece in SQLCursor(statement, body).pieces() {
      var cursor = SQLCursor(statement, piece)
      if cursor.word == "LIKE" { continue }
      if let constraint = cursor.tableConstraint() {
        constraints.append(constraint)
      } else if let column = cursor.column() {
        columns.append(column)
      }
    }
  }

  private mutating func readTail(_ cursor: inout SQLCursor) {
    while let word = cursor.word {
      switch word {
      case "PARTITION" where cursor.peek(1) == "BY": isPartitioned = true
      case "DEFAULT" where parent != nil: isDefaultPartition = true
      case "AS":
        columns = []
        return
      default: break
      }
      cursor.skipItem()
    }
  }
}
