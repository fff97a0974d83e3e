import Reporting

/// What is written of a night.
extension CommandMetrics {
  /// Nothing of a command that was no night.
  func night() -> [MetricFamily] {
    guard let night = record.night else { return [] }
    var problems = MetricFamily("rivulet_nightly_problems", "What a step of the night found wrong.")
    for step in NightlySummary.Step.allCases {
      problems.add(night.problems.count { $0.step == step }, [("step", step.rawValue)])
    }
    var waiting = MetricFamily("rivulet_nightly_files_waiting", "Files that were left for another night.")
    waiting.add(night.waiting.count)
    var fetched = MetricFamily("rivulet_nightly_releases_fetched", "Releases that publishers gave.")
    fetched.add(night.fetched.count { $0.state == .fetched })
    return [problems, waiting, fetched] + ages(in: night)
  }

  private func ages(in night: NightlySummary) -> [MetricFamily] {
    let day = 86_400
    var age = MetricFamily(
      "rivulet_dataset_age_seconds", "The age of the current release, in whole days of the project.")
    var limit = MetricFamily("rivulet_dataset_age_limit_seconds", "The age that rivulet.yaml allows it.")
    for dataset in night.freshness {
      let labels: MetricFamily.Labels = [("pipeline", dataset.dataset)]
      if let days = dataset.ageInDays { age.add(days * day, labels + [("release", dataset.release)]) }
      limit.add(dataset.limitInDays * day, labels)
    }
    return [age, limit]
  }
}
