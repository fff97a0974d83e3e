extension FetchRule {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["page", "release", "parameter", "steps"]
    guard let fields = Fields(node, of: "fetch", keys: keys, in: file) else { return nil }
    let release = fields.needText("release").flatMap { TextPattern($0, in: file) }
    let page = fields.needText("page")
    if let page, !page.value.hasPrefix("https://"), !page.value.hasPrefix("http://") {
      file.report(
        "'\(page.value)' is no address of a web page", at: page.mark, hint: "it begins with https://")
    }
    parameter = fields.text("parameter")?.value
    let nodes = fields.needList("steps")
    steps = nodes.enumerated().compactMap { index, node in
      Step(node, of: release, isLast: index == nodes.count - 1, in: file)
    }
    guard let page, let release else { return nil }
    self.page = GroupTemplate(page, of: release, in: file)
    self.release = release
  }
}

extension FetchRule.Step {
  fileprivate init?(_ node: YAMLNode, of release: TextPattern?, isLast: Bool, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "a step of fetch", keys: ["link", "text", "name"], in: file) else {
      return nil
    }
    let link = fields.text("link")
    let text = fields.text("text")
    if link == nil && text == nil, !fields.has("link"), !fields.has("text") {
      file.report("a step of fetch needs the key 'link' or 'text'", at: fields.mark)
    }
    self.link = link.map { GroupTemplate($0, of: release, in: file) }
    self.text = text.map { GroupTemplate($0, of: release, in: file) }
    let linkPattern = Self.probe(link, of: release, in: file)
    _ = Self.probe(text, of: release, in: file)
    if let name = fields.text("name") {
      if !isLast {
        file.report("only the last step of fetch leads to a file and can have the key 'name'", at: name.mark)
      } else if link == nil {
        file.report("the key 'name' is made from groups of 'link', which is not there", at: name.mark)
      }
      self.name = GroupTemplate(name, of: linkPattern, in: file)
    } else {
      self.name = nil
    }
  }

  /// The pattern as it is for some release, to see that it is one.
  private static func probe(_ text: Marked<String>?, of release: TextPattern?, in file: DefinitionFile)
    -> TextPattern?
  {
    guard let text else { return nil }
    let groups = [String](repeating: "0", count: 1 + (release?.groupCount ?? 9))
    return TextPattern(Marked(GroupTemplate(text.value).filled(groups), at: text.mark), in: file)
  }
}
