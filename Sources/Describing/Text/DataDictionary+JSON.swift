import Definitions
public import Values

extension DataDictionary {
  /// All that can be described, each with its kind.
  public var listJSON: JSON {
    [
      "datasets": JSON.array(of: datasets) { ["name": $0.name, "title": $0.title] },
      "relations": JSON.array(of: relations) {
        ["name": $0.name, "kind": $0.kind, "dataset": $0.dataset, "meaning": $0.meaning]
      },
    ]
  }

  /// One of them in full.
  public func json(of subject: Subject) -> JSON {
    switch subject {
    case .dataset(let dataset): json(of: dataset)
    case .relation(let relation): json(of: relation)
    case .column(let column, let relation): ["kind": "column", "of": relation.name] + Self.json(of: column)
    }
  }

  private func json(of dataset: Pipeline) -> JSON {
    [
      "kind": "dataset", "name": dataset.name, "title": dataset.title, "publish": dataset.publishing.rawValue,
      "needs": dataset.needs,
      "sources": JSON.array(of: dataset.sources) { source in
        Self.json(of: source) + ["targets": [source.target] + dataset.childTargets(of: source)]
      },
      "relations": relations(of: dataset.name).map(\.name), "rules": Self.json(of: dataset.gateRules),
      "queries": JSON.array(of: dataset.queries) { query in
        [
          "name": query.name, "description": query.description,
          "parameters": JSON.array(of: query.parameters) {
            [
              "option": $0.option, "type": $0.kind.rawValue, "required": $0.isRequired,
              "description": $0.description,
            ]
          },
        ]
      },
    ]
  }

  private func json(of relation: DescribedRelation) -> JSON {
    [
      "kind": relation.kind, "name": relation.name, "meaning": relation.meaning, "dataset": relation.dataset,
      "in_database": relation.isMade, "strategy": relation.view?.strategy.rawValue,
      "key": relation.relation.key, "rows_estimate": relation.relation.rows,
      "columns": JSON.array(of: relation.columns, Self.json),
      "sources": JSON.array(of: relation.sources, Self.json),
      "references": JSON.array(of: relation.relation.references) {
        ["columns": $0.columns, "table": $0.table, "to": $0.others]
      },
      "unique": relation.relation.uniques, "checks": relation.relation.checks,
      "rules": Self.json(of: relation.rules), "reads": relation.relation.reads, "read_by": relation.readBy,
      "referred_to_by": relation.referredToBy, "sql": relation.sql,
    ]
  }

  private static func json(of source: Source) -> JSON {
    [
      "source": source.name, "entries": [source.entries.text] + source.parts.map(\.entries.text),
      "formats": source.formats.map(\.rawValue), "optional": source.isOptional,
    ]
  }

  private static func json(of rules: [GateRule]) -> JSON {
    JSON.array(of: rules) {
      ["rule": $0.name, "severity": $0.severity.rawValue, "finds": $0.finds, "because": $0.because]
    }
  }

  private static func json(of column: DescribedColumn) -> JSON {
    [
      "name": column.name, "type": column.column.type, "nullable": column.column.isNullable,
      "meaning": column.meaning, "filled_by": column.filledBy, "sensitive": column.isSensitive,
      "fields": JSON.array(of: column.origins) {
        [
          "dataset": $0.dataset, "source": $0.source, "headers": $0.headers, "places": $0.places,
          "paths": $0.paths, "otherwise": $0.words, "type": $0.type, "rules": $0.rules,
          "layouts": $0.versions,
        ]
      },
      "list": column.list.map { list -> JSON in
        [
          "name": list.name, "title": list.title,
          "codes": JSON.array(of: list.codes) { ["code": $0.code, "meaning": $0.meaning] },
        ]
      },
    ]
  }
}
