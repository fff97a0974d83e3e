/// The name of an object as the catalog has it: folded to small letters unless it is quoted.
struct SQLName: Hashable, Sendable, CustomStringConvertible {
  /// The schema, where the statement says it.
  var schema: String?
  /// The name itself.
  var name: String

  /// A name.
  init(schema: String? = nil, _ name: String) {
    self.schema = schema
    self.name = name
  }

  var description: String { schema.map { $0 + "." + name } ?? name }
}
