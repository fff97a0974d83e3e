import Progress
import Reporting
import Testing
import Values

/// Progress as a terminal shows it.
@Suite("Progress on a terminal")
struct ProgressTextTests {
  private static let run = WorkState(
    total: 1,
    tasks: [
      TaskState(
        name: "cms-rvu 2025D", stages: [StageState(name: "stage", seconds: 10)],
        parts: [
          PartState(
            name: "pprrvu", bytes: 10_300_000, total: 19_800_000, rows: 452_100, rejects: 0, seconds: 10),
          PartState(
            name: "oppscap", activity: "keys", bytes: 2_000_000, total: 2_000_000, rows: 59_800, rejects: 7,
            seconds: 4, activitySeconds: 65, processes: [42]),
          PartState(
            name: "gpci", phase: .ended, bytes: 5_263, total: 5_263, rows: 112, rejects: 0, seconds: 1),
          PartState(name: "anes", phase: .waiting, total: 3_497),
        ])
    ])
  private static let statements = [
    42: StatementState(command: "ALTER TABLE", phase: "scanning table", share: 0.25)
  ]

  private func lines(
    _ state: WorkState, _ columns: Int, _ rows: Int = 24, colours: Bool = false, blocks: Bool = false,
    after seconds: Double = 10
  ) -> [String] {
    let style = ProgressStyle(columns: columns, rows: rows, isColoured: colours, hasBlocks: blocks)
    return ProgressText(state, statements: Self.statements, style: style).lines(after: seconds)
  }

