import Definitions
import Pages
import Values

extension DictionaryPages {
  /// The page of a dataset.
  func page(of dataset: Pipeline) -> Page {
    let relations = dictionary.relations(of: dataset.name)
    let needs = dataset.needs.map { Page.Fact("Needs", datasetCell($0)) }
    let how =
      dataset.publishing == .release ? "release by release, each as a whole" : "merged into its tables"
    let sections: [PageSection] = [
      PageSection(
        "Files", [.text("Which entries of a bundle hold which table."), .table(files(of: dataset))]),
      PageSection("Tables", [.table(list(relations.filter { !$0.isView }, "Tables"))]),
      PageSection("Views", [.table(list(relations.filter(\.isView), "Views"))]),
      PageSection(
        "Data flow",
        [
          .graph(
            graph(
              "From the files of \(dataset.name) to tables to views", "Each box leads to its page.",
              DataFlow([dataset], in: dictionary)))
        ]),
      PageSection(
        "Rules",
        [
          .text(
            "What is asked of the rows as a whole. A rule that fails refuses the release or the merge; one that "
              + "warns is reported; others take the records out that they find."),
          .table(rules(dataset.gateRules, placed: true).underHeading),
        ]),
      PageSection(
        "Queries", dataset.queries.isEmpty ? [.text("There is none.")] : dataset.queries.map(block)),
      PageSection(
        "Code lists", lists(dataset.lists.values.sorted { $0.name < $1.name }, ifEmpty: "There is none.")),
    ]
    return page(
      dataset.name,
      [
        .init("What it is", PageCell(dataset.title)), .init("Loaded", PageCell(how)),
        .init("Rejected records allowed", PageCell(dataset.rejects.description)),
      ] + needs, sections)
  }

  private func files(of dataset: Pipeline) -> PageTable {
    let hasChildren = dataset.sources.contains { !dataset.childTargets(of: $0).isEmpty }
    return PageTable(
      "Files",
      ["source", "entries", "formats", "table", "key"] + (hasChildren ? ["what repeats goes to"] : []),
      dataset.sources.map { source in
        [
          PageCell(source.name).placed(as: PageName.place("source", source.name)),
          PageCell(source.shownEntries).code,
          PageCell(source.shownFormats + (source.isOptional ? "; may be missing" : "")), cell(source.target),
          PageCell(source.key.joined(separator: ", ")).code,
          PageCell(dataset.childTargets(of: source).joined(separator: ", ")).code,
        ]
      }
    ).underHeading
  }

  /// Rules; `placed` where links lead to them.
  func rules(_ rules: [GateRule], placed: Bool = false) -> PageTable {
    PageTable(
      "Rules", ["rule", "what follows", "finds", "why"],
      rules.map { rule in
        let name = PageCell(rule.name)
        return [
          placed ? name.placed(as: PageName.place("rule", rule.name)) : name,
          PageCell(rule.severity.rawValue), PageCell(rule.finds), PageCell(rule.because),
        ]
      }, ifEmpty: "Nothing is asked of the rows as a whole.")
  }

  private func block(of query: QueryDefinition) -> PageBlock {
    let parameters = PageTable(
      "Parameters of \(query.name)", ["option", "type", "needed", "what it means"],
      query.parameters.map {
        [
          PageCell("--\($0.option)").code, PageCell($0.kind.rawValue), PageCell($0.isRequired ? "yes" : ""),
          PageCell($0.description),
        ]
      }, ifEmpty: "It has no parameter.")
    let example: [PageBlock] = query.example.map { [.code($0)] } ?? []
    return .section(
      PageSection(
        query.name, id: PageName.place("query", query.name),
        [.text(query.description), .table(parameters)] + example
          + [.details("The SELECT of \(query.name)", [.code(query.sql.trimmedLines)])]))
  }

  /// Code lists, each with its values.
  func lists(_ lists: [CodeList], ifEmpty: String) -> [PageBlock] {
    lists.isEmpty
      ? [.text(ifEmpty)]
      : lists.map { list in
        .section(
          PageSection(
            list.name, id: PageName.place("list", list.name),
            [
              .table(
                PageTable(
                  list.title, ["code", "meaning"],
                  list.codes.map { [PageCell($0.code).code, PageCell($0.meaning)] }))
            ]))
      }
  }
}
