import Definitions
public import Reporting
import Values

extension DataDictionary {
  /// All that can be described: datasets, tables and views.
  public var list: ConsoleText {
    var table = TextTable(["name", "what", "dataset", .prose("what it is")])
    for dataset in datasets { table.add([dataset.name, "dataset", "", dataset.title]) }
    for relation in relations {
      table.add([relation.name, relation.kind, relation.dataset, relation.meaning])
    }
    return table.text(orIfEmpty: "there is nothing to describe\n")
  }

  /// One of them in full.
  public func text(of subject: Subject) -> ConsoleText {
    switch subject {
    case .dataset(let dataset): text(of: dataset)
    case .relation(let relation): text(of: relation)
    case .column(let column, let relation): text(of: column, in: relation)
    }
  }

  private func text(of dataset: Pipeline) -> ConsoleText {
    let files = TextTable(
      ["file", "formats", "table", .prose("entries")],
      dataset.sources.map { [$0.name, $0.shownFormats, $0.target, $0.shownEntries] })
    var queries = TextTable(["query", .prose("what it tells")])
    for query in dataset.queries {
      queries.add([query.name, query.description])
      for parameter in query.parameters {
        queries.add([
          "  --\(parameter.option)",
          (parameter.description ?? "") + (parameter.isRequired ? " (needed)" : ""),
        ])
      }
    }
    let relations = TextTable(
      ["name", "what", .prose("what it is")],
      relations(of: dataset.name).map { [$0.name, $0.kind, $0.meaning] })
    let needs = dataset.needs.isEmpty ? "" : "needs \(dataset.needs.joined(separator: ", "))\n"
    return Self.parts([
      "\(dataset.name): \(dataset.title)\n\(needs)", files.text(orIfEmpty: ""), relations.text(orIfEmpty: ""),
      Self.rules(dataset.gateRules), queries.text(orIfEmpty: ""),
    ])
  }

  private func text(of relation: DescribedRelation) -> ConsoleText {
    let files = TextTable(
      ["file", "formats", .prose("entries")],
      relation.sources.map { [$0.name, $0.shownFormats, $0.shownEntries] })
    // Whether a column of a view may be NULL, and what loads it, nobody can say.
    let columns =
      relation.isView
      ? TextTable(
        ["column", "type", .prose("what it is")],
        relation.columns.map { [$0.name, $0.column.type, $0.meaning] })
      : TextTable(
        ["column", "type", "NULL", "from", .prose("what it is")],
        relation.columns.map {
          [$0.name, $0.column.type, $0.column.isNullable ? "" : "never", $0.source, $0.meaning]
        })
    let unmade = "it is not in the database: 'rivulet migrate up' makes it where what it needs is there\n"
    let lists = "code lists: 'rivulet describe \(relation.name).COLUMN', of "
    let listed = relation.columns.filter { $0.list != nil }.map(\.name)
    return Self.parts([
      "\(relation.name)\n\n" + Self.facts(of: relation),
      relation.isMade ? columns.text(orIfEmpty: "no column\n") : ConsoleText(unmade),
      ConsoleText(listed.isEmpty ? "" : lists + listed.joined(separator: ",\n  ") + "\n"),
      files.text(orIfEmpty: ""), Self.rules(relation.rules),
      ConsoleText(relation.sql.map { "computed by\n\($0.trimmedLines)\n" } ?? ""),
    ])
  }

  /// What there is to know of a table or view as a whole, and what it hangs together with.
  private static func facts(of relation: DescribedRelation) -> ConsoleText {
    var facts = TextTable(["what", .prose("value")])
    func add(_ name: String, _ values: [String]) {
      if !values.isEmpty { facts.add([name, values.joined(separator: ", ")]) }
    }
    facts.add(["kind", relation.shownKind])
    add("what it is", [relation.meaning].compactMap(\.self))
    add("dataset", [relation.dataset].compactMap(\.self))
    add("key", relation.relation.key)
    add("rows, about", [relation.relation.rows?.grouped].compactMap(\.self))
    for columns in relation.relation.uniques { add("also unique", columns) }
    for reference in relation.relation.references {
      let columns = reference.columns.joined(separator: ", ")
      facts.add(["refers to", "\(columns): \(reference.table) (\(reference.others.joined(separator: ", ")))"])
    }
    for check in relation.relation.checks { facts.add(["each row", check]) }
    add("reads", relation.relation.reads)
    add("read by", relation.readBy)
    add("referred to by", relation.referredToBy)
    return facts.text
  }

  private func text(of column: DescribedColumn, in relation: DescribedRelation) -> ConsoleText {
    var facts = TextTable(["what", .prose("value")])
    facts.add(["type", column.column.type])
    facts.add(["NULL", column.column.isNullable ? "may be" : "never"])
    if let meaning = column.meaning { facts.add(["what it is", meaning]) }
    if let filledBy = column.filledBy { facts.add(["from", filledBy]) }
    if column.isSensitive { facts.add(["values", "never shown in a log or a report"]) }
    let fields = TextTable(
      ["source", "field", "written as", "layout", .prose("also; must be")],
      column.origins.map { origin in
        [
          "\(origin.dataset): \(origin.source)", origin.shown, origin.type,
          origin.versions.joined(separator: ", "),
          ([origin.also] + origin.rules).filter { !$0.isEmpty }.joined(separator: "; "),
        ]
      })
    let codes = column.list.map { list in
      "code list \(list.name): \(list.title)\n"
        + TextTable(["code", .prose("meaning")], list.codes.map { [$0.code, $0.meaning] }).text
    }
    return Self.parts([
      "\(relation.name).\(column.name)\n", facts.text, fields.text(orIfEmpty: ""), codes ?? "",
    ])
  }

  private static func rules(_ rules: [GateRule]) -> ConsoleText {
    TextTable(
      ["rule", "what follows", .prose("finds, and why it matters")],
      rules.map {
        [
          $0.name, $0.severity.rawValue,
          $0.finds + ($0.finds.hasSuffix(".") ? " Why: " : "; why: ") + $0.because,
        ]
      }
    ).text(orIfEmpty: "")
  }

  private static func parts(_ parts: [ConsoleText]) -> ConsoleText {
    parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
