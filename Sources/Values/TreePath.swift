/// A place in a tree-shaped record, such as JSON or XML: the names that lead to it.
///
/// | text | what it names |
/// |---|---|
/// | `name.family` | the property `family` of the property `name` |
/// | `name[].given[]` | the same with arrays: brackets that hold nothing may be left out, as `name.given` |
/// | `line[1]` | the second of several, counted from 0 |
/// | `given[1:]` | the second and all after it |
/// | `identifier[system=http://a|http://b].value` | of several those whose `system` is one of two texts |
/// | `identifier[use!=old].value` | of several those whose `use` is another text, or none |
/// | `identifier[system~=urn:A|urn:b].value` | the same whatever the case of the letters A to Z; `!~=` for the others |
/// | `identifier[period.end>=day].value` | of several those whose `period.end` is not before a day, or that have none |
/// | `identifier[period.start<=day].value` | of several those whose `period.start` is not after that day, or that have none |
/// | `.` | the thing itself, such as an item of an array of texts |
/// | `extension[url=urn:x].valueCode as color` | the same, and what it leads to is called `color` |
/// | `..fullUrl` | the property of what the record itself is a property of |
///
/// Whether something is alone or in an array makes no difference, as XML does not tell them apart.
public struct TreePath: Hashable, Sendable {
  /// What of several things of one name is meant.
  public enum Filter: Hashable, Sendable {
    /// The one of a number, from 0, among those that the filters before it let through.
    case item(Int)
    /// The one of a number, from 0, and all after it.
    case items(from: Int)
    /// Those that have one of some texts at a place of their own, perhaps whatever the case of its letters.
    case value(at: [String], oneOf: [String], ignoresCase: Bool)
    /// Those that have none of some texts at a place of their own.
    case otherValue(at: [String], noneOf: [String], ignoresCase: Bool)
    /// Those that have a day at a place of their own, or a part of one, that is not before the reader's day.
    case notBefore(at: [String])
    /// Those that have a day at a place of their own, or a part of one, that is not after the reader's day.
    case notAfter(at: [String])
  }

  /// One name of a path.
  public struct Step: Hashable, Sendable {
    /// The property's name.
    public let name: String
    /// What of several is meant; all where it is empty.
    public let filters: [Filter]
  }

  /// Why a text is no path.
  public enum Mistake: Error, Hashable, Sendable {
    /// Nothing, or a dot or a bracket is where a name should be.
    case noName(after: String)
    /// A bracket is not closed.
    case openBracket(String)
    /// What is in brackets is neither a number nor `name=value`.
    case badFilter(String)
    /// What it leads to is called something that is no name.
    case badName(String)
  }

  /// The names from the record down; none for the thing itself.
  public let steps: [Step]
  /// What it leads to is called; nil where its names say it.
  private let name: String?
  /// Whether the names begin one level above the record.
  public let isAround: Bool

  /// The path that a text names.
  /// - Throws: ``Mistake``, what is wrong with the text.
  public init(_ text: String) throws(Mistake) {
    let parts = text.split(separator: " as ", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts.count == 2 ? String(parts[1]) : nil
    if let name, name.isEmpty || name.contains(" ") { throw .badName(name) }
    let text = String(parts[0])
    guard text != "." else {
      (steps, isAround) = ([], false)
      return
    }
    isAround = text.hasPrefix("..")
    var rest = text.dropFirst(isAround ? 2 : 0)
    var steps: [Step] = []
    repeat {
      let name = rest.prefix { $0 != "." && $0 != "[" && $0 != "]" }
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty else { throw .noName(after: String(text.prefix(upTo: name.startIndex))) }
      var filters: [Filter] = []
      while rest.first == "[" {
        guard let end = rest.firstIndex(of: "]") else { throw .openBracket(String(rest)) }
        if let filter = try Self.filter(rest[..<end].dropFirst()) { filters.append(filter) }
        rest = rest[rest.index(after: end)...]
      }
      steps.append(Step(name: String(name), filters: filters))
      guard let next = rest.popFirst() else { break }
      guard next == "." else { throw .noName(after: String(text.prefix(upTo: rest.startIndex).dropLast())) }
    } while true
    self.steps = steps
  }

  /// Nil for brackets that hold nothing.
  private static func filter(_ text: Substring) throws(Mistake) -> Filter? {
    if text.isEmpty { return nil }
    if let number = Int(text), number >= 0 { return .item(number) }
    if text.last == ":", let number = Int(text.dropLast()), number >= 0 { return .items(from: number) }
    guard let equals = text.firstIndex(of: "=") else { throw .badFilter(String(text)) }
    var place = text[..<equals]
    let signs = place.reversed().prefix { "!~<>".contains($0) }.reversed()
    place = place.dropLast(signs.count)
    let names = place.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let values = text[text.index(after: equals)...].split(separator: "|").map(String.init)
    guard names.allSatisfy({ !$0.isEmpty }), !values.isEmpty else { throw .badFilter(String(text)) }
    switch (String(signs), values) {
    case ("", _), ("~", _): return .value(at: names, oneOf: values, ignoresCase: signs.count == 1)
    case ("!", _), ("!~", _): return .otherValue(at: names, noneOf: values, ignoresCase: signs.count == 2)
    case (">", ["day"]): return .notBefore(at: names)
    case ("<", ["day"]): return .notAfter(at: names)
    default: throw .badFilter(String(text))
    }
  }

  /// The path to the thing itself.
  public static let itself = TreePath(steps: [])

  private init(steps: [Step], name: String? = nil) {
    (self.steps, self.name, isAround) = (steps, name, false)
  }

  /// The path from what has the record, or the things, as a property of a name.
  public func within(_ property: String) -> TreePath {
    isAround ? self : TreePath(steps: [Step(name: property, filters: [])] + steps, name: name)
  }

  /// The names alone, as `identifier.value`.
  public var plain: String { (isAround ? ".." : "") + steps.map(\.name).joined(separator: ".") }

  /// What it leads to is called: the name that it has been given, else those that lead there.
  public var called: String { name ?? plain }

  /// Whether it is a name and nothing else, as a header could have it.
  public var isName: Bool { !isAround && steps.count == 1 && steps[0].filters.isEmpty }
}

extension TreePath.Mistake: CustomStringConvertible {
  /// What is wrong, to follow "the path".
  public var description: String {
    switch self {
    case .noName(let before) where before.isEmpty: "begins without a name"
    case .noName(let before): "has no name after '\(before)'"
    case .openBracket(let text): "has a bracket that is not closed: '\(text)'"
    case .badFilter(let text):
      "has '[\(text)]', which is neither a number from 0 nor name=value"
    case .badName(let text): "calls what it leads to '\(text)', which is no name"
    }
  }
}
