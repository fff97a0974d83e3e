public import Values

/// What becomes of the values of tree-shaped records that no column takes: `unknown` of a version.
///
/// ```yaml
/// unknown:
///   apart: {extension: url}           # extension[url=http://x].valueCode, each counted by itself
///   left_out:
///     - {path: text, because: "it says in words what the rest says"}
/// ```
public struct UnknownProperties: Sendable {
  /// Values that are left out on purpose.
  public struct LeftOut: Sendable {
    /// Where they are; all that is below is left out, too.
    public var path: TreePath
    /// Why.
    public var because: String
  }

  /// Whether they are counted and reported.
  public var isReported: Bool
  /// The properties that things of a name are distinguished by, by name.
  public var apart: [String: String] = [:]
  /// What is known and not reported.
  public var leftOut: [LeftOut] = []

  /// They are counted and reported.
  public static let tell = UnknownProperties(isReported: true)
}

extension UnknownProperties {
  private enum Word: String, CaseIterable {
    case tell
    case ignore
  }

  /// Reads `tell`, `ignore`, or what is distinguished and left out.
  init?(_ node: YAMLNode, _ version: Fields, in file: DefinitionFile) {
    guard case .mapping = node.content else {
      let word: Word? = version.choice("unknown", of: "treatment of unknown properties")
      guard let word else { return nil }
      self.init(isReported: word == .tell)
      return
    }
    guard let fields = Fields(node, of: "'unknown'", keys: ["apart", "left_out"], in: file) else {
      return nil
    }
    self.init(isReported: true, apart: fields.textMapping("apart"))
    leftOut = (fields.list("left_out") ?? []).compactMap { item in
      guard let fields = Fields(item, of: "what is left out", keys: ["path", "because"], in: file) else {
        return nil
      }
      let because = fields.needText("because")
      guard let text = fields.needText("path"), let path = TreePath(text, in: file), let because else {
        return nil
      }
      let isPlain = path.steps.flatMap(\.filters).allSatisfy { filter in
        if case .value = filter { true } else { false }
      }
      if path.steps.isEmpty || !isPlain {
        file.report(
          "'\(text.value)' cannot be left out: write names, and what tells them apart as [url=http://x]",
          at: text.mark)
      }
      return LeftOut(path: path, because: because.value)
    }
  }
}
