import Host

/// What the values of an indicator mean: `Data/lists/<name>.yaml`.
public struct CodeList: Sendable, Hashable {
  /// A value and its meaning.
  public struct Code: Sendable, Hashable {
    /// The value as the publisher writes it.
    public var code: String
    /// What it means, in a few words.
    public var meaning: String
  }

  /// The list's name, which is also its file's.
  public var name: String
  /// What the values are of, in words.
  public var title: String
  /// The values, in the order of the file.
  public var codes: [Code]

  /// Reads a list's file.
  /// - Throws: ``DefinitionErrors``, every mistake found in it.
  public static func load(_ path: String) throws(DefinitionErrors) -> CodeList {
    let file = DefinitionFile(path)
    let node = file.bytes(at: path).flatMap { file.tree($0) }
    let list = node.flatMap { CodeList($0, named: String(Path.name(path).dropLast(5)), in: file) }
    try file.check()
    guard let list else { throw DefinitionErrors([]) }
    return list
  }

  init?(_ node: YAMLNode, named name: String, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "a code list", keys: ["list", "title", "codes"], in: file) else {
      return nil
    }
    if let written = fields.needText("list"), written.value != name {
      file.report("the list is called '\(written.value)', its file '\(name).yaml'", at: written.mark)
    }
    fields.need("codes")
    let codes = (fields.mapping("codes") ?? []).compactMap { entry in
      fields.text(entry.value, called: "'\(entry.key)'").map { Code(code: entry.key, meaning: $0.value) }
    }
    guard let title = fields.needText("title") else { return nil }
    self.name = name
    self.title = title.value
    self.codes = codes
  }
}
