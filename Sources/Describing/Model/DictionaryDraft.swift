import Definitions
import SQLText

/// Puts together what definitions and the catalog say of each table and view.
struct DictionaryDraft {
  private let datasets: [Pipeline]
  private let made: [String: Relation]
  /// The words of each amendment, with what it is and the tables that it names.
  private let amendments: [(name: String, words: Set<String>)]
  /// The views of the datasets, by name.
  private let views: [String: (dataset: String, view: ViewDefinition)]

  init(_ datasets: [Pipeline], _ relations: [Relation]) {
    self.datasets = datasets
    made = Dictionary(relations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    amendments = datasets.flatMap { dataset in
      dataset.sources.flatMap { [$0.amendment, $0.change].compactMap(\.self) }.map {
        ("the amendment '\($0.name)' of \(dataset.name)", Self.words(of: $0.template))
      }
    }
    views = Dictionary(
      datasets.flatMap { dataset in dataset.views.map { ($0.name, (dataset.name, $0)) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Every table and view, in the order of the names; of views that are not made, too.
  var relations: [DescribedRelation] {
    let names = Set(made.keys).union(views.keys).union(datasets.flatMap(\.targets))
    return names.sorted().map { relation($0) }
  }

  private func relation(_ name: String) -> DescribedRelation {
    let relation = made[name] ?? Relation(name)
    let loading = datasets.filter { $0.targets.contains(name) }
    let base = datasets.filter { pipeline in
      pipeline.sources.filter(\.merge.keepsHistory).contains { source in
        ([source.target] + pipeline.childTargets(of: source)).contains { MergeRule.history(of: $0) == name }
      }
    }
    let listing = datasets.filter { $0.listTable == name }
    let owner = views[name]?.dataset ?? (loading + base + listing).first?.name
    let sources = loading.first.map { pipeline in
      pipeline.sources.filter { ([$0.target] + pipeline.childTargets(of: $0)).contains(name) }
    }
    var origins: [String: [FieldOrigin]] = [:]
    for pipeline in loading {
      for source in pipeline.sources {
        origins.merge(FieldOrigin.all(of: name, in: source, of: pipeline)) { $0 + $1 }
      }
    }
    let columns = relation.columns.map { column in
      let found = origins[column.name] ?? []
      return DescribedColumn(
        column: column, meaning: column.comment ?? inherited(column.name, from: relation.reads),
        origins: found,
        filledBy: found.isEmpty && views[name] == nil && !relation.isView
          ? filler(of: column, in: name, loading, isHistory: !base.isEmpty, isList: !listing.isEmpty) : nil,
        list: list(of: column.name, in: name, loading),
        isSensitive: isSensitive(column.name, in: name, loading))
    }
    return DescribedRelation(
      relation: relation, dataset: owner, view: views[name]?.view, isMade: made[name] != nil,
      columns: columns, sources: sources ?? [],
      rules: loading.flatMap(\.gateRules).filter { $0.tables.contains(name) })
  }

  /// What is said of the columns of this name in what a view reads, where all say the same.
  private func inherited(_ column: String, from reads: [String]) -> String? {
    let said = Set(reads.compactMap { made[$0]?.column(named: column)?.comment })
    return said.count == 1 ? said.first : nil
  }

  private func filler(
    of column: RelationColumn, in table: String, _ loading: [Pipeline], isHistory: Bool, isList: Bool
  ) -> String? {
    if column.isGenerated { return "the database computes it: \(column.expression ?? "")" }
    if column.isIdentity { return "the database numbers the rows" }
    if isList { return "the code lists of the project" }
    if isHistory { return historyFiller(column.name) }
    if let pipeline = loading.first {
      switch column.name {
      case "release" where pipeline.publishing == .release:
        return "the program: the release that the row is of"
      case "source_file_id": return "the program: the number of the file that the row is from"
      case "source_line": return "the program: the line of the file that the row is from"
      default: break
      }
    }
    let part = table.drop { $0 != "." }.dropFirst()
    let writing = amendments.filter {
      $0.words.contains(column.name) && ($0.words.contains(table) || $0.words.contains(String(part)))
    }
    if let first = writing.first { return first.name }
    return column.expression.map { "the database, where nobody says otherwise: \($0)" }
  }

  private func historyFiller(_ column: String) -> String {
    switch column {
    case "valid_from": "the program: the first day on which the row held"
    case "valid_to": "the program: the first day on which it held no more"
    default: "the program: what the row had before it was changed"
    }
  }

  private func list(of column: String, in table: String, _ loading: [Pipeline]) -> CodeList? {
    for pipeline in loading {
      for layout in columns(named: column, in: table, of: pipeline) {
        if let list = layout.list.flatMap({ pipeline.lists[$0] }) { return list }
      }
    }
    return nil
  }

  private func isSensitive(_ column: String, in table: String, _ loading: [Pipeline]) -> Bool {
    loading.contains { columns(named: column, in: table, of: $0).contains(where: \.isSensitive) }
  }

  private func columns(named name: String, in table: String, of pipeline: Pipeline) -> [LayoutColumn] {
    pipeline.sources.flatMap { source in
      (pipeline.layout(of: source)?.versions ?? []).flatMap { version in
        let own = source.target == table ? version.columns : []
        return own + version.children.filter { $0.target == table }.flatMap { $0.slots.first ?? [] }
      }.filter { $0.name == name }
    }
  }

  /// The words of an amendment, and the staged tables that it names.
  private static func words(of template: SQLTemplate) -> Set<String> {
    var lexer = SQLLexer(template.filled { $0 })
    var words = Set(template.names)
    while let token = lexer.next() {
      if token.kind == .word { words.insert(lexer.text(token.range).lowercased()) }
    }
    return words
  }
}
