public import Definitions

extension DataDictionary {
  /// What can be looked up by its name.
  public enum Subject: Sendable {
    /// A dataset.
    case dataset(Pipeline)
    /// A table or a view.
    case relation(DescribedRelation)
    /// A column, and what it is of.
    case column(DescribedColumn, of: DescribedRelation)
  }

  /// What a name is of: a dataset's `cms-rvu`, a table's or view's `cms.rvu`, a column's `cms.rvu.work_rvu`; nil
  /// where it is of nothing.
  public func subject(named name: String) -> Subject? {
    if let dataset = dataset(named: name) { return .dataset(dataset) }
    if let relation = relation(named: name) { return .relation(relation) }
    // A name may hold dots itself.
    for relation in relations where name.hasPrefix(relation.name + ".") {
      if let column = relation.column(named: String(name.dropFirst(relation.name.count + 1))) {
        return .column(column, of: relation)
      }
    }
    return nil
  }

  /// The names that are most like one which is of nothing: of columns where it begins with a table's name.
  public func nearest(to name: String) -> [String] {
    let table = relations.first { name.hasPrefix($0.name + ".") }
    let names =
      table.map { table in table.columns.map { "\(table.name).\($0.name)" } }
      ?? relations.map(\.name) + datasets.map(\.name)
    return NearestName.nearest(3, to: name, among: names)
  }
}
