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
      sql.append(isWhole ? add : add + " NOT VALID")
      if !isWhole && isValid(part) { sql.append(validate(part.newName)) }
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
      "COMMENT ON COLUMN \(column.table).\(name) IS \(inOneLine($0))"
    }
    return [comment].compactMap(\.self)
      + column.grants.map { grant in
        "GRANT \(grant.privilege) (\(name)) ON \(column.table) TO \(grant.role)"
          + (grant.isGrantable ? " WITH GRANT OPTION" : "")
      }
  }

  /// A literal in which no line can begin a section.
  private func inOneLine(_ text: String) -> String {
    guard text.contains(where: \.isNewline) else { return Quote.literal(text) }
    return "E'"
      + text.replacing("\\", with: "\\\\").replacing("'", with: "''")
      .replacing("\r\n", with: "\\r\\n").replacing("\n", with: "\\n").replacing("\r", with: "\\r") + "'"
  }

  var keepInStep: [String] {
    let (old, new) = ("NEW.\(column.name)", "NEW.\(column.newName)")
    var (forth, back, path) = (old, new, "")
    if case .retype(_, let using, let undo) = change.kind {
      if let using { forth = RenamedColumn(column: column.name, replacement: old).replaced(in: using) }
      if let undo { back = RenamedColumn(column: column.name, replacement: new).replaced(in: undo) }
      // What they call is looked for where it was when this was drafted.
      if using != nil || undo != nil { path = " SET search_path FROM CURRENT" }
    }
    return [
      """
      CREATE FUNCTION \(column.function)() RETURNS trigger LANGUAGE plpgsql\(path) AS $rivulet$
      BEGIN
        -- Values are compared as they are stored: those that are equal need not be the same.
        IF TG_OP = 'INSERT' AND \(new) IS DISTINCT FROM NULL
          OR TG_OP = 'UPDATE' AND \(isChanged(column.newName)) THEN
          \(old) := \(back);
        ELSIF \(new) IS NOT DISTINCT FROM NULL OR TG_OP = 'UPDATE' AND \(isChanged(column.name)) THEN
          \(new) := \(forth);
        ELSIF \(old) IS NOT DISTINCT FROM NULL THEN
          \(old) := \(back);
        END IF;
        RETURN NEW;
      END $rivulet$
      """,
      """
      CREATE TRIGGER \(column.trigger) BEFORE INSERT OR UPDATE ON \(column.table)
        FOR EACH ROW EXECUTE FUNCTION \(column.function)()
      """,
    ]
  }

  private func isChanged(_ name: String) -> String {
    differ("NEW.\(name)", "OLD.\(name)")
  }

  /// Whether two values of one type are not the same, whatever the type takes for equal, and if it has no
  /// equality.
  func differ(_ one: String, _ other: String) -> String {
    "record_image_ne(ROW(\(one)), ROW(\(other)))"
  }

  /// What hides no row from the copying: the server then refuses it to who may not see all.
  var seeAll: String { column.hasPolicies ? "SET row_security = off;\n" : "" }

  /// The trigger copies.
  private func copying(_ isAtOnce: Bool) -> [String] {
    let rows = "\(column.newName) IS NOT DISTINCT FROM NULL AND \(column.name) IS DISTINCT FROM NULL"
    let update = "UPDATE \(column.table) SET \(column.newName) = \(column.newName)"
    if isAtOnce { return ["\(seeAll)\(update) WHERE \(rows)"] }
    let key = column.key.joined(separator: ", ")
    let mark = "-- rivulet:batch \(column.table) \(column.key.count == 1 ? key : "(\(key))") 10000\n"
    return ["\(seeAll)-- The trigger copies.\n\(mark)\(update) WHERE {batch} AND \(rows)"]
  }
}
