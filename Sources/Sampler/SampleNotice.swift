import Definitions

/// The file of a sample that says what the others are, where the publisher's layout has no place to say it.
struct SampleNotice {
  /// What it is called: by that name the bundle is known for a sample.
  let entry: String
  /// Its text, a paragraph.
  let text: String

  /// Reads the key `notice`.
  ///
  /// `pattern`: what the pipeline knows samples by.
  init?(_ node: YAMLNode, pattern: TextPattern?, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "notice", keys: ["entry", "text"], in: file),
      let entry = fields.needText("entry"), let text = fields.needText("text")
    else { return nil }
    if pattern?.groups(in: entry.value) == nil {
      file.report(
        "by the name '\(entry.value)' the pipeline does not know a sample", at: entry.mark,
        hint: "let its key 'synthetic' match it")
    }
    (self.entry, self.text) = (entry.value, text.value)
  }
}
