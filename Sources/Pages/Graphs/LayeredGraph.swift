/// A graph of nodes and edges, drawn from left to right in layers.
public struct LayeredGraph: Sendable {
  /// A node: a box with a name, which may lead to a page.
  public struct Node: Sendable {
    let id: String
    let name: String
    let link: String?
    let kind: Int

    /// A node; `kind` is the number of its kind, and the leftmost layer in which it may be.
    public init(_ id: String, _ name: String, kind: Int, link: String? = nil) {
      (self.id, self.name, self.kind, self.link) = (id, name, kind, link)
    }
  }

  /// An edge from one node to another, and what it means.
  public struct Edge: Sendable {
    let from: String
    let to: String
    let what: String

    /// An edge between nodes by their ids.
    public init(from: String, to: String, _ what: String) {
      (self.from, self.to, self.what) = (from, to, what)
    }
  }

  let title: String
  let description: String
  /// What the kinds are called, in their order.
  let kinds: [String]
  let nodes: [Node]
  let edges: [Edge]

  /// A graph; what its edges name and is no node is left out, as is what leads to itself.
  public init(_ title: String, _ description: String, kinds: [String], _ nodes: [Node], _ edges: [Edge]) {
    (self.title, self.description, self.kinds, self.nodes) = (title, description, kinds, nodes)
    let known = Set(nodes.map(\.id))
    self.edges = edges.filter { $0.from != $0.to && known.contains($0.from) && known.contains($0.to) }
  }

  /// The edges as a table.
  var table: PageTable {
    let names = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let cell = { (id: String) -> PageCell in
      let node = names[id]
      let cell = PageCell(node?.name ?? id)
      return node?.link.map(cell.linking) ?? cell
    }
    return PageTable(
      "Edges", ["from", "how", "to"],
      edges.map { [cell($0.from), PageCell($0.what), cell($0.to)] },
      ifEmpty: "There is no edge.")
  }
}
