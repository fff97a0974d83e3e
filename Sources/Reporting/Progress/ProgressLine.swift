public import Progress
import Values

/// The progress of some work as one line, for where there is no terminal.
///
/// `cms-rvu 2025D: stage, 1 of 3 done, 152,300 rows, 0 rejected, 10.3 of 19.8 MB, 12 s, 11 s left`
public enum ProgressLine {
  /// The line.
  /// - Parameters:
  ///   - state: what the work is like.
  ///   - statements: how far the server says that the statements of its processes have come.
  ///   - seconds: how long all of the work has taken so far.
  /// - Returns: one line without its end.
  public static func text(
    _ state: WorkState, statements: [Int: StatementState] = [:], after seconds: Double
  ) -> String {
    let tasks = state.tasks.map { text(of: $0, statements) }
    let left = state.tasks.count == 1 && state.total ?? 1 <= 1 ? state.tasks[0].secondsLeft : nil
    let times = [
      ProgressUnits.time(seconds), left.map { ProgressUnits.time($0.rounded(.up)) + " left" },
    ].compactMap(\.self)
    let whole = [count(state)].compactMap(\.self) + tasks
    return (whole.joined(separator: "; ") + ", " + times.joined(separator: ", "))
      .printable(keepsLines: false)
  }

  private static func text(of task: TaskState, _ statements: [Int: StatementState]) -> String {
    var words = [task.stages.last?.name, task.step.map(step)].compactMap(\.self)
    if task.parts.count > 1 {
      words.append("\(task.parts.count { $0.phase == .ended }.grouped) of \(task.parts.count.grouped) done")
    }
    words += sums(of: task.parts)
    let left = task.parts.compactMap { $0.totalRows == nil ? nil : $0.secondsLeft }.first
    if let left { words.append("about \(ProgressUnits.time(left.rounded(.up))) left") }
    for process in task.processes + task.parts.flatMap(\.processes) {
      guard let statement = statements[process] else { continue }
      let share = statement.share.map { " " + ProgressUnits.percent($0) } ?? ""
      words.append("\(statement.command.lowercased()): \(statement.phase)\(share)")
    }
    return words.isEmpty ? task.name : "\(task.name): \(words.joined(separator: ", "))"
  }

  /// Rows, rejected ones and bytes of some parts together, as far as anybody knows them.
  static func sums(of parts: [PartState]) -> [String] {
    var words: [String] = []
    let rows = parts.compactMap(\.rows)
    let allRows = parts.compactMap(\.totalRows)
    let whole = allRows.isEmpty || allRows.count < parts.count ? "" : " of \(allRows.reduce(0, +).grouped)"
    if !rows.isEmpty { words.append("\(rows.reduce(0, +).grouped)\(whole) rows") }
    let rejects = parts.compactMap(\.rejects)
    if !rejects.isEmpty { words.append("\(rejects.reduce(0, +).grouped) rejected") }
    let bytes = parts.compactMap(\.bytes).reduce(0, +)
    let totals = parts.compactMap(\.total)
    if !parts.isEmpty, totals.count == parts.count {
      words.append(ProgressUnits.bytes(bytes, of: totals.reduce(0, +), isShort: false))
    } else if bytes > 0 {
      words.append(ProgressUnits.bytes(bytes))
    }
    return words
  }

  /// How many of several tasks have ended; nil where there is one.
  static func count(_ state: WorkState) -> String? {
    guard let total = state.total, total > 1 else { return nil }
    return "\(state.noun): \(state.ended.grouped) of \(total.grouped) done"
  }

  /// `rule 3 of 12`
  static func step(_ step: StepState) -> String {
    "\(step.noun) \(min(step.number, step.total).grouped) of \(step.total.grouped)"
  }
}

extension TaskState {
  /// How long the rest of its bytes will take, as those before did; nil where that is not known of all.
  fileprivate var secondsLeft: Double? {
    let seconds = stages.last?.seconds ?? self.seconds
    let done = parts.reduce(0) { $0 + max(0, ($1.bytes ?? 0) - $1.first) }
    let totals = parts.compactMap(\.total)
    let isKnown = parts.allSatisfy { $0.bytes != nil || $0.phase == .waiting }
    guard isKnown, totals.count == parts.count, done > 0, parts.contains(where: { $0.secondsLeft != nil })
    else { return nil }
    let rest = totals.reduce(0, +) - parts.reduce(0) { $0 + ($1.bytes ?? 0) }
    return seconds * Double(max(0, rest)) / Double(done)
  }
}
