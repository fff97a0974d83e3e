import SQLText

extension SchemaModel {
  mutating func replay(_ statement: SQLStatement, _ meaning: SchemaStatement) {
    placed.read(statement)
    logins.read(statement)
    switch meaning {
    case .createTable(let table): create(table, statement)
    case .createView(let view): create(view, statement)
    case .alterTable(let alter): for action in alter.actions { take(action.kind, of: alter.name, statement) }
    case .drop(let drop): self.drop(drop)
    case .createIndex(let index):
      guard let name = index.name else { return }
      indexes[key(SQLName(schema: index.table.schema, name))] = index
    case .change: break
    case .other: replayOther(statement)
    }
  }

  private mutating func create(_ definition: CreateTable, _ statement: SQLStatement) {
    var name = definition.name
    if definition.isTemporary { name.schema = "pg_temp" }
    if definition.isConditional && table(name) != nil { return }
    var table = Table(madeIn: current)
    table.isTemporary = definition.isTemporary
    table.isPartitioned = definition.isPartitioned
    if let parent = definition.parent {
      let parentKey = key(parent)
      table.columns = tables[parentKey]?.columns ?? [:]
      if definition.isDefaultPartition { tables[parentKey]?.hasDefaultPartition = true }
    }
    let key = key(name)
    tables[key] = table
    for column in definition.columns { add(column, to: key, statement) }
    for constraint in definition.constraints { add(constraint, to: key, statement) }
  }

  private mutating func create(_ definition: CreateView, _ statement: SQLStatement) {
    var name = definition.name
    if definition.isTemporary { name.schema = "pg_temp" }
    views[key(name)] = View(
      name: definition.name.description, words: SchemaModel.folded(statement, definition.query),
      madeIn: current)
  }

  private mutating func drop(_ definition: DropObjects) {
    for name in definition.names {
      if definition.isCascade { dropViews(over: name) }
      switch definition.kind {
      case "TABLE", "FOREIGN TABLE": tables[key(name)] = nil
      case "VIEW", "MATERIALIZED VIEW": views[key(name)] = nil
      case "SCHEMA":
        tables = tables.filter { !$0.key.hasPrefix(name.name + ".") }
        views = views.filter { !$0.key.hasPrefix(name.name + ".") }
      case "TYPE": enums[key(name)] = nil
      default: break
      }
    }
  }

  private mutating func dropViews(over name: SQLName) {
    for (key, view) in views where view.names(name) && views.removeValue(forKey: key) != nil {
      dropViews(
        over: SQLName(schema: String(key.prefix { $0 != "." }), String(key.drop { $0 != "." }.dropFirst())))
    }
  }

  private mutating func take(_ action: AlterTable.Kind, of name: SQLName, _ statement: SQLStatement) {
    let key = key(name)
    switch action {
    case .addColumn(let column): add(column, to: key, statement)
    case .dropColumn(let column): tables[key]?.columns[column] = nil
    case .addConstraint(let constraint): add(constraint, to: key, statement)
    case .dropConstraint(let name): tables[key]?.checks.removeAll { $0.name == name }
    case .validateConstraint(let name):
      for place in tables[key]?.checks.indices ?? 0..<0 where tables[key]?.checks[place].name == name {
        tables[key]?.checks[place].isValid = true
      }
    case .renameColumn(let old, let new):
      let column = tables[key]?.columns.removeValue(forKey: old)
      tables[key]?.columns[new] = column
      for (place, check) in (tables[key]?.checks ?? []).enumerated() {
        tables[key]?.checks[place].condition = check.condition.map { $0 == old ? new : $0 }
      }
      for (name, index) in indexes where self.key(index.table) == key {
        indexes[name]?.columns = index.columns.map { $0 == old ? new : $0 }
      }
    case .rename(let new): move(key, to: SQLName(schema: name.schema, new))
    case .setSchema(let schema): move(key, to: SQLName(schema: schema, name.name))
    case .setNotNull(let column): tables[key]?.columns[column]?.isNotNull = true
    case .dropNotNull(let column): tables[key]?.columns[column]?.isNotNull = false
    case .setType(let change):
      tables[key]?.columns[change.column]?.type = change.type
      tables[key]?.columns[change.column]?.collation = change.collation?.name
    case .attachPartition(_, let isDefault): if isDefault { tables[key]?.hasDefaultPartition = true }
    case .enforceConstraint, .renameConstraint, .setExpression, .setStatistics, .setColumnParameters,
      .addIdentity, .rewrite,
      .detachPartition, .setParameters, .other:
      break
    }
  }

  private mutating func add(_ column: ColumnDefinition, to key: String, _ statement: SQLStatement) {
    tables[key]?.columns[column.name] = Column(
      type: column.type?.stored, collation: column.collation?.name, isNotNull: column.isNotNull,
      madeIn: current)
    for constraint in column.constraints { add(constraint, to: key, statement) }
  }

  private mutating func add(_ constraint: ConstraintDefinition, to key: String, _ statement: SQLStatement) {
    switch constraint.kind {
    case .check:
      let condition = constraint.expression.map { SchemaModel.folded(statement, $0) } ?? []
      tables[key]?.checks.append(
        Check(name: constraint.name, condition: condition, isValid: !constraint.isNotValid))
    case .primaryKey, .notNull:
      for column in constraint.columns { tables[key]?.columns[column]?.isNotNull = true }
    default: break
    }
  }

  private mutating func move(_ old: String, to name: SQLName) {
    let new = key(name)
    tables[new] = tables.removeValue(forKey: old)
    views[new] = views.removeValue(forKey: old)
  }

  private mutating func replayOther(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    if cursor.take("CREATE", "TYPE") {
      guard let name = cursor.qualifiedName(), cursor.take("AS", "ENUM") else { return }
      enums[key(name)] = current
    } else if cursor.take("CREATE", "DOMAIN") {
      guard let name = cursor.qualifiedName() else { return }
      domains[key(name)] = current
      let isChecked = cursor.columnConstraints().contains { $0.kind == .check || $0.kind == .notNull }
      if isChecked { checkedDomains.insert(name.description) }
    } else if cursor.take("CREATE", "FUNCTION") || cursor.take("CREATE", "OR", "REPLACE", "FUNCTION") {
      guard let name = cursor.qualifiedName() else { return }
      let words = statement.words
      functions[name.name] = words.contains("IMMUTABLE") || words.contains("STABLE")
    } else if statement.words.first == "SET" {
      replaySet(statement)
    } else if statement.begins(with: "SELECT"), let into = statement.words.firstIndex(of: "INTO") {
      cursor.place = into + 1
      cursor.skip(["TABLE", "UNLOGGED", "TEMP", "TEMPORARY"])
      guard let name = cursor.qualifiedName() else { return }
      tables[key(name)] = Table(madeIn: current)
    }
  }

  private mutating func replaySet(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    cursor.take("SET")
    cursor.skip(["LOCAL", "SESSION"])
    guard cursor.take("SEARCH_PATH"), cursor.take("TO") || cursor.take("="), let word = cursor.word else {
      return
    }
    searchPath = word.hasPrefix("'") ? word.filter { $0 != "'" } : cursor.name()
  }
}
