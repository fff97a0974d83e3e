import CLibYAML

/// Reads one YAML document into a tree, by libyaml's events.
///
/// Definition files are trees: anchors, aliases, tags, repeated keys and several documents in a file are
/// refused, as they hide what is meant or let a small file grow without end.
public enum YAMLReader {
  /// How deep lists and mappings may lie in each other.
  public static let depthLimit = 32
  /// How many bytes a definition file may have.
  public static let sizeLimit = 4 << 20

  /// Reads a document.
  /// - Parameters:
  ///   - bytes: the YAML text, in UTF-8.
  ///   - file: the name that errors give.
  ///   - firstLine: the line of `file` that the first byte is on, for YAML inside another file.
  /// - Returns: the document's root.
  /// - Throws: ``DefinitionError`` for the first place that is no YAML, or more than a definition may have.
  public static func read(
    _ bytes: [UInt8], file: String, firstLine: Int = 1
  ) throws(DefinitionError) -> YAMLNode {
    let start = Mark(line: firstLine, column: 1)
    guard bytes.count <= sizeLimit else {
      throw DefinitionError(
        file: file, mark: start, message: "the definition is larger than \(sizeLimit >> 20) MB")
    }
    return try YAMLEvents(bytes, file: file, lineOffset: firstLine - 1).document(start)
  }
}

extension YAMLEvents {
  fileprivate func document(_ start: Mark) throws(DefinitionError) -> YAMLNode {
    var root: YAMLNode?
    while true {
      let event = try next()
      switch event.kind {
      case .streamStart, .documentEnd: continue
      case .documentStart:
        guard root == nil else {
          throw error("a second document begins here; a file holds one", at: event.mark)
        }
        root = try node(try next(), depth: 1)
      case .streamEnd:
        guard let root else { throw error("the definition is empty", at: start) }
        return root
      default: throw error("unexpected YAML", at: event.mark)
      }
    }
  }

  private func node(_ event: YAMLEvent, depth: Int) throws(DefinitionError) -> YAMLNode {
    guard depth <= YAMLReader.depthLimit else {
      throw error("more than \(YAMLReader.depthLimit) levels deep", at: event.mark)
    }
    if event.hasAnchor { throw error("anchors (&name) are not allowed; write it out", at: event.mark) }
    if event.hasTag { throw error("tags (!name) are not allowed; quote what is a text", at: event.mark) }
    switch event.kind {
    case .scalar(let text, let quoted):
      return YAMLNode(content: .scalar(text, quoted: quoted), mark: event.mark)
    case .sequenceStart: return try sequence(from: event.mark, depth: depth)
    case .mappingStart: return try mapping(from: event.mark, depth: depth)
    case .alias: throw error("aliases (*name) are not allowed; write it out, or quote it", at: event.mark)
    default: throw error("unexpected YAML", at: event.mark)
    }
  }

  private func sequence(from mark: Mark, depth: Int) throws(DefinitionError) -> YAMLNode {
    var items: [YAMLNode] = []
    while true {
      let event = try next()
      if event.kind == .sequenceEnd { return YAMLNode(content: .sequence(items), mark: mark) }
      items.append(try node(event, depth: depth + 1))
    }
  }

  private func mapping(from mark: Mark, depth: Int) throws(DefinitionError) -> YAMLNode {
    var entries: [YAMLNode.Entry] = []
    var seen: [String: Mark] = [:]
    while true {
      let event = try next()
      if event.kind == .mappingEnd { return YAMLNode(content: .mapping(entries), mark: mark) }
      let key = try node(event, depth: depth + 1)
      guard case .scalar(let name, _) = key.content else {
        throw error("a key must be a text, not \(key.kind)", at: key.mark)
      }
      if let first = seen[name] {
        throw error("the key '\(name)' is repeated; it is already on line \(first.line)", at: key.mark)
      }
      seen[name] = key.mark
      let value = try node(try next(), depth: depth + 1)
      entries.append(YAMLNode.Entry(key: name, mark: key.mark, value: value))
    }
  }

  private func error(_ message: String, at mark: Mark) -> DefinitionError {
    DefinitionError(file: file, mark: mark, message: message)
  }
}
