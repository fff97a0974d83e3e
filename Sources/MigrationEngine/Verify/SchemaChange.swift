/// The draft of a section that leads from one schema to another: SQL, as far as that can be written by rule, and
/// comments on the rest.
struct SchemaChange {
  let from: (snapshot: SchemaSnapshot, statements: SchemaStatements)
  let to: (snapshot: SchemaSnapshot, statements: SchemaStatements)

  /// The statements, each with its semicolon.
  var sql: String {
    let differences = from.snapshot.differences(to: to.snapshot)
    let parts = Dictionary(grouping: differences, by: step)
    let altered = { (step: Step) in (parts[step] ?? []).compactMap(self.altered) }
    let lines =
      altered(.goneConstraint) + dropped(differences, first: true) + made(first: true) + altered(.newColumn)
      + made(first: false) + altered(.other) + altered(.goneColumn) + dropped(differences, first: false)
    return lines.map { $0 + "\n" }.joined()
  }

  /// Changes of what stays, in an order in which nothing is missing that another needs.
  private enum Step {
    case goneConstraint, newColumn, other, goneColumn
  }

  private func step(_ difference: SchemaDifference) -> Step {
    guard let part = owner(of: difference)?.part else { return .other }
    switch difference.change {
    case .added where part.hasPrefix("column "): return .newColumn
    case .removed where part.hasPrefix("column "): return .goneColumn
    case .removed where part.hasPrefix("constraint "): return .goneConstraint
    default: return .other
    }
  }

  /// What columns of tables may need.
  private static let foundations: Set<String> = [
    "schema", "extension", "type", "collation", "function", "sequence", "aggregate", "operator",
  ]

  /// Objects that are no more, those first that need others: all but those that columns may need, or these.
  private func dropped(_ differences: [SchemaDifference], first: Bool) -> [String] {
    let gone = Set(differences.filter { $0.change == .removed }.map(\.subject))
    return from.statements.objects.reversed().filter { object in
      gone.contains("\(object.name)") && SchemaChange.foundations.contains(object.name.kind) != first
    }.map { object in
      let kind = object.name.kind
      guard SchemaChange.droppable.contains(kind) else {
        return "-- To be written by hand: drop \(object.name)"
      }
      return "DROP \(kind.uppercased()) \(object.name.identity);"
    }
  }

  private static let droppable: Set<String> = [
    "table", "foreign table", "view", "materialized view", "sequence", "index", "function", "procedure",
    "aggregate",
    "type", "schema", "trigger", "policy", "rule", "extension", "statistics object", "collation",
    "publication",
  ]

  /// Objects that are new, in the order in which they can be made: those that columns may need, or the others.
  private func made(first: Bool) -> [String] {
    to.statements.objects.filter { object in
      from.snapshot.objects[object.name] == nil && to.snapshot.objects[object.name] != nil
        && SchemaChange.foundations.contains(object.name.kind) == first
    }.flatMap { $0.statements.map { $0 + ";" } }
  }

  /// What an object that stays has become.
  private func altered(_ difference: SchemaDifference) -> String? {
    guard let (table, part) = owner(of: difference) else { return nil }
    if let attached = attached(part, of: table) { return attached }
    let name = part.split(separator: " ", maxSplits: 1).last.map(String.init) ?? part
    switch difference.change {
    case .added: return to.statements.addition(of: part, to: table).map { $0 + ";" } ?? byHand(difference)
    case .removed where part.hasPrefix("column "): return "ALTER TABLE \(table.identity) DROP COLUMN \(name);"
    case .removed where part.hasPrefix("constraint "):
      return "ALTER TABLE \(table.identity) DROP CONSTRAINT \(name);"
    case .changed where part == "definition" && ["function", "procedure", "view"].contains(table.kind):
      return to.statements.statements(of: table)?.first.map { replacing($0) + ";" } ?? byHand(difference)
    case .changed where part.hasPrefix("constraint "):
      guard !part.contains(": "), let addition = to.statements.addition(of: part, to: table) else {
        return byHand(difference)
      }
      return "ALTER TABLE \(table.identity) DROP CONSTRAINT \(name);\n\(addition);"
    default: return byHand(difference)
    }
  }

  /// What takes the place of a privilege, a comment or the like; nil where it is none, or cannot be taken away by
  /// rule.
  private func attached(_ part: String, of table: SchemaObject.Name) -> String? {
    let old = from.statements.attachment(part, of: table)
    let new = to.statements.attachment(part, of: table)
    let isRight = (old ?? new)?.hasPrefix("GRANT ") == true || (old ?? new)?.hasPrefix("REVOKE ") == true
    let undone = old.flatMap { isRight || new == nil ? SchemaChange.undone($0) : nil }
    if new == nil && undone == nil { return nil }
    return [undone, new].compactMap(\.self).map { $0 + ";" }.joined(separator: "\n")
  }

  private static func undone(_ statement: String) -> String? {
    if let found = statement.firstMatch(of: /^GRANT (.+) TO ([^ ]+)( WITH GRANT OPTION)?$/) {
      return "REVOKE \(found.1) FROM \(found.2)"
    }
    if let found = statement.firstMatch(of: /^REVOKE (.+) FROM ([^ ]+)$/) {
      return "GRANT \(found.1) TO \(found.2)"
    }
    guard statement.hasPrefix("COMMENT ON "), let end = statement.firstRange(of: " IS ") else { return nil }
    return statement[..<end.lowerBound] + " IS NULL"
  }

  /// The object that a difference is in, and the part of it; nil where it is about the whole.
  private func owner(of difference: SchemaDifference) -> (SchemaObject.Name, part: String)? {
    let names = Set(from.snapshot.objects.keys).intersection(to.snapshot.objects.keys)
    return names.filter { difference.subject.hasPrefix("\($0): ") }
      .max { "\($0)".count < "\($1)".count }
      .map { ($0, String(difference.subject.dropFirst("\($0): ".count))) }
  }

  private func replacing(_ statement: String) -> String {
    statement.hasPrefix("CREATE OR REPLACE")
      ? statement : "CREATE OR REPLACE" + statement.dropFirst("CREATE".count)
  }

  private func byHand(_ difference: SchemaDifference) -> String {
    let line = difference.line(.drift).split(whereSeparator: \.isNewline).joined(separator: " ")
    return "-- To be written by hand: \(line)"
  }
}
