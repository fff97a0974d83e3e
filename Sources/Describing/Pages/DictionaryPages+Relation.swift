import Definitions
import Pages
import Values

extension DictionaryPages {
  /// The page of a table or a view.
  func page(of relation: DescribedRelation) -> Page {
    let sections: [PageSection?] = [
      PageSection("Columns", relation.isMade ? [.table(columns(of: relation))] : [Self.unmade(relation)]),
      fields(of: relation), codes(of: relation), computed(relation), constraints(of: relation),
      relation.rules.isEmpty
        ? nil : PageSection("Rules", [.table(rules(relation.rules).underHeading)]),
      used(relation),
    ]
    return page(relation.name, facts(of: relation), sections.compactMap(\.self))
  }

  private static func unmade(_ relation: DescribedRelation) -> PageBlock {
    .note("It is not in the database: 'rivulet migrate up' makes it where what it needs is there.", .warning)
  }

  private func facts(of relation: DescribedRelation) -> [Page.Fact] {
    var facts: [Page.Fact] = [
      .init("What it is", PageCell(relation.meaning ?? "the database has no comment on it")),
      .init("Dataset", datasetCell(relation.dataset)), .init("Kind", PageCell(relation.shownKind)),
    ]
    if !relation.relation.key.isEmpty {
      facts.append(.init("Key", PageCell(relation.relation.key.joined(separator: ", ")).code))
    }
    if let rows = relation.relation.rows { facts.append(.init("Rows, about", PageCell(rows))) }
    return facts
  }

  private func columns(of relation: DescribedRelation) -> PageTable {
    // Whether a column of a view may be NULL, and what loads it, nobody can say.
    let isLoaded = !relation.isView
    return PageTable(
      "Columns", ["column", "what it is", "type"] + (isLoaded ? ["NULL", "from"] : []),
      relation.columns.map { column in
        let source = PageCell(column.source)
        let hidden = column.isSensitive ? "never shown in a log or a report" : nil
        return [
          PageCell(column.name).code.placed(as: PageName.column(column.name)),
          PageCell([column.meaning, hidden].compactMap(\.self).joined(separator: "; ")),
          PageCell(column.column.type).code, PageCell(column.column.isNullable ? "may be" : "never"),
          column.origins.isEmpty ? source : source.linking(to: "#fields"),
        ]
      }, ifEmpty: "It has no column."
    ).underHeading
  }

  private func fields(of relation: DescribedRelation) -> PageSection? {
    var table = PageTable(
      "Fields", ["column", "field", "also", "written as", "must be", "in layout", "source"])
    for column in relation.columns {
      for origin in column.origins {
        let file = PageName.dataset(origin.dataset) + "#" + PageName.place("source", origin.source)
        table.add([
          PageCell(column.name).code, PageCell(origin.shown), PageCell(origin.also),
          PageCell(origin.type).code,
          PageCell(origin.rules.joined(separator: "; ")), PageCell(origin.versions.joined(separator: ", ")),
          PageCell(origin.source).linking(to: file),
        ])
      }
    }
    guard !table.isEmpty else { return nil }
    let files = relation.sources.map { "\($0.name): \($0.shownEntries) (\($0.shownFormats))" }
    return PageSection(
      "Fields of files", id: "fields",
      [
        .text(
          "Which field of which publisher's file a column is from. Files: \(files.joined(separator: "; "))."),
        .table(table.underHeading),
      ])
  }

  private func codes(of relation: DescribedRelation) -> PageSection? {
    guard !relation.lists.isEmpty else { return nil }
    let columns = relation.columns.compactMap { column in column.list.map { "\(column.name): \($0.name)" } }
    return PageSection(
      "Code lists",
      [.text("What values mean, of \(columns.joined(separator: ", ")).")]
        + lists(relation.lists, ifEmpty: ""))
  }

  private func computed(_ relation: DescribedRelation) -> PageSection? {
    guard let sql = relation.sql else { return nil }
    let reads = PageTable(
      "It reads", ["name", "what it is"],
      relation.relation.reads.map { [cell($0), PageCell(dictionary.relation(named: $0)?.meaning)] },
      ifEmpty: "It reads no table.")
    return PageSection("How it is computed", id: "sql", [.table(reads), .code(sql.trimmedLines)])
  }

  private func constraints(of relation: DescribedRelation) -> PageSection? {
    var blocks: [PageBlock] = []
    let references = relation.relation.references
    if !references.isEmpty {
      blocks.append(
        .table(
          PageTable(
            "Refers to", ["columns", "table", "its columns"],
            references.map {
              [
                PageCell($0.columns.joined(separator: ", ")).code, cell($0.table),
                PageCell($0.others.joined(separator: ", ")).code,
              ]
            })))
    }
    if !relation.relation.uniques.isEmpty {
      blocks.append(
        .table(
          PageTable(
            "No two rows share", ["columns"],
            relation.relation.uniques.map { [PageCell($0.joined(separator: ", ")).code] })))
    }
    if !relation.relation.checks.isEmpty {
      blocks.append(
        .table(
          PageTable("Each row must be so", ["check"], relation.relation.checks.map { [PageCell($0).code] })))
    }
    return blocks.isEmpty ? nil : PageSection("Keys and checks", blocks)
  }

  private func used(_ relation: DescribedRelation) -> PageSection? {
    let users =
      relation.readBy.map { ($0, "is computed from it") } + relation.referredToBy.map { ($0, "refers to it") }
    guard !users.isEmpty else { return nil }
    return PageSection(
      "Used by",
      [
        .table(
          PageTable("Used by", ["name", "how"], users.map { [cell($0.0), PageCell($0.1)] }).underHeading)
      ])
  }
}

extension DescribedRelation {
  /// Table or view, and how a view is kept.
  public var shownKind: String {
    switch view?.strategy {
    case .live: "view, always now"
    case .full: "view, kept in a table, computed as a whole"
    case .incremental: "view, kept in a table, of what has changed"
    case nil: kind
    }
  }
}
