import PostgreSQL

/// The second half, which takes the old column away, and its way back.
extension ColumnChangeDraft {
  var condition: String {
    var rows = differ(column.newName, column.name)
    if case .retype(_, let using, let undo) = change.kind {
      // One of them may hold less than the other: it is enough that either is made of the other.
      let forth = using.map { "(\($0))" } ?? column.name
      let back = undo.map { "(\(renaming.replaced(in: $0)))" } ?? column.newName
      rows =
        differ(column.newName, "(\(forth))::\(column.newType)")
        + " AND " + differ(column.name, "(\(back))::\(column.type)")
    }
    return "\(seeAll)SELECT count(*) = 0 FROM \(column.table) WHERE \(rows)"
  }

  var contract: [String] {
    var sql = ["DROP TRIGGER \(column.trigger) ON \(column.table)", "DROP FUNCTION \(column.function)()"]
    if column.isRequired {
      sql += ["\(alter) ALTER \(column.newName) SET NOT NULL", "\(alter) DROP CONSTRAINT \(column.check)"]
    }
    sql += sequence(to: column.newName)
    if !column.others.isEmpty {
      let others = column.others.map { comment("\($0): give it \(column.newName) here") }
      // Some of them would go with the column without a word.
      sql.append(
        others.joined()
          + "DO $$ BEGIN RAISE EXCEPTION 'see to what depends on the old column, and take this statement out'; END $$"
      )
    }
    sql.append(
      "-- rivulet:allow destructive-change its values are in \(column.newName)\n"
        + "\(alter) DROP COLUMN \(column.name)")
    if isRetyped {
      sql.append(
        "-- rivulet:allow rename programs know it by this name\n"
          + "\(alter) RENAME COLUMN \(column.newName) TO \(column.name)")
    }
    if column.identity != nil, let sequence = column.sequence {
      sql.append("ALTER SEQUENCE \(sequence.newName) RENAME TO \(lastPart(sequence.name))")
    }
    if let value = change.defaultValue(of: column), column.isDefaultFit {
      sql.append("\(alter) ALTER \(lastName) SET DEFAULT \(value)")
    }
    for part in checks + unique {
      sql.append("\(alter) RENAME CONSTRAINT \(part.newName) TO \(part.name)")
    }
    for part in indexes { sql.append("ALTER INDEX \(inSchema(part.newName)) RENAME TO \(part.name)") }
    if let primary {
      let key =
        column.isPartitioned
        ? RenamedColumn(column: column.name, replacement: lastName).replaced(in: primary.definition)
        : "PRIMARY KEY USING INDEX \(primary.newName)\(delay(primary))"
      sql.append("\(alter) ADD CONSTRAINT \(primary.name) \(key)")
    }
    return sql
  }

  /// The statement that gives the sequence a type, where it is one for sequences.
  private func sequenceType(_ type: String) -> [String] {
    guard let sequence = column.sequence, isRetyped,
      ["smallint", "int2", "integer", "int", "int4", "bigint", "int8"].contains(type)
    else { return [] }
    return ["ALTER SEQUENCE \(sequence.name) AS \(type)"]
  }

  /// What gives the old column its numbers gives them to the new one.
  private func sequence(to new: String) -> [String] {
    guard let sequence = column.sequence else { return [] }
    guard let identity = column.identity else {
      let type = sequenceType(column.newType)
      return ["ALTER SEQUENCE \(sequence.name) OWNED BY \(column.table).\(new)"] + type
    }
    return [
      "\(alter) ALTER \(new) ADD GENERATED \(identity) AS IDENTITY (SEQUENCE NAME \(sequence.newName)\(sequence.options))",
      "SELECT setval(\(Quote.literal(sequence.newName)), last_value, is_called) FROM \(sequence.name)",
    ]
  }

  var back: [String] {
    var sql: [String] = []
    if isRetyped { sql.append("\(alter) RENAME COLUMN \(column.name) TO \(column.newName)") }
    sql += ["\(alter) ADD COLUMN \(column.name) \(column.type)"] + describe(column.name) + keepInStep
    sql += [
      "\(seeAll)UPDATE \(column.table) SET \(column.name) = \(column.name)",
      "SET CONSTRAINTS ALL IMMEDIATE",
    ]
    if column.defaultValue != nil && column.isDefaultFit {
      sql.append("\(alter) ALTER \(column.newName) DROP DEFAULT")
    }
    if let primary { sql.append("\(alter) DROP CONSTRAINT \(primary.name)") }
    if column.isRequired { sql += [check, "\(alter) ALTER \(column.name) SET NOT NULL"] }
    sql += sequenceBack
    if column.isRequired { sql.append("\(alter) ALTER \(column.newName) DROP NOT NULL") }
    if let value = column.defaultValue { sql.append("\(alter) ALTER \(column.name) SET DEFAULT \(value)") }
    for part in checks + unique {
      sql += [
        "\(alter) RENAME CONSTRAINT \(part.name) TO \(part.newName)",
        "\(alter) ADD CONSTRAINT \(part.name) \(part.definition)",
      ]
    }
    for part in indexes {
      sql += ["ALTER INDEX \(inSchema(part.name)) RENAME TO \(part.newName)", part.definition]
    }
    for part in unfit {
      let isIndex = part.kind == "i"
      sql.append(isIndex ? part.definition : "\(alter) ADD CONSTRAINT \(part.name) \(part.definition)")
    }
    if let primary {
      sql.append("\(alter) ADD CONSTRAINT \(primary.name) \(primary.definition)")
      if !column.isPartitioned { sql.append(index(primary, isLive: false)) }
    }
    return sql
  }

  private var sequenceBack: [String] {
    guard let sequence = column.sequence else { return [] }
    guard let identity = column.identity else {
      let type = sequenceType(sequence.type)
      return ["ALTER SEQUENCE \(sequence.name) OWNED BY \(column.table).\(column.name)"] + type
    }
    return [
      "ALTER SEQUENCE \(sequence.name) RENAME TO \(lastPart(sequence.newName))",
      "\(alter) ALTER \(column.name) ADD GENERATED \(identity) AS IDENTITY (SEQUENCE NAME \(sequence.name)\(sequence.options))",
      "SELECT setval(\(Quote.literal(sequence.name)), last_value, is_called) FROM \(sequence.newName)",
      "\(alter) ALTER \(column.newName) DROP IDENTITY",
    ]
  }
}
