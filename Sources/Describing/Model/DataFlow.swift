public import Definitions

/// How data flows from the files of publishers over tables to views.
public struct DataFlow: Sendable {
  /// What a node is.
  public enum Kind: Int, Sendable {
    /// A file of a bundle: a source of a dataset.
    case file
    /// A table.
    case table
    /// A view, live or stored.
    case view
  }

  /// A file, a table or a view.
  public struct Node: Sendable, Hashable {
    /// What tells it from all others: `cms-rvu/pprrvu` or `cms.rvu`.
    public let id: String
    /// What it is.
    public let kind: Kind
    /// What it is called where it is shown.
    public let name: String
    /// The dataset of a file.
    public let dataset: String?
  }

  /// A step: rows of one go into the other, or one is computed from the other.
  public struct Edge: Sendable, Hashable {
    /// Where it begins, by the node's ``Node/id``.
    public let from: String
    /// Where it ends.
    public let to: String
    /// What happens on it, in a word: `loads`, `amends`, `reads`.
    public let what: String
  }

  /// The node of the project's code lists.
  private static let lists = "code lists"

  /// The nodes, dataset by dataset.
  public private(set) var nodes: [Node] = []
  /// The steps, each once.
  public private(set) var edges: [Edge] = []

  /// The flow through some datasets of a dictionary, with what their views read of others.
  public init(_ datasets: [Pipeline], in dictionary: DataDictionary) {
    for dataset in datasets {
      for source in dataset.sources { add(source, of: dataset, dictionary) }
      for relation in dictionary.relations(of: dataset.name) { add(relation, dictionary) }
      if let table = dataset.listTable, !dataset.lists.isEmpty,
        let relation = dictionary.relation(named: table)
      {
        add(Node(id: Self.lists, kind: .file, name: Self.lists, dataset: nil))
        add(relation, dictionary)
        let edge = Edge(from: Self.lists, to: table, what: "loads")
        if !edges.contains(edge) { edges.append(edge) }
      }
    }
    // Views that migrations make are of no dataset.
    for relation in dictionary.relations where relation.dataset == nil && relation.isView {
      let reads = relation.relation.reads
      if !reads.isEmpty, reads.contains(where: { read in nodes.contains { $0.id == read } }) {
        add(relation, dictionary)
      }
    }
  }

  private mutating func add(_ source: Source, of dataset: Pipeline, _ dictionary: DataDictionary) {
    let id = "\(dataset.name)/\(source.name)"
    add(Node(id: id, kind: .file, name: source.name, dataset: dataset.name))
    func connect(_ table: String, _ what: String) {
      guard let relation = dictionary.relation(named: table) else { return }
      add(node(of: relation))
      let edge = Edge(from: id, to: table, what: what)
      if !edges.contains(where: { $0.from == id && $0.to == table }) { edges.append(edge) }
    }
    for table in [source.target] + dataset.childTargets(of: source) { connect(table, "loads") }
    for amendment in [source.amendment, source.change].compactMap(\.self) {
      for table in amendment.template.names where dataset.targets.contains(table) { connect(table, "amends") }
    }
  }

  private mutating func add(_ relation: DescribedRelation, _ dictionary: DataDictionary) {
    add(node(of: relation))
    guard relation.isView else { return }
    for read in relation.relation.reads {
      guard let other = dictionary.relation(named: read) else { continue }
      let isNew = !nodes.contains { $0.id == read }
      add(node(of: other))
      let edge = Edge(from: read, to: relation.name, what: "is read by")
      if !edges.contains(edge) { edges.append(edge) }
      // What a view of another dataset is computed from belongs to the flow, too.
      if isNew, other.isView { add(other, dictionary) }
    }
  }

  private func node(of relation: DescribedRelation) -> Node {
    Node(
      id: relation.name, kind: relation.isView ? .view : .table, name: relation.name,
      dataset: relation.dataset)
  }

  private mutating func add(_ node: Node) {
    if !nodes.contains(where: { $0.id == node.id }) { nodes.append(node) }
  }
}
