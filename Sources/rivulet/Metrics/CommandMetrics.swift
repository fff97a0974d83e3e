import Host
import Reporting
import ViewEngine

/// What `--metrics` writes of a command, for the textfile collector of Prometheus' node exporter.
struct CommandMetrics {
  static let option = Option(
    "--metrics", value: "FILE",
    "write metrics for Prometheus' textfile collector, also of a command that fails; each job its own file")

  /// The names of the command, without the program's: `migrate up`.
  let command: String
  let exitCode: Int32
  let record: CommandRecord

  /// Refuses a file whose folder is not there, before anything is done.
  static func check(_ invocation: Invocation) throws {
    guard let path = invocation["--metrics"] else { return }
    guard Files.isDirectory(Path.parent(path)), !Files.isDirectory(path) else {
      throw invocation.usage("--metrics takes a file in a folder that exists, not '\(path)'")
    }
  }

  /// Writes the file beside its place, and renames it.
  /// - Throws: `FileError` where it cannot be written; the file is as it was.
  func write(to path: String) throws {
    let file = try OutputFile(path)
    try file.write(text)
    try file.close()
  }

  /// All metrics, in the exposition format.
  var text: String {
    let families = [ending(), runs(), views(), migrations(), night()].flatMap(\.self)
    return families.map(\.text).joined()
  }

  private func ending() -> [MetricFamily] {
    let labels: MetricFamily.Labels = [("command", command)]
    var ended = MetricFamily("rivulet_last_run_timestamp_seconds", "When the command ended, since 1970.")
    ended.add(seconds: Machine.unixTime, labels)
    var success = MetricFamily(
      "rivulet_last_run_success", "1 where the command ended with exit code 0, else 0.")
    success.add(exitCode == ExitCode.done ? 1 : 0, labels)
    var code = MetricFamily("rivulet_last_run_exit_code", "The command's exit code.")
    code.add(Int(exitCode), labels)
    var seconds = MetricFamily("rivulet_last_run_duration_seconds", "How long the command took.")
    seconds.add(seconds: Machine.seconds - record.started, labels)
    var version = MetricFamily("rivulet_build_info", "The program that wrote this; always 1.")
    version.add(1, [("version", Rivulet.version)])
    return [ended, success, code, seconds, version]
  }

  private func migrations() -> [MetricFamily] {
    var applied = MetricFamily("rivulet_migrations_applied", "Migrations that the command applied.")
    if let count = record.appliedMigrations { applied.add(count) }
    var pending = MetricFamily("rivulet_migrations_pending", "Migrations that are not applied after it.")
    if let count = record.pendingMigrations { pending.add(count) }
    return [applied, pending]
  }

  private func views() -> [MetricFamily] {
    // Of a view that was refreshed twice the last time counts.
    var last: [String: Int] = [:]
    for (index, view) in record.views.enumerated() { last[view.view] = index }
    var outcome = MetricFamily("rivulet_view_outcome", "What became of a view; always 1.")
    var rows = MetricFamily("rivulet_view_rows_changed", "Rows that the refresh of a view wrote.")
    var seconds = MetricFamily("rivulet_view_duration_seconds", "How long the refresh of a view took.")
    for index in last.values.sorted() {
      let view = record.views[index]
      outcome.add(1, [("view", view.view), ("outcome", view.outcome.rawValue)])
      rows.add(view.rowsChanged, [("view", view.view)])
      seconds.add(seconds: view.seconds, [("view", view.view)])
    }
    return [outcome, rows, seconds]
  }
}
