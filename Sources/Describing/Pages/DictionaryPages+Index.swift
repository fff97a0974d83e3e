import Definitions
import Pages

extension DictionaryPages {
  /// The first page: a search over all names, the datasets, and the data flow.
  var index: Page {
    let tables = dictionary.relations.filter { !$0.isView }
    let views = dictionary.relations.filter(\.isView)
    let flow = DataFlow(dictionary.datasets, in: dictionary)
    return Page(
      "Data dictionary of \(project)", facts: origin,
      sections: [
        PageSection(
          "Search",
          [.text("Tables, views, columns, fields of files, rules, queries and code lists."), .table(names)]),
        PageSection("Datasets", [.table(datasetTable.underHeading)]),
        PageSection("Tables", [.table(list(tables, "Tables"))]),
        PageSection("Views", [.table(list(views, "Views"))]),
        PageSection(
          "Data flow",
          [
            .graph(
              graph(
                "From files to tables to views",
                "Each box leads to its page. Move it sideways where it is wider than the screen.", flow))
          ]),
      ], footer: Self.footer, generator: Self.generator)
  }

  private var datasetTable: PageTable {
    PageTable(
      "Datasets",
      ["dataset", "what it is", .right("files"), .right("tables"), .right("views"), .right("rules")],
      dictionary.datasets.map { dataset in
        [
          datasetCell(dataset.name), PageCell(dataset.title), PageCell(dataset.sources.count),
          PageCell(dataset.targets.count), PageCell(dataset.views.count), PageCell(dataset.gateRules.count),
        ]
      })
  }

  /// A table of tables or views.
  func list(_ relations: [DescribedRelation], _ caption: String) -> PageTable {
    PageTable(
      caption, ["name", "what it is", "dataset", .right("columns"), .right("rows, about")],
      relations.map { relation in
        [
          cell(relation.name), PageCell(relation.meaning), datasetCell(relation.dataset),
          PageCell(relation.columns.count), PageCell(relation.relation.rows),
        ]
      }, ifEmpty: "There is none."
    ).underHeading
  }

  /// Everything that has a name, to be searched.
  private var names: PageTable {
    var table = PageTable("all names", ["name", "what", "where", "meaning"])
    for dataset in dictionary.datasets { addNames(of: dataset, to: &table) }
    for relation in dictionary.relations {
      table.add([
        cell(relation.name), PageCell(relation.kind), datasetCell(relation.dataset),
        PageCell(relation.meaning),
      ])
      for column in relation.columns {
        let link = PageName.relation(relation) + "#" + PageName.column(column.name)
        table.add([
          PageCell("\(relation.name).\(column.name)").code.linking(to: link), "column",
          PageCell(relation.name),
          PageCell(column.meaning),
        ])
      }
      addFields(of: relation, to: &table)
    }
    return table.asIndex
  }

  private func addNames(of dataset: Pipeline, to table: inout PageTable) {
    let page = PageName.dataset(dataset.name)
    func add(_ kind: String, _ name: String, _ what: String, _ meaning: String) {
      table.add([
        PageCell(name).linking(to: page + "#" + PageName.place(kind, name)), PageCell(what),
        PageCell(dataset.name), PageCell(meaning),
      ])
    }
    table.add([datasetCell(dataset.name), "dataset", "", PageCell(dataset.title)])
    for source in dataset.sources { add("source", source.name, "file", source.shownEntries) }
    for rule in dataset.gateRules { add("rule", rule.name, "rule", rule.finds) }
    for query in dataset.queries { add("query", query.name, "query", query.description) }
    for list in dataset.lists.values.sorted(by: { $0.name < $1.name }) {
      add("list", list.name, "code list", list.title)
    }
  }

  /// The fields of files whose name is another than the column's.
  private func addFields(of relation: DescribedRelation, to table: inout PageTable) {
    for column in relation.columns {
      let link = PageName.relation(relation) + "#" + PageName.column(column.name)
      var seen: Set<String> = []
      for origin in column.origins {
        let names = origin.headers + origin.paths
        for name in names where seen.insert(name).inserted {
          table.add([
            PageCell(name).linking(to: link), "field", PageCell("\(origin.dataset): \(origin.source)"),
            PageCell("\(relation.name).\(column.name)"),
          ])
        }
      }
    }
  }
}
