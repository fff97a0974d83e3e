import Progress
import Reporting
import Testing

/// Progress where there is no terminal.
@Suite("Progress in a line")
struct ProgressLineTests {
  private static let parts = [
    PartState(name: "a", bytes: 10_300_000, total: 19_800_000, rows: 452_100, rejects: 3, seconds: 10),
    PartState(name: "b", phase: .ended, bytes: 200_000, total: 200_000, rows: 900, rejects: 0, seconds: 1),
    PartState(name: "c", phase: .waiting, total: 1_000_000),
  ]

  private func state(_ parts: [PartState], total: Int? = 1) -> WorkState {
    let stage = StageState(name: "stage", seconds: 10)
    return WorkState(total: total, tasks: [TaskState(name: "cms-rvu 2025D", stages: [stage], parts: parts)])
  }

  @Test("says the stage, the sources, rows, rejects, bytes, and how long it takes and will take")
  func run() {
    #expect(
      ProgressLine.text(state(Self.parts), after: 12)
        == "cms-rvu 2025D: stage, 1 of 3 done, 453,000 rows, 3 rejected, 10.5 of 21.0 MB, 12 s, 10 s left")
  }

  @Test("says no time left where that cannot be known from bytes")
  func unknown() {
    var unknown = Self.parts
    unknown[2].total = nil
    var alsoUnknown = Self.parts
    alsoUnknown[0].bytes = nil
    for parts in [unknown, alsoUnknown] {
      #expect(!ProgressLine.text(state(parts), after: 12).contains("left"))
    }
    // What the sources after this one take is not known.
    let several = ProgressLine.text(state(Self.parts, total: 2), after: 12)
    #expect(several.hasPrefix("sources: 0 of 2 done; cms-rvu 2025D: stage, ") && !several.contains("left"))
  }

  @Test("says how many of its rows are through, and what the rest takes, also where others follow")
  func rows() {
    var part = PartState(name: "app.visit", totalRows: 12_000, firstRow: 1_000, rows: 5_000, seconds: 8)
    var task = TaskState(
      name: "up 0003 norm", step: StepState("statement", 2, of: 3), seconds: 9, parts: [part])
    #expect(part.share == 5.0 / 12 && part.rowsPerSecond == 500)
    #expect(
      ProgressLine.text(WorkState(noun: "migrations", total: 2, tasks: [task]), after: 9)
        == "migrations: 0 of 2 done; up 0003 norm: statement 2 of 3, 5,000 of 12,000 rows, about 14 s left, 9 s"
    )
    part.totalRows = nil
    task.parts = [part]
    #expect(part.share == nil && part.secondsLeft == nil)
    #expect(
      ProgressLine.text(WorkState(tasks: [task]), after: 9)
        == "up 0003 norm: statement 2 of 3, 5,000 rows, 9 s")
  }

  @Test("says what the server is doing")
  func statement() {
    let task = TaskState(
      name: "up 0003 keys", step: StepState("statement", 2, of: 3), seconds: 65, processes: [7])
    let statement = StatementState(command: "CREATE INDEX", phase: "scanning table", share: 0.456)
    #expect(
      ProgressLine.text(WorkState(tasks: [task]), statements: [7: statement], after: 65)
        == "up 0003 keys: statement 2 of 3, create index: scanning table 45%, 1:05 min")
  }
}
