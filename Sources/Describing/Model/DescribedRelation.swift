public import Definitions

/// A table or view of the dictionary: what the database says of it, and what the project does.
public struct DescribedRelation: Sendable {
  /// As the catalog has it; of a view that is not made, its name alone.
  public let relation: Relation
  /// The dataset that loads it, or whose view it is, by its pipeline's name; nil where there is none.
  public let dataset: String?
  /// The definition of a view of the project.
  public let view: ViewDefinition?
  /// It is in the database.
  public let isMade: Bool
  /// Its columns, in their order.
  public let columns: [DescribedColumn]
  /// The sources whose rows go into it, of its dataset.
  public let sources: [Source]
  /// What is asked of its rows as a whole.
  public let rules: [GateRule]
  /// The tables and views that are computed from it, sorted.
  public var readBy: [String] = []
  /// The tables whose columns refer to it, sorted.
  public var referredToBy: [String] = []

  /// Its name, `schema.name`.
  public var name: String { relation.name }
  /// Its rows are computed, now or at a refresh.
  public var isView: Bool { relation.isView || view != nil }
  /// `table` or `view`.
  public var kind: String { isView ? "view" : "table" }
  /// What it is, in words; nil where nobody says it.
  public var meaning: String? { view?.description ?? relation.comment }
  /// The SELECT that computes it; nil of tables.
  public var sql: String? { view.map { $0.sql(keys: "{keys}") } ?? relation.sql }
  /// The code lists of its columns, each once.
  public var lists: [CodeList] {
    columns.compactMap(\.list).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The column of a name.
  public func column(named name: String) -> DescribedColumn? { columns.first { $0.name == name } }
}
