import Definitions
public import Pages

/// The dictionary as pages that lead to each other: one for all, and one for each dataset, table and view.
public struct DictionaryPages: Sendable {
  /// A page and the name of its file.
  public struct File: Sendable {
    /// The file's name, without a folder.
    public let name: String
    /// The page.
    public let page: Page
  }

  /// What the head of each page says that wrote it.
  public static let generator = "rivulet docs"

  let dictionary: DataDictionary
  /// What is to be known of the pages themselves.
  let origin: [Page.Fact]
  let project: String

  /// The pages of a dictionary; `origin` says when they were made, and from what.
  public init(_ dictionary: DataDictionary, project: String, origin: [Page.Fact]) {
    (self.dictionary, self.project, self.origin) = (dictionary, project, origin)
  }

  /// All pages, the first one first.
  public var files: [File] {
    [File(name: PageName.index, page: index)]
      + dictionary.datasets.map { File(name: PageName.dataset($0.name), page: page(of: $0)) }
      + dictionary.relations.map { File(name: PageName.relation($0), page: page(of: $0)) }
  }

  static let footer = "Definitions and the database's own catalog: no row of any table."

  /// A page below the first one.
  func page(_ title: String, _ facts: [Page.Fact], _ sections: [PageSection]) -> Page {
    let way = Page.Fact("Dictionary", PageCell("All of \(project)").linking(to: PageName.index))
    return Page(
      title, facts: [way] + facts, sections: sections, footer: Self.footer, generator: Self.generator)
  }

  /// A table's or view's name, leading to its page where it has one.
  func cell(_ name: String) -> PageCell {
    let cell = PageCell(name).code
    return dictionary.relation(named: name).map { cell.linking(to: PageName.relation($0)) } ?? cell
  }

  /// A dataset's name, leading to its page.
  func datasetCell(_ name: String?) -> PageCell {
    guard let name else { return PageCell("none") }
    return dictionary.dataset(named: name) == nil
      ? PageCell(name) : PageCell(name).linking(to: PageName.dataset(name))
  }

  /// A graph of what flows where, its nodes leading to their pages.
  func graph(_ title: String, _ description: String, _ flow: DataFlow) -> LayeredGraph {
    let nodes = flow.nodes.map { node in
      let link =
        node.kind == .file
        ? node.dataset.map { PageName.dataset($0) + "#" + PageName.place("source", node.name) }
        : dictionary.relation(named: node.id).map(PageName.relation)
      let name =
        node.kind == .file ? [node.dataset, node.name].compactMap(\.self).joined(separator: ": ") : node.name
      return LayeredGraph.Node(node.id, name, kind: node.kind.rawValue, link: link)
    }
    return LayeredGraph(
      title, description, kinds: ["Files", "Tables", "Views"], nodes,
      flow.edges.map { LayeredGraph.Edge(from: $0.from, to: $0.to, $0.what) })
  }
}
