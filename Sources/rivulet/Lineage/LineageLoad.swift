import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Values

/// The events of one run of a pipeline.
struct LineageLoad {
  private let run: LineageRun
  private let files: [LineageFile]
  private let tables: [(target: String, table: LineageTable)]
  private let pipeline: Pipeline

  /// A run on a source that has not begun.
  ///
  /// `name`: that of the job.
  init(
    _ found: Discovered, through pipeline: Pipeline, named name: String, on connection: Connection,
    at target: ConnectionTarget, _ lineage: Lineage
  ) {
    self.pipeline = pipeline
    files = found.plan.entries.map(LineageFile.init)
    tables = found.plan.targets.map { ($0, LineageTable($0, at: target, on: connection)) }
    run = LineageRun(
      name, in: lineage.namespace, job: Self.job(pipeline), parent: lineage.parent, to: lineage.sink)
  }

  /// The facets of a pipeline as a job.
  static func job(_ pipeline: Pipeline) -> JSON {
    ["jobType": LineageFacet.jobType("RUN"), "documentation": LineageFacet.documentation(pipeline.title)]
  }

  /// Says that it begins.
  func start() {
    run.start(inputs: files.map { $0.dataset(nil, rules: []) }, outputs: tables.map { output($0, of: nil) })
  }

  /// Says how it ended; `error` is why it did not end well.
  func end(_ report: RunReport?, _ error: (any Error)? = nil) {
    let end = error.map(Lineage.end) ?? .complete
    run.end(
      end, facets: report.map { ["rivulet_run": Self.facet($0)] } ?? [:],
      inputs: files.map { $0.dataset(Self.report(of: $0, in: report), rules: rules(about: $0, in: report)) },
      outputs: tables.map { output($0, of: report) })
  }

  /// How the ledger has it.
  private static func facet(_ report: RunReport) -> JSON {
    LineageFacet.ownOfRun([
      "run": report.run, "pipeline": report.pipeline, "release": report.release, "revision": report.revision,
      "state": report.state.rawValue,
    ])
  }

  private static func report(of file: LineageFile, in report: RunReport?) -> SourceReport? {
    report?.sources.first {
      $0.source == file.source && $0.file == file.place.file && $0.entry == file.place.entry
    }
  }

  /// Those that name the source, and for the pipeline's first source those that name none.
  private func rules(about file: LineageFile, in report: RunReport?) -> [GateReport] {
    let names = pipeline.sources.map(\.name)
    return (report?.gates ?? []).filter { rule in
      let named = names.filter { rule.rule.hasSuffix("-" + $0) || rule.rule.contains("-\($0)-") }
      return named.isEmpty ? file.source == names.first : named.contains(file.source)
    }
  }

  private func output(_ target: (target: String, table: LineageTable), of report: RunReport?) -> JSON {
    var facets: JSON = [:]
    let lineage = columns(of: target.target)
    if !lineage.members.isEmpty {
      facets = [
        "columnLineage": LineageFacet.standard("1-2-0/ColumnLineageDatasetFacet", ["fields": lineage])
      ]
    }
    if let release = report?.release, let revision = report?.revision {
      let version: JSON = ["datasetVersion": "\(release) revision \(revision)"]
      facets = facets + ["version": LineageFacet.standard("1-0-1/DatasetVersionDatasetFacet", version)]
    }
    return target.table.dataset(
      facets: facets, counted: report.flatMap { Self.rows(of: target.target, in: $0) })
  }

  /// How many rows a run wrote to a table; nil where it wrote none.
  private static func rows(of target: String, in report: RunReport) -> Int? {
    switch report.state {
    case .published, .staged: report.sources.reduce(0) { $0 + ($1.targets[target] ?? 0) }
    case .merged:
      report.merges.filter { $0.target == target }.reduce(0) { $0 + $1.inserted + $1.updated + $1.deleted }
    default: nil
    }
  }

  /// The fields that each column of a table has its values from.
  private func columns(of target: String) -> JSON {
    var order: [String] = []
    var found: [String: [JSON]] = [:]
    for file in files {
      for field in file.fields where field.target == target {
        if found[field.column] == nil { order.append(field.column) }
        let way: JSON = ["type": "DIRECT", "subtype": "TRANSFORMATION"]
        let input: JSON = [
          "namespace": file.namespace, "name": file.name, "field": field.field, "transformations": [way],
        ]
        found[field.column, default: []].append(input)
      }
    }
    return JSON.object(of: order) { ($0, ["inputFields": found[$0] ?? []] as JSON) }
  }
}
