import PostgreSQL

/// The second half, which takes the old column away, and its way back.
extension ColumnChangeDraft {
  var condition: String {
    let rows =
      isRetyped
      ? "\(column.newName) IS NULL AND \(column.name) IS NOT NULL"
      : "\(comparable(column.newName)) IS DISTINCT FROM \(comparable(column.name))"
    return "SELECT count(*) = 0 FROM \(column.table) WHERE \(rows)"
  }

  var contract: [String] {
    var sql = ["DROP TRIGGER \(column.trigger) ON \(column.table)", "DROP FUNCTION \(column.function)()"]
    if column.isRequired {
      sql += ["\(alter) ALTER \(column.newName) SET NOT NULL", "\(alter) DROP CONSTRAINT \(column.check)"]
    }
    sql += sequenceTo(column.newName, from: column.name)
    let others = column.others.map {
      comment("\($0): give it \(column.newName) here; it keeps the column from going")
    }
    sql.append(
      others.joined() + "-- rivulet:allow destructive-change its values are in \(column.newName)\n"
        + "\(alter) DROP COLUMN \(column.name)")
    if isRetyped {
      sql.append(
        "-- rivulet:allow rename programs know it by this name\n"
          + "\(alter) RENAME COLUMN \(column.newName) TO \(column.name)")
    }
    if column.identity != nil, let sequence = column.sequence {
      sql.append("ALTER SEQUENCE \(sequence.new) RENAME TO \(lastPart(sequence.name))")
    }
    if let value = column.defaultValue {
      sql.append(
        "\(alter) ALTER \(lastName) SET DEFAULT \(isRetyped ? "(\(value))::\(column.newType)" : value)")
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

  /// From one of the columns to the other: what gives it its numbers.
  private func sequenceTo(_ new: String, from old: String) -> [String] {
    guard let sequence = column.sequence else { return [] }
    guard let identity = column.identity else {
      return ["ALTER SEQUENCE \(sequence.name) OWNED BY \(column.table).\(new)"]
    }
    return [
      "\(alter) ALTER \(new) ADD GENERATED \(identity) AS IDENTITY (SEQUENCE NAME \(sequence.new))",
      "SELECT setval(\(Quote.literal(sequence.new)), last_value, is_called) FROM \(sequence.name)",
    ]
  }

  var back: [String] {
    var sql: [String] = []
    if isRetyped { sql.append("\(alter) RENAME COLUMN \(column.name) TO \(column.newName)") }
    sql += ["\(alter) ADD COLUMN \(column.name) \(column.type)"] + describe(column.name) + keepInStep
    sql += [
      "UPDATE \(column.table) SET \(column.name) = \(column.name)",
      "SET CONSTRAINTS ALL IMMEDIATE",
    ]
    if column.defaultValue != nil { sql.append("\(alter) ALTER \(column.newName) DROP DEFAULT") }
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
      return ["ALTER SEQUENCE \(sequence.name) OWNED BY \(column.table).\(column.name)"]
    }
    return [
      "ALTER SEQUENCE \(sequence.name) RENAME TO \(lastPart(sequence.new))",
      "\(alter) ALTER \(column.name) ADD GENERATED \(identity) AS IDENTITY (SEQUENCE NAME \(sequence.name))",
      "SELECT setval(\(Quote.literal(sequence.name)), last_value, is_called) FROM \(sequence.new)",
      "\(alter) ALTER \(column.newName) DROP IDENTITY",
    ]
  }
}
