import Values

extension TreePath {
  /// Reads a path; nil, with a mistake reported, where a text is none.
  init?(_ text: Marked<String>, in file: DefinitionFile) {
    do {
      try self.init(text.value)
    } catch {
      file.report(
        "the path '\(text.value)' \(error)", at: text.mark,
        hint: "write names, such as name.family, identifier[system=urn:x].value or line[0]")
      return nil
    }
  }
}
