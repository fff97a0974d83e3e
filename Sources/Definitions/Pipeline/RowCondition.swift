import SQLText

/// What every row of a table must be, each looked at by itself: so that a condition holds, or that another
/// table has the row that it refers to.
///
/// Conditions over one table are asked in one reading of it.
public struct RowCondition: Sendable, Hashable {
  /// The table whose rows are looked at, `schema.table`.
  public let table: String
  /// The table that has the rows referred to; nil where none is.
  public let referenced: String?
  /// Where it is written, in `pipeline.yaml`.
  public let mark: Mark
  /// SQL over the table's columns that is true of a row that breaks the rule.
  public let isBroken: SQLTemplate
  /// The query of the rows that break it.
  let query: SQLTemplate

  /// The keys of a check that has no query of its own.
  static let keys = ["table", "where", "row", "columns", "references"]

  /// Whether a check has a condition, right or wrong.
  static func isThere(_ fields: Fields) -> Bool { keys.contains(where: fields.has) }

  /// Reads the condition of a check; nil, with a mistake reported, where it is wrong.
  static func read(_ fields: Fields, in file: DefinitionFile) -> Self? {
    guard fields.has("row") || fields.has("references") else {
      if let key = keys.first(where: fields.has) {
        file.report("'\(key)' belongs to a check with 'row' or 'references'", at: fields.mark(of: key))
      }
      return nil
    }
    let table = fields.needText("table")
    let filter = fields.text("where").flatMap { expression($0, in: file) }
    if fields.has("row"), fields.has("references") {
      file.report("a check has either 'row' or 'references'", at: fields.mark(of: "references"))
      return nil
    }
    guard let table else { return nil }
    if fields.has("references") {
      return Reference(fields, in: file).map { Self(table, where: filter, refersTo: $0) }
    }
    if fields.has("columns") {
      file.report("'columns' belongs to 'references'", at: fields.mark(of: "columns"))
    }
    return fields.text("row").flatMap { expression($0, in: file) }.map { Self(table, where: filter, is: $0) }
  }

  /// Every row that `filter` holds for must be so; what is null for a row does not break the rule, as with
  /// CHECK.
  private init(_ table: Marked<String>, where filter: Marked<String>?, is condition: Marked<String>) {
    mark = condition.mark
    var isBroken = [SQLTemplate.Piece.placed("NOT (\(condition.value)\n)", mark)]
    // The condition is only computed where the filter holds, whatever the planner would do first.
    if let filter {
      isBroken.insert(.placed("CASE WHEN (\(filter.value)\n) THEN ", filter.mark), at: 0)
      isBroken.append(.placed(" END", mark))
    }
    self.table = table.value
    referenced = nil
    self.isBroken = SQLTemplate(isBroken)
    query = SQLTemplate(Self.rows(of: table) + isBroken)
  }

  /// Every row that `filter` holds for must refer to one that is there; what is null in part refers to none, as
  /// with FOREIGN KEY.
  private init(_ table: Marked<String>, where filter: Marked<String>?, refersTo other: Reference) {
    let own = other.columns.map { "this.\"\($0)\"" }
    let theirs = other.key.map { "\"\($0)\"" }
    let refers = own.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let counts = other.condition.map { "(\($0)\n)" } ?? "true"
    let start = filter.map { [SQLTemplate.Piece.placed("(\($0.value)\n) AND ", $0.mark)] } ?? []
    func glue(_ text: String) -> SQLTemplate.Piece { .placed(text, other.table.mark) }
    let place = SQLTemplate.Piece.name(other.table.value, other.table.mark)
    self.table = table.value
    mark = other.table.mark
    referenced = other.table.value
    let (columns, key) = (own.joined(separator: ", "), theirs.joined(separator: ", "))
    isBroken = SQLTemplate(
      start + [
        glue("\(refers) AND ((\(columns)) IN (SELECT \(key) FROM "), place,
        glue(" WHERE \(counts))) IS NOT TRUE"),
      ])
    // An anti-join, unlike IN, needs no memory for all keys of the other table.
    let isMeant = zip(theirs, own).map { "other.\($0) = \($1)" }.joined(separator: " AND ")
    query = SQLTemplate(
      Self.rows(of: table) + start + [
        glue("\(refers) AND NOT EXISTS (SELECT FROM "), place,
        glue(" other WHERE \(isMeant) AND \(counts))"),
      ])
  }

  private static func rows(of table: Marked<String>) -> [SQLTemplate.Piece] {
    [
      .placed("SELECT this.source_file_id, this.source_line FROM ", table.mark),
      .name(table.value, table.mark), .placed(" this WHERE ", table.mark),
    ]
  }

  /// The rows that others refer to: `cms.gpci (mac, locality)`, with `where` and a condition where not all of
  /// them count.
  private struct Reference {
    let table: Marked<String>
    let key: [String]
    /// The columns that refer, in the order of the key.
    let columns: [String]
    /// What those that count fulfil; nil where all do.
    let condition: String?

    init?(_ fields: Fields, in file: DefinitionFile) {
      guard let text = fields.text("references") else { return nil }
      let form = /\s*([\w.]+)\s*\(([\w\s,]*)\)\s*(?:(?i:where)\s+(.+))?/.dotMatchesNewlines()
      guard let match = text.value.wholeMatch(of: form) else {
        file.report(
          "'references' must be a table and its columns, found '\(text.value)'", at: text.mark,
          hint: "write them as cms.gpci (mac, locality)")
        return nil
      }
      table = Marked(String(match.1), at: text.mark)
      let named = match.2.split(separator: ",", omittingEmptySubsequences: false).map {
        Marked($0.split(whereSeparator: \.isWhitespace).joined(separator: " "), at: text.mark)
      }
      key = named.map(\.value)
      let own = fields.texts("columns")
      columns = (own ?? named).map(\.value)
      for column in named + (own ?? []) { NameRule.column.check(column, called: "a column", in: file) }
      if columns.count != key.count {
        file.report(
          "\(columns.count) columns cannot refer to \(key.count)", at: fields.mark(of: "columns"))
      }
      condition = match.3.map(String.init)
      if let condition, RowCondition.expression(Marked(condition, at: text.mark), in: file) == nil {
        return nil
      }
    }
  }

  /// The condition itself; nil, with a mistake reported, where it is more or less than one.
  private static func expression(_ text: Marked<String>, in file: DefinitionFile) -> Marked<String>? {
    var lexer = SQLLexer(text.value)
    var depth = 0
    while let token = lexer.next() {
      let mark = lexer.text(token.range)
      if !token.isClosed {
        file.report("a quote or comment does not end in '\(text.value)'", at: text.mark)
        return nil
      }
      switch token.kind {
      case .semicolon: depth = -1
      case .mark where mark == "(": depth += 1
      case .mark where mark == ")": depth -= 1
      case .mark where mark == "{":
        file.report(
          "a condition looks at one row, and reads no table: '\(text.value)'", at: text.mark,
          hint: "use 'references', or write a query in checks/")
        return nil
      default: continue
      }
      if depth < 0 { break }
    }
    guard depth == 0 else {
      file.report(
        "'\(text.value)' is not one condition", at: text.mark,
        hint: "its parentheses must be in pairs, without ';'")
      return nil
    }
    return text
  }
}
