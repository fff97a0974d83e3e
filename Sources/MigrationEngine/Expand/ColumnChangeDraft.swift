public import PostgreSQL
import SQLText

/// The file of a migration of two halves that changes a column, drafted.
///
/// The first half adds a column beside the old one, and a trigger that keeps both in step whichever of them a
/// program writes; the second one takes the old column away.
struct ColumnChangeDraft {
  let change: ColumnChange
  let column: ChangedColumn

  /// The whole file.
  var text: String {
    var text = head + "\n-- rivulet:expand transaction=off\n" + lines(expand)
    text += "-- rivulet:down\n"
    text += lines([
      "DROP TRIGGER \(column.trigger) ON \(column.table)", "DROP FUNCTION \(column.function)()",
      "\(alter) DROP COLUMN \(column.newName)",
    ])
    text += "\n-- rivulet:contract\n" + lines(contract) + "-- rivulet:down\n" + lines(back)
    return text + "-- rivulet:require\n" + lines([condition])
  }

  private var isRetyped: Bool { if case .retype = change.kind { true } else { false } }
  private var alter: String { "ALTER TABLE \(column.table)" }
  /// What the new column is called at the end.
  private var lastName: String { isRetyped ? column.name : column.newName }
  private var fit: [ChangedColumn.Part] { column.parts.filter { !column.unfit.contains($0.name) } }
  private var unfit: [ChangedColumn.Part] { column.parts.filter { column.unfit.contains($0.name) } }
  private var checks: [ChangedColumn.Part] { fit.filter { ["c", "f"].contains($0.kind) } }
  private var unique: [ChangedColumn.Part] { fit.filter { $0.kind == "u" } }
  private var primary: ChangedColumn.Part? { fit.first { $0.kind == "p" } }
  private var indexes: [ChangedColumn.Part] { fit.filter { $0.kind == "i" } }

  private var head: String {
    var lines = [
      "\(change.words): until the second half, \(column.name) and \(column.newName) are kept in step.",
      "Drafted: look through it before it is applied anywhere.",
    ]
    if !column.triggers.isEmpty {
      lines.append(
        "The copying runs other triggers, for each row: \(column.triggers.joined(separator: ", ")).")
    }
    for part in unfit {
      lines.append(
        "\(part.name) does not fit the new type, and goes with the old column: write one that does.")
    }
    if column.key.isEmpty {
      lines.append("No key tells the rows apart: all of them are copied at once.")
    }
    return lines.map { "-- \($0)\n" }.joined()
  }

  // MARK: The first half

  private var expand: [String] {
    var sql = ["\(alter) ADD COLUMN \(column.newName) \(column.newType)"] + describe(column.newName)
    sql += keepInStep + copying(column.key.isEmpty)
    if column.isRequired { sql += [check + " NOT VALID", validate(column.check)] }
    for part in checks {
      sql += ["\(alter) ADD CONSTRAINT \(part.newName) \(renamed(part)) NOT VALID", validate(part.newName)]
    }
    for part in indexes { sql.append(index(part, isLive: true)) }
    for part in unique { sql += uniqueness(part) }
    // A table has one primary key.
    if let primary, !column.isPartitioned { sql.append(index(primary, isLive: true)) }
    return sql
  }

  private func uniqueness(_ part: ChangedColumn.Part) -> [String] {
    // A table with partitions takes no index that is there.
    if column.isPartitioned { return ["\(alter) ADD CONSTRAINT \(part.newName) \(renamed(part))"] }
    let add = "\(alter) ADD CONSTRAINT \(part.newName) UNIQUE USING INDEX \(part.newName)\(delay(part))"
    return [index(part, isLive: true), add]
  }

  private var check: String {
    "\(alter) ADD CONSTRAINT \(column.check) CHECK (\(column.newName) IS NOT NULL)"
  }

  private func validate(_ constraint: String) -> String { "\(alter) VALIDATE CONSTRAINT \(constraint)" }

  /// The comment of a column, and what is granted on it alone.
  private func describe(_ name: String) -> [String] {
    let comment = column.comment.map {
      "COMMENT ON COLUMN \(column.table).\(name) IS \(Quote.literal($0))"
    }
    return [comment].compactMap(\.self)
      + column.grants.map { grant in
        "GRANT \(grant.privilege) (\(name)) ON \(column.table) TO \(grant.role)"
          + (grant.isGrantable ? " WITH GRANT OPTION" : "")
      }
  }

  private var keepInStep: [String] {
    let (old, new) = ("NEW.\(column.name)", "NEW.\(column.newName)")
    var (forth, back) = (old, new)
    if case .retype(_, let using, let undo) = change.kind {
      if let using { forth = RenamedColumn(column: column.name, replacement: old).replaced(in: using) }
      if let undo { back = RenamedColumn(column: column.name, replacement: new).replaced(in: undo) }
    }
    return [
      """
      CREATE FUNCTION \(column.function)() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' AND \(new) IS NOT NULL
          OR TG_OP = 'UPDATE' AND \(isChanged(column.newName)) THEN
          \(old) := \(back);
        ELSIF \(new) IS NULL OR TG_OP = 'UPDATE' AND \(isChanged(column.name)) THEN
          \(new) := \(forth);
        ELSIF \(old) IS NULL THEN
          \(old) := \(back);
        END IF;
        RETURN NEW;
      END $$
      """,
      """
      CREATE TRIGGER \(column.trigger) BEFORE INSERT OR UPDATE ON \(column.table)
        FOR EACH ROW EXECUTE FUNCTION \(column.function)()
      """,
    ]
  }

  private func isChanged(_ name: String) -> String { "NEW.\(text(name)) IS DISTINCT FROM OLD.\(text(name))" }

