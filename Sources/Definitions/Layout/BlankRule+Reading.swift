extension BlankRule {
  /// Reads the key `blank_when` of a column: texts, or texts and the column without which they count.
  init?(_ fields: Fields, in file: DefinitionFile) {
    guard let node = fields.node("blank_when") else { return nil }
    guard case .mapping = node.content else {
      guard let texts = fields.texts("blank_when") else { return nil }
      self.init(texts: texts.map(\.value), without: nil)
      return
    }
    guard let rule = Fields(node, of: "'blank_when'", keys: ["one_of", "without"], in: file) else {
      return nil
    }
    rule.need("one_of")
    guard let texts = rule.texts("one_of"), let without = rule.needText("without") else { return nil }
    self.init(texts: texts.map(\.value), without: without.value)
  }
}
