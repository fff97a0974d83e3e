import SQLText

/// A type as a column names it, under the name that the catalog uses.
struct SQLType: Hashable, Sendable, CustomStringConvertible {
  /// `int4`, `varchar`, `timestamptz`; a type of the user's own as `schema.name`.
  var name: String
  /// The numbers in parentheses.
  var modifiers: [Int] = []
  var isArray = false

  /// Whether it is one of `serial`'s, which are integers with a sequence.
  var isSerial: Bool { SQLType.serials[name] != nil }

  /// The same type without the sequence that `serial` means.
  var stored: SQLType {
    guard let integer = SQLType.serials[name] else { return self }
    return SQLType(name: integer)
  }

  var description: String {
    name + (modifiers.isEmpty ? "" : "(" + modifiers.map(String.init).joined(separator: ",") + ")")
      + (isArray ? "[]" : "")
  }

  private static let serials = [
    "serial": "int4", "serial4": "int4", "bigserial": "int8", "serial8": "int8", "smallserial": "int2",
    "serial2": "int2",
  ]

  fileprivate static let aliases = [
    "int": "int4", "integer": "int4", "bigint": "int8", "smallint": "int2", "decimal": "numeric",
    "dec": "numeric", "boolean": "bool", "real": "float4", "float": "float8", "char": "bpchar",
    "character": "bpchar", "nchar": "bpchar",
  ]
}

extension SQLType {
  /// A type as the server, or anybody, writes it; nil where it cannot be read.
  init?(named text: String) {
    guard var cursor = SQLCursor(text), let type = cursor.type() else { return nil }
    self = type
  }
}

extension SQLCursor {
  mutating func type() -> SQLType? {
    take("SETOF")
    take("NATIONAL")
    let isQuoted = word?.hasPrefix("\"") == true
    guard let parts = nameParts(), let last = parts.last else { return nil }
    let isBuiltIn = !isQuoted && (parts.count == 1 || parts.first == "pg_catalog")
    guard isBuiltIn else { return array(of: SQLType(name: parts.joined(separator: "."))) }
    var type = SQLType(name: SQLType.aliases[last] ?? last)
    if last == "double" { type.name = take("PRECISION") ? "float8" : last }
    if take("VARYING") { type.name = last == "bit" ? "varbit" : "varchar" }
    type.modifiers = modifiers()
    if take("WITH", "TIME", "ZONE") { type.name += "tz" }
    take("WITHOUT", "TIME", "ZONE")
    if last == "interval" {
      skip(["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TO"])
      type.modifiers += modifiers()
    }
    if type.name == "bpchar", type.modifiers.isEmpty, last != "bpchar" { type.modifiers = [1] }
    return array(of: type)
  }

  private mutating func modifiers() -> [Int] {
    guard let group = group() else { return [] }
    return SQLCursor(statement, group).pieces().compactMap { Int(statement.words[$0].joined()) }
  }

  private mutating func array(of type: SQLType) -> SQLType {
    var type = type
    if type.modifiers.isEmpty { type.modifiers = modifiers() }
    while word == "[" {
      type.isArray = true
      while let word, word != "]" { place += 1 }
      place += 1
    }
    if take("ARRAY") { type.isArray = true }
    return type
  }
}
