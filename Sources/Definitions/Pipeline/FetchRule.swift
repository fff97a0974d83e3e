/// How a release's archive is found at its publisher: from a page, by links, to the file.
///
/// Publishers put dates and more into the names of files and pages, so that these are found by what links say
/// and not by a fixed address.
public struct FetchRule: Sendable, Hashable {
  /// One link to follow.
  public struct Step: Sendable, Hashable {
    /// Matched anywhere in the link's whole address; `$1` to `$9` are the release's groups. Nil where the
    /// address does not matter.
    public var link: GroupTemplate?
    /// Matched anywhere in what a reader sees of the link; nil where it does not matter.
    public var text: GroupTemplate?
    /// The file's name, from the groups of `link`; nil where the address's last part is it.
    public var name: GroupTemplate?

    /// The step for one release.
    /// - Parameter groups: the release's, as ``FetchRule/groups(of:)`` gives them.
    /// - Returns: the links that are meant.
    /// - Throws: ``TextPattern/Invalid`` where the pattern is none with the groups in it.
    public func pattern(for groups: [String]) throws(TextPattern.Invalid) -> LinkPattern {
      let quoted = groups.map(TextPattern.quoted)
      var pattern = LinkPattern(name: name)
      if let link { pattern.link = try TextPattern(link.filled(quoted)) }
      if let text { pattern.text = try TextPattern(text.filled(quoted)) }
      return pattern
    }
  }

  /// How the links of the page say which releases there are.
  public struct Listing: Sendable, Hashable {
    /// Matched anywhere in a link's whole address.
    public var link: TextPattern
    /// The release's name, from the groups of `link`, in any case.
    public var name: GroupTemplate

    /// The release that a link is of; nil where it is of none.
    public func release(address: String) -> String? { link.groups(in: address).map(name.filled) }
  }

  /// The address of the page that lists the releases; `$1` to `$9` are the release's groups.
  public var page: GroupTemplate
  /// Matches the whole name of a release that the publisher can have; its groups are what addresses hold of
  /// it.
  public var release: TextPattern
  /// The parameter in which a link to a licence names the file that it leads to; nil where there is none.
  public var parameter: String?
  /// The links to follow; the last leads to the archive.
  public var steps: [Step]
  /// How the page says which releases there are; nil where it does not.
  public var list: Listing?

  /// What addresses hold of a release's name; nil for a name that the publisher cannot have.
  public func groups(of release: String) -> [String]? {
    self.release.groups(whole: release.uppercased())
  }
}

/// Finds the links that are meant for one release.
public struct LinkPattern: Sendable, Hashable {
  /// What the address must hold.
  public var link: TextPattern?
  /// What the text must hold.
  public var text: TextPattern?
  /// The name that the groups of `link` make.
  public var name: GroupTemplate?

  /// Whether a link is meant.
  public func matches(address: String, text seen: String) -> Bool {
    (link?.groups(in: address) != nil || link == nil) && (text?.groups(in: seen) != nil || text == nil)
  }

  /// The file's name by a link that is meant; nil where only the address says it.
  public func name(address: String) -> String? {
    guard let name, let groups = link?.groups(in: address) else { return nil }
    return name.filled(groups)
  }

  /// As messages show it.
  public var shown: String { [link?.text, text?.text].compactMap(\.self).joined(separator: "' and '") }
}

extension FetchRule {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["page", "release", "parameter", "list", "steps"]
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
    list = fields.node("list").flatMap { Listing($0, in: file) }
    if list != nil, let page, page.value.contains("$") {
      file.report(
        "a page whose address depends on the release cannot list the releases", at: fields.mark(of: "list"),
        hint: "write 'page' without $, or leave 'list' out")
    }
    guard let page, let release else { return nil }
    self.page = GroupTemplate(page, of: release, in: file)
    self.release = release
  }
}

extension FetchRule.Listing {
  fileprivate init?(_ node: YAMLNode, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "'list' of fetch", keys: ["link", "name"], in: file) else {
      return nil
    }
    let link = fields.needText("link").flatMap { TextPattern($0, in: file) }
    guard let link, let name = fields.needText("name") else { return nil }
    (self.link, self.name) = (link, GroupTemplate(name, of: link, in: file))
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
