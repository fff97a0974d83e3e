import Catalog
import Definitions
import Host
import PipelineCore
import PostgreSQL
import Reporting
import Values
import ViewEngine

let refreshCommand = Command(
  name: "refresh", summary: "Brings stored views up to date, at the cost of what has changed",
  discussion: """
    Each view after those that it reads, each in a transaction of its own: readers see the old rows or the new
    ones, whole. A view that is exact is left alone. One that fails stays as it was, and so do those that read
    it; the others are refreshed, and the exit code is 1.

    --check computes each view's SELECT and holds what is stored, with what waits for it, beside that: what
    somebody has changed by hand is found so. --check --stale computes nothing, and asks only what is stale.

    With --watch it goes on until it is ended: what is committed is visible in the views within a second, what
    fails is tried again, and a lost connection is made again.
    """,
  arguments: [Argument("VIEW", "a stored view; all of them unless one is named", .any)],
  options: [
    Option("--full", "compute every group, whatever has changed"),
    Option("--stale", "only what lags behind for longer than its fresh_for allows"),
    Option("--check", "refresh nothing; exit with 5 where a view is stale or not as its SELECT gives it"),
    Option("--on", value: "DATE", "compute what depends on the day for this one (YYYY-MM-DD)"),
  ] + RefreshWatch.options + [CommandMetrics.option, Lineage.option],
  examples: [
    "rivulet refresh", "rivulet refresh mart.rvu_by_status --full", "rivulet refresh --check --format json",
    "rivulet refresh --watch",
  ],
  run: { try refresh($0, $1) })

private func refresh(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  if try RefreshWatch.isWanted(invocation) {
    return try RefreshWatch(invocation, session) { try readEngine(for: invocation, session) }.run()
  }
  let engine = try readEngine(for: invocation, session)
  if invocation.has("--check") {
    if let other = ["--full", "--on"].first(where: invocation.has) {
      throw invocation.usage("--check and \(other) exclude each other")
    }
    return try checkViews(engine, invocation, session)
  }
  let request = RefreshRequest(
    invocation.arguments.isEmpty ? .all : .named(invocation.arguments),
    isOnlyStale: invocation.has("--stale"), isFull: invocation.has("--full"), date: try date(invocation),
    lockWait: try session.lockWait())
  let connection = try session.connect()
  let answer = RefreshAnswer(refreshing: request, by: engine, on: connection, session)
  let json: JSON = ["views": answer.refreshes]
  if let failure = answer.failure { try session.fail(failure, json: json, text: answer.text) }
  try session.answer(
    json: json,
    text: answer.refreshes.isEmpty
      ? (request.isOnlyStale ? "no view is stale\n" : "no view is stored\n") : answer.text)
  return ExitCode.done
}

/// The views of the project. Where some are named to be refreshed, only these and the views that they read
/// are read: a mistake in the file of another view does not stop the refresh.
private func readEngine(for invocation: Invocation, _ session: Session) throws -> ViewEngine {
  let (project, names) = (try session.project(), Set(invocation.arguments))
  if !names.isEmpty, !invocation.has("--check"), !invocation.has("--stale") {
    let named = try project.views(named: names)
    if named.count == names.count, named.allSatisfy(\.isStored) {
      return ViewEngine(named) { try project.views(named: $0) }
    }
  }
  let definitions = try project.views()
  for name in invocation.arguments { try requireStored(name, among: definitions, invocation) }
  return ViewEngine(definitions)
}

extension RefreshAnswer {
  /// Refreshes views, and says of each on standard error when it is done.
  init(
    refreshing request: RefreshRequest, by engine: ViewEngine, on connection: Connection, _ session: Session
  ) {
    let started = Machine.seconds
    do {
      _ = try session.showing(engine.progress) {
        try engine.refresh(request, on: connection) { done in
          var refresh = done
          refresh.error = done.error.map(session.explaining)
          refreshes.append(refresh)
          session.record.views.append(refresh)
          session.addLineage(of: refresh, on: connection)
          if refresh.hasFailed {
            session.warn(RefreshAnswer.line(refresh))
          } else {
            session.tell(RefreshAnswer.line(refresh))
          }
        }
      }
    } catch {
      end = session.explaining(error)
    }
    seconds = Machine.seconds - started
  }
}

/// Throws unless a name is that of a stored view of the project.
private func requireStored(
  _ name: String, among definitions: [ViewDefinition], _ invocation: Invocation
) throws {
  guard let view = definitions.first(where: { $0.name == name }) else {
    throw invocation.usage(unknownView(name, among: definitions.filter(\.isStored).map(\.name)))
  }
  guard view.isStored else {
    throw invocation.usage("\(name) is live: it shows what is so now, and has nothing to refresh")
  }
}

/// Says that there is no such view, and which was probably meant.
func unknownView(_ name: String, among known: [String]) -> String {
  let hint = NearestName.hint(name, among: known, called: "there are") ?? "the project has none"
  return "there is no view '\(name)'; \(hint)"
}

private func date(_ invocation: Invocation) throws -> String? {
  guard let text = invocation["--on"] else { return nil }
  let bytes = Array(text.utf8)
  var scratch: [UInt8] = []
  guard case .slice(0..<bytes.count) = ValueType.date(.iso).normalise(bytes.span, scratch: &scratch) else {
    throw invocation.usage("--on takes a date (YYYY-MM-DD), not '\(text)'")
  }
  return text
}
