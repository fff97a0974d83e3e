import PostgreSQL
import SQLText

/// The name of an object as the catalog has it: folded to small letters unless it is quoted.
struct SQLName: Hashable, Sendable, CustomStringConvertible {
  var schema: String?
  var name: String

  init(schema: String? = nil, _ name: String) {
    self.schema = schema
    self.name = name
  }

  /// A name as the server writes it; nil for what is none.
  init?(quoted text: String) {
    guard var cursor = SQLCursor(text), let name = cursor.qualifiedName() else { return nil }
    self = name
  }

  var description: String { schema.map { $0 + "." + name } ?? name }

  /// Whether it can mean an object of that name: without a schema it is looked for in any.
  func mayBe(_ other: SQLName) -> Bool { name == other.name && (schema == nil || schema == other.schema) }

  /// As SQL takes it, whatever is in it.
  var quoted: String { [schema, name].compactMap { $0.map(Quote.identifier) }.joined(separator: ".") }
}

extension SQLStatement {
  /// A name of one part as the catalog has it; the server folds only the letters of ASCII.
  func name(at place: Int) -> String? {
    guard place < tokens.count else { return nil }
    let word = words[place]
    if word.hasPrefix("\"") { return String(word.dropFirst().dropLast()).replacing("\"\"", with: "\"") }
    guard tokens[place].kind == .word else { return nil }
    return String(decoding: word.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
