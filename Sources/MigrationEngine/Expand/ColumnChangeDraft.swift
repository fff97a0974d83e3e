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

  var isRetyped: Bool { if case .retype = change.kind { true } else { false } }
  var alter: String { "ALTER TABLE \(column.table)" }
  /// What the new column is called at the end.
  var lastName: String { isRetyped ? column.name : column.newName }
  var fit: [ChangedColumn.Part] { column.parts.filter { !column.unfit.contains($0.name) } }
  var unfit: [ChangedColumn.Part] { column.parts.filter { column.unfit.contains($0.name) } }
  var checks: [ChangedColumn.Part] { fit.filter { ["c", "f"].contains($0.kind) } }
  var unique: [ChangedColumn.Part] { fit.filter { $0.kind == "u" } }
  var primary: ChangedColumn.Part? { fit.first { $0.kind == "p" } }
  var indexes: [ChangedColumn.Part] { fit.filter { $0.kind == "i" } }

  private var head: String {
    var lines = [
      "\(change.words): until the second half, \(column.name) and \(column.newName) are kept in step.",
      "Drafted: look through it before it is applied anywhere.",
    ]
    if !column.triggers.isEmpty {
      lines += [
        "The copying runs other triggers, for each row: \(column.triggers.joined(separator: ", ")).",
        "Change those that use \(column.name), with each half.",
      ]
    }
    for part in unfit {
      lines.append(
        "\(part.name) is about values of the old type, and goes with the old column: write one that fits.")
    }
    if !unique.isEmpty {
      lines.append(
        "Between the halves, programs at once that INSERT ... ON CONFLICT (\(column.name)) may fail with 23505."
      )
    }
    if !column.isDefaultFit {
      lines.append("The default does not fit the new type, and goes with the old column: give it another.")
    }
    if column.key.isEmpty {
      lines.append("No key tells the rows apart: all of them are copied at once.")
    }
    return lines.map(comment).joined()
  }

  /// A line for people; a name may have any character in it.
  func comment(_ text: String) -> String {
    "-- \(text.replacing("\n", with: " ").replacing("\r", with: " "))\n"
  }

  // MARK: Pieces

  /// The statement that makes an index, or that of a key, on the new column.
  func index(_ part: ChangedColumn.Part, isLive: Bool) -> String {
    let definition = part.index ?? part.definition
    guard let using = definition.firstRange(of: " ON \(column.table) USING ") else { return definition }
    let head =
      part.kind == "i" && !definition.hasPrefix("CREATE UNIQUE") ? "CREATE INDEX" : "CREATE UNIQUE INDEX"
    let how = isLive && !column.isPartitioned ? " CONCURRENTLY" : ""
    return "\(head)\(how) \(part.newName) ON \(column.table) USING "
      + renaming.replaced(in: String(definition[using.upperBound...]))
  }

  var renaming: RenamedColumn { column.renaming }

  /// A constraint's definition on the new column; what a key refers to is another table's.
  func renamed(_ part: ChangedColumn.Part) -> String {
    let text = isValid(part) ? part.definition : String(part.definition.dropLast(notValid.count))
    guard part.kind == "f", let end = text.firstRange(of: ") REFERENCES ")?.lowerBound else {
      return renaming.replaced(in: text)
    }
    return renaming.replaced(in: String(text[..<end])) + text[end...]
  }

  func isValid(_ part: ChangedColumn.Part) -> Bool { !part.definition.hasSuffix(notValid) }

  private var notValid: String { " NOT VALID" }

  /// What makes a constraint wait for the end of a transaction.
  func delay(_ part: ChangedColumn.Part) -> String {
    part.definition.firstRange(of: " DEFERRABLE").map { String(part.definition[$0.lowerBound...]) } ?? ""
  }

  /// A name in the table's schema.
  func inSchema(_ name: String) -> String {
    column.table.dropLast(lastPart(column.table).count) + name
  }

  func lastPart(_ name: String) -> String {
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
    let place = try place(on: connection)
    return try CatalogReader.lend(on: connection, leavingOut: []) { reader in
      ColumnChangeDraft(change: self, column: try ChangedColumn(self, place, on: reader.connection)).text
    }
  }
}
