/// A piece of a YAML document with its place in the file.
public struct YAMLNode: Sendable, Hashable {
  /// What a node holds.
  public enum Content: Sendable, Hashable {
    /// A text; `quoted` distinguishes `'1'` from `1` and `'~'` from `~`.
    case scalar(String, quoted: Bool)
    /// `[a, b]` or lines that begin with a dash.
    case sequence([YAMLNode])
    /// `{key: value}` in the order of the file; keys are never repeated.
    case mapping([Entry])
  }

  /// One key of a mapping and its value.
  public struct Entry: Sendable, Hashable {
    /// The key's text.
    public var key: String
    /// Where the key is.
    public var mark: Mark
    /// What belongs to it.
    public var value: YAMLNode
  }

  /// What the node holds.
  public var content: Content
  /// Where the node begins.
  public var mark: Mark

  /// Whether nothing is written here: an empty plain scalar, `~` or `null`.
  public var isEmpty: Bool {
    if case .scalar(let text, quoted: false) = content { return ["", "~", "null"].contains(text) }
    return false
  }

  /// What a reader of an error calls this: `a text`, `a list`, `a mapping`, `nothing`.
  var kind: String {
    switch content {
    case .scalar: isEmpty ? "nothing" : "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension YAMLNode {
  /// The node with another text in place of one, wherever its texts and keys hold it.
  package func replacing(_ part: String, with other: String) -> YAMLNode {
    func replaced(_ text: String) -> String {
      text.split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
    var node = self
    switch content {
    case .scalar(let text, let quoted): node.content = .scalar(replaced(text), quoted: quoted)
    case .sequence(let items): node.content = .sequence(items.map { $0.replacing(part, with: other) })
    case .mapping(let entries):
      node.content = .mapping(
        entries.map {
          Entry(key: replaced($0.key), mark: $0.mark, value: $0.value.replacing(part, with: other))
        })
    }
    return node
  }
}