  /// A column in a form that can be compared.
  private func text(_ name: String) -> String { column.isComparable ? name : "\(name)::text" }

  /// The trigger copies.
  private func copying(_ isAtOnce: Bool) -> [String] {
    let rows = "\(column.newName) IS NULL AND \(column.name) IS NOT NULL"
    let update = "UPDATE \(column.table) SET \(column.newName) = \(column.newName)"
    if isAtOnce { return ["\(update) WHERE \(rows)"] }
    let key = column.key.joined(separator: ", ")
    let mark = "-- rivulet:batch \(column.table) \(column.key.count == 1 ? key : "(\(key))") 10000\n"
    return ["\(mark)\(update) WHERE {batch} AND \(rows)"]
  }

  // MARK: The second half

  private var condition: String {
    let rows =
      isRetyped
      ? "\(column.newName) IS NULL AND \(column.name) IS NOT NULL"
      : "\(text(column.newName)) IS DISTINCT FROM \(text(column.name))"
    return "SELECT count(*) = 0 FROM \(column.table) WHERE \(rows)"
  }

  private var contract: [String] {
    var sql = ["DROP TRIGGER \(column.trigger) ON \(column.table)", "DROP FUNCTION \(column.function)()"]
    if column.isRequired {
      sql += ["\(alter) ALTER \(column.newName) SET NOT NULL", "\(alter) DROP CONSTRAINT \(column.check)"]
    }
    sql += sequenceTo(column.newName, from: column.name)
    let others = column.others.map {
      "-- \($0): give it \(column.newName) here; it keeps the column from going\n"
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

  /// What makes a constraint wait for the end of a transaction.
  private func delay(_ part: ChangedColumn.Part) -> String {
    part.definition.firstRange(of: " DEFERRABLE").map { String(part.definition[$0.lowerBound...]) } ?? ""
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

  // MARK: Its way back

  private var back: [String] {
    var sql: [String] = []
    if isRetyped { sql.append("\(alter) RENAME COLUMN \(column.name) TO \(column.newName)") }
    sql += ["\(alter) ADD COLUMN \(column.name) \(column.type)"] + describe(column.name) + keepInStep
    sql += [
      "UPDATE \(column.table) SET \(column.name) = \(column.name)",
      "SET CONSTRAINTS ALL IMMEDIATE",
    ]
    if column.defaultValue != nil { sql.append("\(alter) ALTER \(column.newName) DROP DEFAULT") }
    if let primary { sql.append("\(alter) DROP CONSTRAINT \(primary.name)") }
    if column.isRequired {
      sql += [
        check, "\(alter) ALTER \(column.newName) DROP NOT NULL", "\(alter) ALTER \(column.name) SET NOT NULL",
      ]
    }
    if column.identity != nil, let sequence = column.sequence {
      sql += [
        "ALTER SEQUENCE \(sequence.name) RENAME TO \(lastPart(sequence.new))",
        "\(alter) ALTER \(column.name) ADD GENERATED \(column.identity ?? "") AS IDENTITY (SEQUENCE NAME \(sequence.name))",
        "SELECT setval(\(Quote.literal(sequence.name)), last_value, is_called) FROM \(sequence.new)",
        "\(alter) ALTER \(column.newName) DROP IDENTITY",
      ]
    } else if let sequence = column.sequence {
      sql.append("ALTER SEQUENCE \(sequence.name) OWNED BY \(column.table).\(column.name)")
    }
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

  // MARK: Pieces

  /// The statement that makes an index, or that of a key, on the new column.
  private func index(_ part: ChangedColumn.Part, isLive: Bool) -> String {
    let definition = part.index ?? part.definition
    guard let using = definition.firstRange(of: " USING ") else { return definition }
    let head =
      part.kind == "i" && !definition.hasPrefix("CREATE UNIQUE") ? "CREATE INDEX" : "CREATE UNIQUE INDEX"
    let how = isLive && !column.isPartitioned ? " CONCURRENTLY" : ""
    return "\(head)\(how) \(part.newName) ON \(column.table)"
      + renaming.replaced(in: String(definition[using.lowerBound...]))
  }

  private var renaming: RenamedColumn { column.renaming }

  /// A constraint's definition on the new column; what a key refers to is another table's.
  private func renamed(_ part: ChangedColumn.Part) -> String {
    let end = part.definition.firstRange(of: " REFERENCES ")?.lowerBound ?? part.definition.endIndex
    let text = renaming.replaced(in: String(part.definition[..<end])) + part.definition[end...]
    return text.replacing(" NOT VALID", with: "")
  }

  /// A name in the table's schema.
  private func inSchema(_ name: String) -> String {
    column.table.dropLast(lastPart(column.table).count) + name
  }

  private func lastPart(_ name: String) -> String {
    guard let parsed = SQLName(quoted: name), let schema = parsed.schema else { return name }
    let quoted = name.hasPrefix("\"") ? Quote.identifier(schema).count : schema.count
    return String(name.dropFirst(quoted + 1))
  }

  private func lines(_ statements: [String]) -> String { statements.map { $0 + ";\n" }.joined() }
}

extension ColumnChange {
  /// The text of a migration of two halves that makes the change, drafted; the database is only read.
  ///
  /// - Throws: `MigrationError.unusableColumn` where it cannot be changed so, and `PostgreSQLError`.
  public func draft(on connection: Connection) throws -> String {
    let place = try ChangedColumn.place(of: self, on: connection)
    return try CatalogReader.lend(on: connection, leavingOut: []) { reader in
      ColumnChangeDraft(change: self, column: try ChangedColumn(self, place, on: reader.connection)).text
    }
  }
}