  @Test("has a bar, bytes of all bytes, rows a second, rejects, the time left and the stage of each source")
  func run() {
    #expect(
      lines(Self.run, 90) == [
        "cms-rvu 2025D: stage 10 s",
        "  pprrvu  #######--------  52%  10.3 of 19.8 MB  45,210 rows/s  0 rejected  10 s left",
        "  oppscap ###------------  25%   scanning table    59,800 rows  7 rejected  keys 1:05 min",
        "  gpci    ############### 100%           5.2 kB       112 rows  0 rejected  done",
        "  anes    ---------------   0%           3.4 kB                             waiting",
      ])
  }

  @Test("says the same in few letters where there is little room, and has longer bars where there is much")
  func widths() {
    #expect(
      lines(Self.run, 80) == [
        "cms-rvu 2025D: stage 10 s",
        "  pprrvu  ##########-----------  52%   10.3/19.8 MB    45.2k/s 0 rej. 10 s left",
        "  oppscap #####----------------  25% scanning table 59.8k rows 7 rej. keys 1:05",
        "  gpci    ##################### 100%         5.2 kB   112 rows 0 rej. done",
        "  anes    ---------------------   0%         3.4 kB                   waiting",
      ])
    #expect(
      lines(Self.run, 60) == [
        "cms-rvu 2025D: stage 10 s",
        "  pprrvu   52%   10.3/19.8 MB    45.2k/s 0 rej. 10 s left",
        "  oppscap  25% scanning table 59.8k rows 7 rej. keys 1:05",
        "  gpci    100%         5.2 kB   112 rows 0 rej. done",
        "  anes      0%         3.4 kB                   waiting",
      ])
    let halves = String(repeating: "#", count: 20) + String(repeating: "-", count: 20)
    #expect(lines(Self.run, 200)[1].contains(" \(halves) "))
  }

  @Test(
    "takes never all columns of a line, and leaves some lines of the terminal alone",
    arguments: [2, 10, 20, 40, 60, 80, 200], [3, 5, 10, 24, 100])
  func room(columns: Int, rows: Int) {
    var many = Self.run
    many.total = 12
    many.tasks[0].name = "病院一覧病院一覧病院一覧 2025D"
    many.tasks[0].stages = ["discover", "stage", "check", "compare", "publish"].map {
      StageState(name: $0, seconds: 4_000)
    }
    for number in 1...300 {
      many.tasks[0].parts.append(
        PartState(
          name: "病院病院病院病院病院病院-\(number)", phase: [.waiting, .working, .ended][number % 3],
          bytes: 5 << 33, total: 9 << 33, rows: 1 << 31, rejects: 1 << 20, seconds: 3))
    }
    for colours in [true, false] {
      let shown = lines(many, columns, rows, colours: colours, blocks: true)
      #expect(shown.count <= max(1, rows - 4) && !shown.isEmpty)
      for line in shown {
        let plain = line.replacing(/\u{1B}\[[0-9]*m/, with: "")
        #expect(plain.columns < columns, "\(line)")
      }
    }
  }

  @Test("of many sources shows those at work, and one line for all others")
  func many() {
    var state = Self.run
    state.tasks[0].parts += (1...20).map {
      PartState(name: "s\($0)", phase: .ended, bytes: 1_000_000, total: 1_000_000, rows: 10, rejects: 1)
    }
    let shown = lines(state, 80)
    #expect(shown.count == 4)
    #expect(shown[1].contains("pprrvu") && shown[2].contains("oppscap"))
    #expect(shown[3] == "  21 done, 1 waiting, 312 rows, 20 rejected, 20.0 of 20.0 MB")
    // More at work than there are lines are counted, too.
    for place in state.tasks[0].parts.indices { state.tasks[0].parts[place].phase = .working }
    #expect(lines(state, 80, 10).last?.hasPrefix("  20 more at work, ") == true, "\(lines(state, 80, 10))")
  }

  @Test("has no bar, share or time left where nobody knows how much there is")
  func unknown() {
    let part = PartState(name: "data", bytes: 4_900_000, rows: 70_000, seconds: 7)
    let sample = WorkState(tasks: [TaskState(name: "sample 2025D", seconds: 7, parts: [part])])
    #expect(lines(sample, 80) == ["sample 2025D: 7 s", "  data  4.9 MB  10,000 rows/s  7 s"])
    let fresh = PartState(name: "data", bytes: 10, total: 100, rows: 1, rejects: 0, seconds: 0.1)
    let young = lines(WorkState(tasks: [TaskState(name: "x", parts: [fresh])]), 80)
    #expect(young[1].hasSuffix("10%  10 of 100 B  0 rejected  0 s"), "\(young)")
  }

  @Test("of a download that goes on tells the speed and the time left by what came since")
  func download() {
    let part = PartState(name: "a.zip", bytes: 60_000_000, total: 100_000_000, first: 50_000_000, seconds: 5)
    let shown = lines(WorkState(tasks: [TaskState(name: "fetch", seconds: 5, parts: [part])]), 80)
    #expect(shown[1].hasSuffix("60%  60.0 of 100.0 MB       2.0 MB/s  20 s left"), "\(shown)")
  }

  @Test("counts the tasks of several, and says which step one is at and what the server does for it")
  func migrations() {
    let task = TaskState(
      name: "up 0003 keys", step: StepState("statement", 2, of: 3), seconds: 65, processes: [7, 42])
    let state = WorkState(noun: "migrations", total: 12, ended: 2, tasks: [task])
    #expect(
      lines(state, 80, after: 3_700) == [
        "migrations: 2 of 12 done, 1:01:40 h", "up 0003 keys: statement 2 of 3, 1:05 min",
        "  alter table ##########------------------------------  25%  scanning table",
      ])
  }

  @Test("has the last stages of a run where there is no room for all")
  func stages() {
    var state = Self.run
    state.tasks[0].parts = []
    state.tasks[0].step = StepState("rule", 3, of: 12)
    state.tasks[0].stages += [StageState(name: "check", seconds: 61)]
    #expect(lines(state, 80) == ["cms-rvu 2025D: stage 10 s, check 1:01 min (rule 3 of 12)"])
    #expect(lines(state, 50) == ["cms-rvu 2025D: check 1:01 min (rule 3 of 12)"])
  }

  @Test("has colours where they are wanted, and says nothing by them alone")
  func colours() {
    let coloured = lines(Self.run, 90, colours: true, blocks: true)
    #expect(coloured[2].contains("\u{1b}[33m7 rejected\u{1b}[0m"))
    let plain = coloured.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") }
    #expect(plain == lines(Self.run, 90, blocks: true))
    #expect(plain[1].contains("█████░░░░░░"))
    let isASCII = lines(Self.run, 80).joined().allSatisfy { $0.isASCII }
    #expect(isASCII)
  }

  @Test("shows nothing that steers the terminal")
  func printable() {
    let part = PartState(name: "a\u{1b}[2Jb\n", bytes: 1, seconds: 1)
    let state = WorkState(tasks: [TaskState(name: "x\u{7}", parts: [part])])
    let text = lines(state, 80).joined() + ProgressLine.text(state, after: 1)
    #expect(!text.contains { $0 == "\u{1b}" || $0 == "\u{7}" || $0.isNewline }, "\(text)")
  }
}
