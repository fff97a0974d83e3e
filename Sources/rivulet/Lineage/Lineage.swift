import Definitions
import Fetching
import Host
import PipelineCore
import Store

/// What `--openlineage` writes: an event for the beginning and the end of each run and each refresh of a view.
final class Lineage {
  static let option = Option(
    "--openlineage", value: "FILE|URL",
    "add events of OpenLineage to a file, a line each, or post them; the key is OPENLINEAGE_API_KEY")

  /// The namespace of the jobs: `OPENLINEAGE_NAMESPACE`, else the project's name.
  let namespace: String
  let sink: LineageSink
  /// The run that starts all others, as a night does.
  var parent: LineageRun?

  init(_ sink: LineageSink, project: String) {
    self.sink = sink
    namespace = Machine.environment("OPENLINEAGE_NAMESPACE") ?? project
  }

  /// Refuses what is neither a file nor an address, before anything is done.
  static func check(_ invocation: Invocation) throws {
    guard let text = invocation["--openlineage"] else { return }
    let isUsable =
      LineageSink.isAddress(text)
      ? WebAddress(text) != nil : Files.isDirectory(Path.parent(text)) && !Files.isDirectory(text)
    guard isUsable else {
      throw invocation.usage("--openlineage takes a file in a folder that exists, or a web address")
    }
  }

  /// Adds the events of a run that failed before anything was known of what it was to load.
  func addFailure(of pipeline: Pipeline, _ error: any Error) {
    let run = LineageRun(
      pipeline.name, in: namespace, job: LineageLoad.job(pipeline), parent: parent, to: sink)
    run.start()
    run.end(Self.end(error))
  }

  /// How something ended that threw an error.
  static func end(_ error: any Error) -> LineageRun.End {
    if Interruption.shared.isRaised || error is Interrupted { return .abort }
    return .fail(DiscreetReason.text(error) ?? Failure(error).sentence)
  }
}
