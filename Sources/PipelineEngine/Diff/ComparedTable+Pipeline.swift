import Definitions
import PipelineCore
import PostgreSQL

/// The tables of a pipeline, as they are to be compared.
extension ComparedTable {
  /// In the order of the sources, each with those of its children.
  static func all(of pipeline: Pipeline, on connection: Connection) throws -> [ComparedTable] {
    try pipeline.sources.flatMap { try all(of: $0, in: pipeline, on: connection) }
  }

  /// That of a source, then those of its children.
  static func all(
    of source: Source, in pipeline: Pipeline, on connection: Connection
  ) throws -> [ComparedTable] {
    let versions = pipeline.layout(of: source)?.versions ?? []
    let children = try pipeline.childTargets(of: source).map { name in
      let columns = versions.flatMap(\.children).filter { $0.target == name }.flatMap { $0.slots.first ?? [] }
      return ComparedTable(
        try TargetTable(name, on: connection), key: source.key + ["slot"], columns: columns,
        standsForAll: pipeline.diff.standsForAll)
    }
    let own = ComparedTable(
      try TargetTable(source.target, on: connection), key: source.key, columns: versions.flatMap(\.columns),
      standsForAll: pipeline.diff.standsForAll)
    return [own] + children
  }

  /// Two releases of the target.
  func sides(from: String, to: String) -> (from: ComparedSide, to: ComparedSide) {
    (ComparedSide(relation: name, release: from), ComparedSide(relation: name, release: to))
  }
}
