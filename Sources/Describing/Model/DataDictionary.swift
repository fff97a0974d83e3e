public import Definitions

/// What a project's datasets and a database's schema say of each other: files, tables, columns, views, rules.
///
///     let dictionary = DataDictionary(pipelines, relations: try SchemaReader.relations(on: connection))
///     dictionary.relation(named: "cms.rvu")?.column(named: "work_rvu")?.origins
///
/// It is made of definitions and of the catalog, and has no value of any row.
public struct DataDictionary: Sendable {
  /// The datasets, in the order of their names.
  public let datasets: [Pipeline]
  /// The tables and views, in the order of their names.
  public let relations: [DescribedRelation]

  /// The dictionary of some datasets and of all tables and views that a database has.
  public init(_ datasets: [Pipeline], relations: [Relation]) {
    self.datasets = datasets
    var described = DictionaryDraft(datasets, relations).relations
    var readers: [String: Set<String>] = [:]
    var referring: [String: Set<String>] = [:]
    for relation in described {
      for read in relation.relation.reads { readers[read, default: []].insert(relation.name) }
      for reference in relation.relation.references {
        referring[reference.table, default: []].insert(relation.name)
      }
    }
    for index in described.indices {
      described[index].readBy = readers[described[index].name, default: []].sorted()
      described[index].referredToBy = referring[described[index].name, default: []].sorted()
    }
    self.relations = described
  }

  /// The dataset of a name.
  public func dataset(named name: String) -> Pipeline? { datasets.first { $0.name == name } }

  /// The table or view of a name.
  public func relation(named name: String) -> DescribedRelation? { relations.first { $0.name == name } }

  /// The tables and views of a dataset.
  public func relations(of dataset: String) -> [DescribedRelation] {
    relations.filter { $0.dataset == dataset }
  }

  /// The tables that the datasets load and the database lacks.
  public var missingTables: [String] {
    datasets.flatMap(\.targets).filter { target in relation(named: target)?.isMade != true }
  }
}
