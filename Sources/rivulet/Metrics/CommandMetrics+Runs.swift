import Definitions
import PipelineCore
import Reporting

/// What is written of the runs of a command.
extension CommandMetrics {
  /// The metrics of the last run of each release.
  func runs() -> [MetricFamily] {
    var last: [[String?]: Int] = [:]
    for (index, run) in record.runs.enumerated() { last[[run.pipeline, run.release]] = index }
    let runs = last.values.sorted().map { record.runs[$0] }
    return [outcome(of: runs)] + records(of: runs) + times(of: runs) + rules(of: runs)
  }

  private static func labels(_ run: RunReport, _ more: MetricFamily.Labels = []) -> MetricFamily.Labels {
    [("pipeline", run.pipeline), ("release", run.release)] + more
  }

  private func outcome(of runs: [RunReport]) -> MetricFamily {
    var family = MetricFamily("rivulet_run_outcome", "How a run ended; always 1.")
    for run in runs { family.add(1, Self.labels(run, [("outcome", run.state.rawValue)])) }
    return family
  }

  private func records(of runs: [RunReport]) -> [MetricFamily] {
    var read = MetricFamily("rivulet_run_records_read", "Records of a source that a run read.")
    var loaded = MetricFamily("rivulet_run_records_loaded", "Records of a source that a run loaded.")
    var rejected = MetricFamily("rivulet_run_records_rejected", "Records of a source that a run refused.")
    var skipped = MetricFamily("rivulet_run_records_skipped", "Records of a source that rules left out.")
    var bytes = MetricFamily("rivulet_run_source_bytes", "The size of a source that a run read, unpacked.")
    for run in runs {
      let counted = run.sources.filter(\.isCounted)
      for source in Set(counted.map(\.source)).sorted() {
        let entries = counted.filter { $0.source == source }
        let labels = Self.labels(run, [("source", source)])
        func sum(_ number: (SourceReport) -> Int) -> Int { entries.reduce(0) { $0 + number($1) } }
        read.add(sum(\.read), labels)
        loaded.add(sum(\.loaded), labels)
        rejected.add(sum(\.rejected), labels)
        skipped.add(sum(\.skipped), labels)
        bytes.add(sum(\.bytes), labels)
      }
    }
    return [read, loaded, rejected, skipped, bytes]
  }

  private func times(of runs: [RunReport]) -> [MetricFamily] {
    var seconds = MetricFamily("rivulet_run_duration_seconds", "How long a run took.")
    var stages = MetricFamily("rivulet_run_stage_duration_seconds", "How long a stage of a run took.")
    var retries = MetricFamily("rivulet_run_retries", "How often something of a run was tried again.")
    for run in runs {
      seconds.add(seconds: run.seconds, Self.labels(run))
      retries.add(run.retries, Self.labels(run))
      for stage in Set(run.stages.map(\.stage)).sorted() {
        let times = run.stages.filter { $0.stage == stage }.compactMap(\.seconds)
        if !times.isEmpty {
          stages.add(seconds: times.reduce(0, +), Self.labels(run, [("stage", stage)]))
        }
      }
    }
    return [seconds, stages, retries]
  }

  private func rules(of runs: [RunReport]) -> [MetricFamily] {
    var passed = MetricFamily("rivulet_run_rule_passed", "1 where a rule over all rows holds, else 0.")
    var found = MetricFamily("rivulet_run_rule_found", "How many rows speak against a rule.")
    for run in runs {
      var names: Set<String> = []
      for gate in run.gates where names.insert(gate.rule).inserted {
        let labels = Self.labels(run, [("rule", gate.rule), ("severity", gate.severity.rawValue)])
        passed.add(gate.passed ? 1 : 0, labels)
        found.add(gate.found, labels)
      }
    }
    return [passed, found]
  }
}
