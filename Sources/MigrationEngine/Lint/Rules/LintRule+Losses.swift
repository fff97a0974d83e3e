import SQLText

extension LintRule {
  /// Finds what takes rows or values away that were there before.
  static let destructiveChange = LintRule(
    name: "destructive-change",
    reason:
      "DROP TABLE, DROP COLUMN, DROP SCHEMA and DROP TYPE with CASCADE, and TRUNCATE take rows and values away, and no "
      + "way back brings them again. `migrate plan` says how many rows there are now. Looked for in the section `up`: what a `down` takes "
      + "away, `migrate down --dry-run` counts.",
    fix:
      "see that no program reads it and that it is kept elsewhere or needed by nobody, and say so in an allow; what "
      + "programs may still read goes behind '-- rivulet:contract', which waits for 'rivulet migrate contract'"
  ) { subject in
    let model = subject.model
    switch subject.meaning {
    case .drop(let drop) where drop.kind == "TABLE":
      return remark(on: drop.names.filter(model.isExisting)) { "the rows of \($0) are gone for good" }
    case .drop(let drop) where drop.kind == "SCHEMA" && drop.isCascade:
      let made = subject.earlier.compactMap(LintRule.schema)
      return remark(on: drop.names.filter { !made.contains($0.name) }) {
        "whatever is in schema \($0) is gone for good, tables with their rows too"
      }
    case .drop(let drop) where ["TYPE", "DOMAIN"].contains(drop.kind) && drop.isCascade:
      return remark(on: drop.names) { "the values of all columns of type \($0) are gone for good" }
    case .change(let change) where change.verb == "TRUNCATE":
      return remark(on: change.emptied.filter(model.isExisting)) { "the rows of \($0) are gone for good" }
    default:
      guard let alter = subject.existingAlter else { return [] }
      let columns = model.table(alter.name)?.columns
      return alter.remarks { kind in
        guard case .dropColumn(let column) = kind, columns?[column]?.madeIn != model.current else {
          return nil
        }
        return "the values of \(alter.name).\(column) are gone for good"
      }
    }
  }

  /// The schema that a statement makes.
  private static func schema(_ statement: SQLStatement) -> String? {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE", "SCHEMA") else { return nil }
    cursor.skip(["IF", "NOT", "EXISTS"])
    return cursor.name()
  }

  /// One remark on the statement that names all of them; none where there are none.
  private static func remark(on names: [SQLName], _ message: (String) -> String) -> [LintRemark] {
    names.isEmpty ? [] : [LintRemark(0, message(names.map(\.description).joined(separator: ", ")))]
  }

  /// Finds new types that do not hold all values of the old one.
  static let narrowingTypeChange = LintRule(
    name: "narrowing-type-change",
    reason:
      "A type that holds less than the old one (varchar(50) to varchar(20), bigint to integer, a smaller precision or "
      + "scale, timestamp to date, text to varchar(n)) fails on a value that does not fit, or cuts or rounds it, and no "
      + "way back brings the rest again. The old type is taken from earlier migrations.",
    fix:
      "first look for values that do not fit; where there are none, or what they lose is not needed, say so in an "
      + "allow"
  ) { subject in
    guard let alter = subject.existingAlter else { return [] }
    let table = subject.model.table(alter.name)
    return alter.remarks { kind in
      guard case .setType(let change) = kind, let new = change.type,
        let old = table?.columns[change.column]?.type, new.isNarrower(than: old)
      else { return nil }
      return
        "values of \(alter.name).\(change.column) that do not fit make this fail or lose what is over: it is \(old), and becomes \(new)"
    }
  }
}
