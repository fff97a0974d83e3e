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

    /// A link to follow.
    public init(link: GroupTemplate? = nil, text: GroupTemplate? = nil, name: GroupTemplate? = nil) {
      self.link = link
      self.text = text
      self.name = name
    }

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

  /// The address of the page that lists the releases; `$1` to `$9` are the release's groups.
  public var page: GroupTemplate
  /// Matches the whole name of a release that the publisher can have; its groups are what addresses hold of
  /// it.
  public var release: TextPattern
  /// The parameter in which a link to a licence names the file that it leads to; nil where there is none.
  public var parameter: String?
  /// The links to follow; the last leads to the archive.
  public var steps: [Step]

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
