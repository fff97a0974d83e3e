import Definitions
import PipelineCore
import PipelineEngine
import PostgreSQL

/// What the commands that load records have in common.
enum LoadOptions {
  static let dryRun = Option("--dry-run", "do everything but publish, and leave nothing behind")
  static let noPublish = Option("--no-publish", "load and check, but let 'releases publish' publish it")
  static let accept = Option(
    "--accept", value: "RULE", isRepeatable: true,
    "publish although this rule does not hold; the ledger notes it")
  static let maxRejects = Option(
    "--max-rejects", value: "N|P%", "how many records may be refused, in place of the pipeline's limit")
  static let retries = Option(
    "--retries", value: "N",
    "how often to try again after a lost connection or a conflict with others (default 3)")

  /// What these options say of loading a source.
  static func request(
    _ source: String, of pipeline: Pipeline, _ invocation: Invocation
  ) throws -> RunRequest {
    var request = RunRequest(source: source)
    request.publishes = !invocation.has("--no-publish")
    request.isDryRun = invocation.has("--dry-run")
    request.isForced = invocation.has("--force")
    request.acceptedRules = try acceptedRules(of: pipeline, invocation)
    if let text = invocation["--max-rejects"] {
      guard let limit = RejectLimit(text) else {
        throw invocation.usage("--max-rejects takes a number or a share such as 1%, not '\(text)'")
      }
      request.rejectLimit = limit
    }
    return request
  }

  /// An engine that tells of its new tries.
  static func engine(
    _ pipeline: Pipeline, on connection: Connection, to target: ConnectionTarget, _ invocation: Invocation,
    _ session: Session
  ) throws -> PipelineEngine {
    PipelineEngine(
      pipeline: pipeline, connection: connection, target: target, programVersion: Rivulet.version,
      retries: try invocation.integer("--retries", atLeast: 0) ?? 3,
      onRetry: { [log = session.log] in log.warn($0) })
  }

  /// The rules that the user takes on; a wrong name would leave one judging that was meant.
  private static func acceptedRules(of pipeline: Pipeline, _ invocation: Invocation) throws -> Set<String> {
    let rules = pipeline.gateRules
    for name in invocation.all("--accept") {
      guard let rule = rules.first(where: { $0.name == name }) else {
        let hint = NearestName.hint(name, among: rules.map(\.name), called: "it has")
        throw invocation.usage("\(pipeline.name) has no rule '\(name)'" + (hint.map { "; \($0)" } ?? ""))
      }
      if let reason = rule.refusesAcceptance {
        throw invocation.usage("the rule '\(name)' cannot be accepted: \(reason)")
      }
    }
    return Set(invocation.all("--accept"))
  }
}
