/// The way from a publisher's page to a file, by links.
public struct LinkTrail: Sendable {
  /// One link of the way.
  public struct Step: Sendable {
    /// What is looked for, for messages.
    public var pattern: String
    /// Whether a link is meant; for the last step the file's name, where the step says it.
    public var match: @Sendable (PageLink) -> Match?

    /// A step.
    public init(pattern: String, match: @escaping @Sendable (PageLink) -> Match?) {
      self.pattern = pattern
      self.match = match
    }
  }

  /// A link that is meant.
  public struct Match: Sendable {
    /// The file's name; nil where the address's last part is it.
    public var name: String?

    /// A link that is meant.
    public init(name: String? = nil) { self.name = name }
  }

  /// The file that the way leads to.
  public struct End: Sendable {
    /// The link.
    public var link: PageLink
    /// The page that has the link.
    public var page: WebAddress
    /// The file's name, fit for a folder.
    public var name: String
  }

  /// The page that the way begins on.
  public var page: WebAddress
  /// The links to follow; the last leads to the file.
  public var steps: [Step]
  /// The parameter in which links to a licence name the file itself.
  public var parameter: String?

  /// A way.
  public init(page: WebAddress, steps: [Step], parameter: String? = nil) {
    self.page = page
    self.steps = steps
    self.parameter = parameter
  }

  /// The links of a page, as they are meant there.
  ///
  /// `address`: the page's own.
  package func links(of page: [UInt8], at address: WebAddress) -> [PageLink] {
    let scanner = HTMLScanner(page)
    let base = scanner.base.flatMap { address.following($0) } ?? address
    return scanner.anchors.compactMap { anchor in
      guard let target = base.following(anchor.target) else { return nil }
      if let named = parameter.flatMap({ target.parameter($0) }), let file = base.following(named) {
        return PageLink(address: file, text: anchor.text, licence: target)
      }
      return PageLink(address: target, text: anchor.text)
    }
  }

  /// The one link that a step means: of several that of the latest posted date.
  package func choose(
    _ step: Step, of links: [PageLink], on page: WebAddress
  ) throws(FetchError) -> (PageLink, Match) {
    var found: [(link: PageLink, match: Match)] = []
    for link in links {
      guard let match = step.match(link) else { continue }
      if !found.contains(where: { $0.link.address == link.address }) { found.append((link, match)) }
    }
    let dated = found.map { PostedDate.of($0.link.address.path) }
    let latest = found.indices.filter { dated[$0] == dated.max() }
    guard let first = latest.first else { throw .noLink(page: page, pattern: step.pattern) }
    guard latest.count == 1 else {
      throw .severalLinks(page: page, pattern: step.pattern, found: latest.map { found[$0].link.address })
    }
    return found[first]
  }

  /// A name that is one component of a path and hides nothing; nil where nothing is left of it.
  public static func fileName(_ name: String) -> String? {
    let letters = name.map { letter in letter == "/" || letter == "\\" ? "_" : letter }
    let kept = letters.filter { letter in
      letter.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }
    let name = String(kept.drop { $0 == "." || $0 == "_" }).trimmed
    return name.isEmpty || name.utf8.count > 200 ? nil : name
  }
}
