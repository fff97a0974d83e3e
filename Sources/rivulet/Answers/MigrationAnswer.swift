import MigrationEngine
import PipelineCore
import Reporting
import Values

/// What `up`, `down` and `redo` answer.
struct MigrationAnswer {
  let steps: [(Direction, MigrationStep)]
  let pending: Int
  /// The second half that waits for `migrate contract`.
  var awaiting: Migration?
  /// That something behind it waits, too.
  var delay: MigrationError?
  var isDry = false

  /// Both forms of it.
  var document: (json: JSON, text: ConsoleText) { (json, ConsoleText(text)) }

  private var json: JSON {
    [
      "steps": steps.map(MigrationAnswer.json), "pending": pending, "awaits_contract": awaiting?.version,
      "dry_run": isDry,
    ]
  }

  private static func json(_ direction: Direction, _ step: MigrationStep) -> JSON {
    [
      "version": step.version, "name": step.name, "kind": step.kind.rawValue,
      "direction": direction.rawValue, "seconds": JSON.seconds(step.seconds), "unexecuted": step.unexecuted,
      "losses": JSON.array(of: step.losses, \.json), "batches": JSON.array(of: step.batches, \.json),
      "planned_batches": JSON.array(of: step.plannedBatches, \.json),
    ]
  }

  private var text: String {
    let wait = awaiting.map { ": \($0.label) waits for 'rivulet migrate contract'" } ?? ""
    let left = "; \(pending) pending\(wait)\n"
    if isDry { return rehearsal }
    if steps.isEmpty { return "nothing to do" + left }
    let counts: [(Direction, String)] = [(.down, "reverted"), (.up, "applied")]
    let parts = counts.compactMap { direction, word -> String? in
      let count = steps.count { $0.0 == direction }
      return count == 0 ? nil : "\(count) migration\(count == 1 ? "" : "s") \(word)"
    }
    let batches = steps.flatMap { _, step in step.batches.map { "\(step.label): changed \($0.line)\n" } }
    return batches.joined() + parts.joined(separator: ", ") + left
  }

  private var rehearsal: String {
    if steps.isEmpty { return "nothing to do\n" }
    let lines = steps.map { direction, step in
      "would \(direction == .up ? "apply" : "revert") \(step.label)\n"
        + step.losses.map { "  \($0.line)\n" }.joined()
        + step.plannedBatches.map { "  would run \($0.line)\n" }.joined()
        + step.unexecuted.map { "  not tried, no transaction can hold it: \($0)\n" }.joined()
    }
    return lines.joined() + "\(steps.count) migration\(steps.count == 1 ? "" : "s") tried; all is as it was\n"
  }
}

extension MigrationStep {
  /// As people name it.
  var label: String { kind.label(version, name) }
}
