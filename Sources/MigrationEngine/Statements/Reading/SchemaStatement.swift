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

  init(_ statement: SQLStatement) {
    self =
      CreateTable(statement).map { .createTable($0) } ?? CreateIndex(statement).map { .createIndex($0) }
      ?? CreateView(statement).map { .createView($0) } ?? AlterTable(statement).map { .alterTable($0) }
      ?? DropObjects(statement).map { .drop($0) } ?? DataChange(statement).map { .change($0) } ?? .other
  }

  /// The table that CREATE TABLE makes or ALTER TABLE changes.
  var table: SQLName? {
    switch self {
    case .createTable(let table): table.name
    case .alterTable(let alter): alter.name
    default: nil
    }
  }

  /// The constraints that CREATE TABLE and ALTER TABLE give a table, those of a column with it.
  var constraints: [(column: ColumnDefinition?, constraint: ConstraintDefinition)] {
    let ofColumn = { (column: ColumnDefinition) in column.constraints.map { (Optional(column), $0) } }
    switch self {
    case .createTable(let table): return table.constraints.map { (nil, $0) } + table.columns.flatMap(ofColumn)
    case .alterTable(let alter):
      return alter.actions.flatMap { action -> [(ColumnDefinition?, ConstraintDefinition)] in
        switch action.kind {
        case .addConstraint(let constraint): [(nil, constraint)]
        case .addColumn(let column): ofColumn(column)
        default: []
        }
      }
    default: return []
    }
  }
}

struct CreateIndex: Sendable {
  let name: String?
  let table: SQLName
  let tablePlace: Int
  let isUnique: Bool
  /// The columns it holds; what it holds of expressions is not among them.
  var columns: [String]
  /// Writers go on while it is built.
  let isConcurrent: Bool
  /// Of a partitioned table, nothing but the parent is touched.
  let isOnly: Bool

  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE") else { return nil }
    isUnique = cursor.take("UNIQUE")
    guard cursor.take("INDEX") else { return nil }
    isConcurrent = cursor.take("CONCURRENTLY")
    cursor.take("IF", "NOT", "EXISTS")
    name = cursor.word == "ON" ? nil : cursor.name()
    guard cursor.take("ON") else { return nil }
    isOnly = cursor.take("ONLY")
    tablePlace = cursor.place
    guard let table = cursor.qualifiedName() else { return nil }
    self.table = table
    if cursor.take("USING") { cursor.place += 1 }
    columns = cursor.nameList()
  }
}

struct CreateView: Sendable {
  let name: SQLName
  let isTemporary: Bool
  let query: Range<Int>

  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE") else { return nil }
    cursor.take("OR", "REPLACE")
    let kinds = cursor.place
    cursor.skip(["TEMP", "TEMPORARY", "RECURSIVE", "MATERIALIZED"])
    isTemporary = statement.words[kinds..<cursor.place].contains { $0.hasPrefix("TEMP") }
    guard cursor.take("VIEW") else { return nil }
    cursor.take("IF", "NOT", "EXISTS")
    guard let name = cursor.qualifiedName() else { return nil }
    self.name = name
    while let word = cursor.word, word != "AS" { cursor.skipItem() }
    query = min(cursor.place + 1, cursor.end)..<cursor.end
  }
}

/// DROP of tables, views and what else has a name.
struct DropObjects: Sendable {
  /// The kind in upper case: `TABLE`, `MATERIALIZED VIEW`.
  let kind: String
  let names: [SQLName]
  /// Nobody is kept waiting for it.
  let isConcurrent: Bool
  let isCascade: Bool

  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("DROP"), let first = cursor.word else { return nil }
    cursor.place += 1
    kind = first == "MATERIALIZED" || first == "FOREIGN" ? first + " " + (cursor.word ?? "") : first
    if kind != first { cursor.place += 1 }
    isConcurrent = cursor.take("CONCURRENTLY")
    cursor.take("IF", "EXISTS")
    isCascade = statement.words.last == "CASCADE"
    names = cursor.qualifiedNames()
  }
}

/// INSERT, UPDATE, DELETE or TRUNCATE at the head of a statement.
struct DataChange: Sendable {
  let verb: String
  let table: SQLName
  let place: Int
  /// Whether it has a WHERE of its own.
  let hasWhere: Bool
  /// Whether its rows come from other tables.
  let readsTables: Bool
  /// The tables that TRUNCATE names.
  let emptied: [SQLName]

  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    verb = cursor.word ?? ""
    switch verb {
    case "INSERT": guard cursor.take("INSERT", "INTO") else { return nil }
    case "UPDATE": cursor.place += 1
    case "DELETE": guard cursor.take("DELETE", "FROM") else { return nil }
    case "TRUNCATE":
      cursor.place += 1
      cursor.take("TABLE")
    default: return nil
    }
    emptied = verb == "TRUNCATE" ? DataChange.tables(cursor) : []
    cursor.take("ONLY")
    place = cursor.place
    guard let table = cursor.qualifiedName() else { return nil }
    self.table = table
    var outside: Set<String> = []
    while let word = cursor.word {
      outside.insert(word)
      cursor.skipItem()
    }
    hasWhere = outside.contains("WHERE")
    readsTables = outside.contains("FROM") || outside.contains("TABLE")
  }

  /// `a, ONLY b`.
  private static func tables(_ cursor: SQLCursor) -> [SQLName] {
    cursor.pieces().compactMap { piece in
      var cursor = SQLCursor(cursor.statement, piece)
      cursor.take("ONLY")
      return cursor.qualifiedName()
    }
  }
}

struct Reindex: Sendable {
  /// `INDEX`, `TABLE`, `SCHEMA`, `DATABASE` or `SYSTEM`.
  let kind: String
  /// What is rebuilt; nil where it is a whole database.
  let name: SQLName?
  /// Writers go on while it is rebuilt.
  let isConcurrent: Bool

  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("REINDEX") else { return nil }
    cursor.group()
    guard let kind = cursor.word else { return nil }
    self.kind = kind
    cursor.place += 1
    isConcurrent = cursor.take("CONCURRENTLY") || statement.isOn("CONCURRENTLY") == true
    name = cursor.qualifiedName()
  }
}
