import PostgreSQL

/// The first half: a column more, and what keeps it in step.
extension ColumnChangeDraft {
  var expand: [String] {
    var sql = ["\(alter) ADD COLUMN \(column.newName) \(column.newType)"] + describe(column.newName)
    sql += keepInStep + copying(column.key.isEmpty)
    if column.isRequired { sql += [check + " NOT VALID", validate(column.check)] }
    for part in checks {
      let add = "\(alter) ADD CONSTRAINT \(part.newName) \(renamed(part))"
      // Until version 18 a table with partitions takes no foreign key that is not valid.
      let isWhole = column.isPartitioned && part.kind == "f"
      sql += isWhole ? [add] : [add + " NOT VALID", validate(part.newName)]
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

  var check: String {
    "\(alter) ADD CONSTRAINT \(column.check) CHECK (\(column.newName) IS NOT NULL)"
  }

  private func validate(_ constraint: String) -> String { "\(alter) VALIDATE CONSTRAINT \(constraint)" }

  /// The comment of a column, and what is granted on it alone.
  func describe(_ name: String) -> [String] {
    let comment = column.comment.map {
      "COMMENT ON COLUMN \(column.table).\(name) IS \(Quote.literal($0))"
    }
    return [comment].compactMap(\.self)
      + column.grants.map { grant in
        "GRANT \(grant.privilege) (\(name)) ON \(column.table) TO \(grant.role)"
          + (grant.isGrantable ? " WITH GRANT OPTION" : "")
      }
  }

  var keepInStep: [String] {
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

  private func isChanged(_ name: String) -> String {
    "NEW.\(comparable(name)) IS DISTINCT FROM OLD.\(comparable(name))"
  }

  /// A column in a form that can be compared.
  func comparable(_ name: String) -> String { column.isComparable ? name : "\(name)::text" }

  /// The trigger copies.
  private func copying(_ isAtOnce: Bool) -> [String] {
    let rows = "\(column.newName) IS NULL AND \(column.name) IS NOT NULL"
    let update = "UPDATE \(column.table) SET \(column.newName) = \(column.newName)"
    if isAtOnce { return ["\(update) WHERE \(rows)"] }
    let key = column.key.joined(separator: ", ")
    let mark = "-- rivulet:batch \(column.table) \(column.key.count == 1 ? key : "(\(key))") 10000\n"
    return ["-- The trigger copies.\n\(mark)\(update) WHERE {batch} AND \(rows)"]
  }
}
