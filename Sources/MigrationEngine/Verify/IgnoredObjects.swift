/// Objects of a schema that are left out of a comparison, by patterns of a kind and a name: `table app.tmp_*`,
/// `schema scratch`. What belongs to a table goes with it, and what is in a schema with that.
public struct IgnoredObjects: Sendable {
  private let patterns: [String]

  /// Patterns as `migrate status --drift` writes objects: the kind, a blank, and the name; `*` stands for any
  /// characters.
  public init(_ patterns: [String]) { self.patterns = patterns }

  /// Whether it matches an object itself, or its schema; not for what it belongs to.
  private func covers(_ name: SchemaObject.Name) -> Bool {
    patterns.contains { pattern in
      IgnoredObjects.isLike("\(name)", pattern)
        || pattern.hasPrefix("schema ") && IgnoredObjects.isLike("schema \(name.schema)", pattern)
    }
  }

  /// A snapshot without them.
  func removed(from snapshot: SchemaSnapshot) -> SchemaSnapshot {
    if patterns.isEmpty { return snapshot }
    let kept = snapshot.objects.filter { name, object in
      var next: SchemaObject.Name? = name
      while let found = next {
        if covers(found) { return false }
        next = snapshot.objects[found]?.parent
      }
      return true
    }
    return SchemaSnapshot(objects: kept)
  }

  /// Whether a text is like a pattern in which `*` stands for any characters.
  private static func isLike(_ text: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return text == pattern }
    guard text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

extension SchemaObject.Name {
  /// The schema that it is in, or is; empty where it is in none.
  fileprivate var schema: String {
    if kind == "schema" { return identity }
    // `g on app.t` is in the schema of its table, and `app.f(other.type)` in that of the function.
    let place = identity.split(separator: " ").last { $0.contains(".") && !$0.contains("(") }
    return String((place ?? identity[...]).prefix { $0 != "." && $0 != "(" })
  }
}
