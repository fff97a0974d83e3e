import Definitions
import PipelineCore
import Values

/// A run as scripts rely on it.
///
/// `stages`: those of the command after the run, in seconds.
/// `views`: the document of the views that were refreshed after it.
func json(
  _ report: RunReport, stages: [(name: String, seconds: Double)] = [], views: JSON = .array([])
) -> JSON {
  .object([
    ("run", .integer(report.run)), ("pipeline", .string(report.pipeline)), ("release", JSON(report.release)),
    ("revision", JSON(report.revision)), ("state", .string(report.state.rawValue)),
    (
      "sources",
      .array(
        report.sources.map { source in
          .object([
            ("file", .string(source.file)), ("entry", JSON(source.entry)),
            ("source", .string(source.source)), ("sha256", known(source.sha256)),
            ("bytes", count(source.bytes, of: source)), ("layout", known(source.layout)),
            ("encoding", known(source.encoding)),
            ("records_read", count(source.read, of: source)),
            ("records_loaded", count(source.loaded, of: source)),
            ("records_rejected", count(source.rejected, of: source)),
            ("records_skipped", count(source.skipped, of: source)),
            ("skipped_by", .counts(source.skippedBy)), ("targets", .counts(source.targets)),
            ("warnings", .array(source.warnings.map { .string($0) })),
          ])
        })
    ),
    ("warnings", .array(report.warnings.map { .string($0) })),
    (
      "stages",
      .array(
        report.stages.map {
          .object([
            ("stage", .string($0.stage)), ("seconds", $0.seconds.map(JSON.seconds) ?? .null),
            ("records", JSON($0.records)), ("records_per_second", JSON($0.recordsPerSecond)),
          ])
        }
          + stages.map {
            .object([
              ("stage", .string($0.name)), ("seconds", .seconds($0.seconds)), ("records", .null),
              ("records_per_second", .null),
            ])
          })
    ),
    (
      "gates",
      .array(
        report.gates.map {
          .object([
            ("rule", .string($0.rule)), ("severity", .string($0.severity.rawValue)),
            ("passed", .bool($0.passed)), ("found", .integer($0.found)),
            ("about", .string($0.about)), ("accepted", .bool($0.isAccepted)),
          ])
        })
    ),
    ("merges", .array(report.merges.map(json))),
    ("rejects", json(report.rejects)), ("differences", report.differences.map(json) ?? .null),
    ("change", report.change.map(json) ?? .null),
    ("views", views),
    ("cross_checks", .array(report.crossChecks.map(json))),
    ("seconds", .seconds(report.seconds)), ("retries", .integer(report.retries)),
  ])
}

/// What merging did to a table.
private func json(_ merge: MergeReport) -> JSON {
  .object([
    ("source", .string(merge.source)), ("target", .string(merge.target)),
    ("period_from", JSON(merge.period?.from)), ("period_to", JSON(merge.period?.to)),
    ("inserted", .integer(merge.inserted)), ("updated", .integer(merge.updated)),
    ("deleted", .integer(merge.deleted)), ("unchanged", .integer(merge.unchanged)),
  ])
}

/// A number that is null where a source was not read to its end.
private func count(_ number: Int, of source: SourceReport) -> JSON {
  source.isCounted ? .integer(number) : .null
}

/// A text that is null where it is not known.
private func known(_ text: String) -> JSON { text.isEmpty ? .null : .string(text) }
