public import Progress
import Values

/// The progress of some work as lines for a terminal.
///
/// ```
/// cms-rvu 2025D: stage 12 s
///   pprrvu  ██████████░░░░░░░░░  52%  10.3 of 19.8 MB  45,210 rows/s  0 rejected  12 s left
///   gpci    ███████████████████ 100%          12.4 kB       112 rows  0 rejected  done
/// ```
public struct ProgressText: Sendable {
  private let state: WorkState
  private let statements: [Int: StatementState]
  private let style: ProgressStyle

  /// What is shown.
  /// - Parameters:
  ///   - state: what the work is like.
  ///   - statements: how far the server says that the statements of its processes have come.
  ///   - style: how it is shown.
  public init(_ state: WorkState, statements: [Int: StatementState] = [:], style: ProgressStyle) {
    (self.state, self.statements, self.style) = (state, statements, style)
  }

  /// The lines, none of which takes all columns; never more than the terminal has room for.
  ///
  /// `seconds`: how long all of the work has taken so far.
  public func lines(after seconds: Double) -> [String] {
    let head = head(after: seconds)
    var room = style.lines - head.count - state.tasks.count
    let shown = state.tasks.map { task in
      let rows = rows(of: task, room: room)
      room -= rows.rows.count + (rows.others == nil ? 0 : 1)
      return rows
    }
    var bars = ProgressRows(shown.flatMap(\.rows), style).lines[...]
    var lines = head
    for (task, rows) in zip(state.tasks, shown) {
      lines.append(Self.line(of: task, style))
      lines += bars.prefix(rows.rows.count)
      bars = bars.dropFirst(rows.rows.count)
      if let others = rows.others {
        var line = ColouredLine(style)
        line.add("  " + others)
        lines.append(line.text)
      }
    }
    return Array(lines.prefix(style.lines))
  }

  private func head(after seconds: Double) -> [String] {
    guard let count = ProgressLine.count(state) else { return [] }
    var line = ColouredLine(style)
    line.add("\(count), \(ProgressUnits.time(seconds))")
    return [line.text]
  }

  // MARK: Rows

  /// The rows of a task; what there is no room for is summed.
  private func rows(of task: TaskState, room: Int) -> (rows: [ProgressRow], others: String?) {
    let own = task.processes.compactMap { statements[$0] }.map { ProgressRow($0) }.prefix(max(0, room))
    let room = room - own.count
    let isAll = task.parts.count <= room
    let working = task.parts.filter { $0.phase == .working }.prefix(max(0, room - 1))
    let shown = isAll ? task.parts : Array(working)
    let rows = shown.map { part in ProgressRow(part.printable, part.processes.compactMap { statements[$0] }) }
    return (own + rows, isAll || room < 1 ? nil : Self.sum(task.parts, without: shown))
  }

  private static func sum(_ parts: [PartState], without shown: [PartState]) -> String {
    let names = Set(shown.map(\.name))
    let others = parts.filter { !names.contains($0.name) }
    let counts = [
      (PartState.Phase.ended, "done"), (.working, "more at work"), (.waiting, "waiting"),
    ].compactMap { phase, word in
      let count = others.count { $0.phase == phase }
      return count > 0 ? "\(count.grouped) \(word)" : nil
    }
    return (counts + ProgressLine.sums(of: others)).joined(separator: ", ")
  }

  // MARK: Tasks

  /// A task and its stages: of those as many as there is room for, the last ones.
  private static func line(of task: TaskState, _ style: ProgressStyle) -> String {
    var stages = task.stages.map { "\($0.name.printable()) \(ProgressUnits.time($0.seconds))" }
    let step = task.step.map(ProgressLine.step)
    if stages.isEmpty {
      stages = [step, ProgressUnits.time(task.seconds)].compactMap(\.self)
    } else if let step {
      stages[stages.count - 1] += " (\(step))"
    }
    let name = task.name.printable()
    var text = ""
    repeat {
      text = "\(name): \(stages.joined(separator: ", "))"
      stages.removeFirst()
    } while text.columns > style.width && !stages.isEmpty
    var line = ColouredLine(style)
    line.add(text)
    return line.text
  }
}

extension PartState {
  /// The same with a name that steers no terminal.
  fileprivate var printable: PartState {
    var part = self
    part.name = name.printable(keepsLines: false)
    return part
  }
}
