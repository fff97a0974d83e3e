import SQLText

/// What the migrations of a folder have made so far, as far as their text shows.
///
/// What is made inside `DO` blocks and functions, or by other tools, is not in it: a table that it does not
/// know may exist all the same.
struct SchemaModel: Sendable {
  struct Column: Sendable {
    /// Its type; nil where it could not be read.
    var type: SQLType?
    /// The name of its collation; nil for the one of its type.
    var collation: String?
    var isNotNull = false
    /// The number of the migration that made it.
    var madeIn: Int
  }

  struct Check: Sendable {
    /// Its name; nil where the server chose one.
    var name: String?
    /// The words of its condition, names folded.
    var condition: [String]
    /// Whether all rows are known to hold to it.
    var isValid: Bool
  }

  struct Table: Sendable {
    var columns: [String: Column] = [:]
    var checks: [Check] = []
    var isPartitioned = false
    /// One of its parts takes the rows that no other takes.
    var hasDefaultPartition = false
    var isTemporary = false
    /// The number of the migration that made it.
    var madeIn: Int

    /// Whether a valid check refuses NULL in a column, alone or joined with others by AND.
    func provesNotNull(_ column: String) -> Bool {
      checks.contains { check in
        let words = check.condition.filter { $0 != "(" && $0 != ")" }
        guard check.isValid, !words.contains("or"), words.first != "not" else { return false }
        return words.split(separator: "and").contains { $0.elementsEqual([column, "is", "not", "null"]) }
      }
    }
  }

  struct View: Sendable {
    /// Its name as people write it.
    var name: String
    /// The words of its query, names folded.
    var words: [String]
    /// The number of the migration that made it.
    var madeIn: Int
  }

  /// By ``key(_:)``.
  var tables: [String: Table] = [:]
  /// By ``key(_:)``.
  var views: [String: View] = [:]
  /// Types that were made with CREATE TYPE ... AS ENUM, with the number of the migration that made them.
  var enums: [String: Int] = [:]
  /// Domains that hold their values to something.
  var checkedDomains: Set<String> = []
  /// Domains with the number of the migration that made them.
  var domains: [String: Int] = [:]
  /// Functions, and whether they were declared IMMUTABLE or STABLE.
  var functions: [String: Bool] = [:]
  /// Indexes, by ``key(_:)``.
  var indexes: [String: CreateIndex] = [:]
  /// Where Citus keeps tables by now.
  var placed = CitusPlacement()
  /// The roles, and which of them may log in.
  var logins = RoleLogins()
  /// The migration whose statements are being read, counted from 0.
  var current = 0
  /// Where an unqualified name is looked for first, when the file says so.
  var searchPath: String?

  /// The name under which something is kept: `schema.name`.
  func key(_ name: SQLName) -> String {
    if let schema = name.schema { return schema + "." + name.name }
    let temporary = "pg_temp." + name.name
    if tables[temporary] != nil { return temporary }
    return (searchPath ?? "public") + "." + name.name
  }

  func table(_ name: SQLName) -> Table? { tables[key(name)] }

  /// Whether a table or materialised view may hold rows that others use: it was there before this migration.
  func isExisting(_ name: SQLName) -> Bool {
    if name.schema == "pg_temp" { return false }
    if let table = table(name) { return table.madeIn != current && !table.isTemporary }
    if let view = views[key(name)] { return view.madeIn != current }
    return true
  }

  /// Words of an expression as they are compared: names folded and without their quotes.
  static func folded(_ statement: SQLStatement, _ range: Range<Int>) -> [String] {
    range.map { place in
      let isName = statement.tokens[place].kind == .word || statement.words[place].hasPrefix("\"")
      return (isName ? statement.name(at: place) : nil) ?? statement.words[place]
    }
  }
}
