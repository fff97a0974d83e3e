import Host

/// Prometheus' own checks.
enum Promtool {
  /// Why it cannot run; nil where it can.
  static let missing: String? =
    (try? Subprocess(["promtool", "--version"]).run())?.status == 0
    ? nil : "promtool cannot run here: install the package 'prometheus'"

  /// What it finds wrong with metrics in the exposition format; empty for nothing.
  static func faults(of metrics: String) throws -> String {
    var tool = Subprocess(["promtool", "check", "metrics"])
    tool.input = metrics
    let outcome = try tool.run()
    return outcome.output + (outcome.status == 0 ? "" : "ended with \(outcome.status)")
  }
}
