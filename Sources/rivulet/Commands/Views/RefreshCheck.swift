import Catalog
import Values
import ViewEngine

/// Says which views are stale and, unless only that is asked, which are not what their SELECTs give.
func checkViews(_ engine: ViewEngine, _ invocation: Invocation, _ session: Session) throws -> Int32 {
  let connection = try session.connect()
  try Catalog.prepare(connection)
  let asked = Set(invocation.arguments)
  let stale = try engine.status(on: connection).filter {
    $0.isStale && (asked.isEmpty || asked.contains($0.name))
  }
  var answer = CheckAnswer(stale: stale)
  if !invocation.has("--stale") {
    let lockWait = try session.lockWait()
    answer.comparisons = try session.showing(engine.progress) {
      try engine.compare(asked.isEmpty ? nil : asked, lockWait: lockWait, on: connection)
    }
  }
  if let failure = answer.failure { try session.fail(failure, json: answer.json, text: answer.text) }
  try session.answer(json: answer.json, text: answer.text)
  return answer.isGood ? ExitCode.done : ExitCode.outOfStep
}
