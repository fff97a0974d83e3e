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
/// | `.` | the thing itself, such as an item of an array of texts |
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
    /// Those that have one of some texts at a place of their own.
    case value(at: [String], oneOf: [String])
    /// Those that have none of some texts at a place of their own.
    case otherValue(at: [String], noneOf: [String])
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
  }

  /// The names from the record down; none for the thing itself.
  public let steps: [Step]
  /// Whether the names begin one level above the record.
  public let isAround: Bool

  /// The path that a text names.
  /// - Throws: ``Mistake``, what is wrong with the text.
  public init(_ text: String) throws(Mistake) {
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
    let isOther = text[..<equals].last == "!"
    let place = text[..<equals].dropLast(isOther ? 1 : 0)
    let names = place.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let values = text[text.index(after: equals)...].split(separator: "|").map(String.init)
    guard names.allSatisfy({ !$0.isEmpty }), !values.isEmpty else { throw .badFilter(String(text)) }
    return isOther ? .otherValue(at: names, noneOf: values) : .value(at: names, oneOf: values)
  }

  /// The path to the thing itself.
  public static let itself = TreePath(steps: [])

  private init(steps: [Step]) { (self.steps, isAround) = (steps, false) }

  /// The path from what has the record, or the things, as a property of a name.
  public func within(_ name: String) -> TreePath {
    isAround ? self : TreePath(steps: [Step(name: name, filters: [])] + steps)
  }

  /// The names alone, as `identifier.value`.
  public var plain: String { (isAround ? ".." : "") + steps.map(\.name).joined(separator: ".") }

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
    }
  }
}
