import Host
import PostgreSQL

/// How long a change takes from its commit until a reader of the view sees it, while `rivulet refresh --watch`
/// keeps the view up to date: of a hundred changes a second, the 99th percentile.
enum WatchedView {
  private static let changesPerSecond = 100
  private static let seconds = 30
  /// So long the program gets to start, and to bring the last change.
  private static let margin = 5.0

  static func measure(in workbench: Workbench) throws -> Runs {
    let table = RequestTable(rows: 200_000)
    return try workbench.withDatabase {
      let project = try BenchProject(in: workbench, named: "watched-view")
      try project.rivulet(["migrate", "up"])
      try table.make(on: try workbench.connect(to: Workbench.own))
      try table.byStatus.write(to: project)
      try project.rivulet(["migrate", "up"])
      return try workbench.compare(
        ["changes a second": changesPerSecond, "seconds": seconds],
        ours: { _ in try watch(table, project, workbench) })
    }
  }

  /// One run of the program, with changes from beginning to end.
  private static func watch(
    _ table: RequestTable, _ project: BenchProject, _ workbench: Workbench
  ) throws -> ProgramRun {
    var program = project.rivuletBeside(["refresh", "--watch"])
    program.timeLimit = Double(seconds) + 2 * margin
    program.hasOwnSession = true
    let (ended, commits) = (Mailbox<String>(), Mailbox<Double>())
    let watching = program
    BackgroundThread.start {
      let outcome = try? watching.run()
      ended.put(outcome.map { $0.isLate ? "" : $0.output } ?? "it cannot be started")
    }
    if let early = ended.take(within: margin) {
      throw BenchError.missing("the program does not watch views: \(early)")
    }
    let reader = try workbench.connect(to: Workbench.own)
    let writer = try Writer(table, to: workbench)
    BackgroundThread.start { writer.write(commits) }
    let count = "SELECT sum(requests)::bigint FROM \(table.byStatus.name)"
    let before: Int = try reader.execute(count)[0].value(0)
    var delays: [Double] = []
    let expected = seconds * changesPerSecond
    let end = Machine.seconds + Double(seconds) + margin
    while delays.count < expected && Machine.seconds < end {
      let seen = try reader.execute(count)[0].value(0, Int.self) - before
      let now = Machine.seconds
      // One may be seen before its writer knows that it is committed.
      while delays.count < seen { delays.append(max(0, now - commits.take())) }
      Machine.sleep(seconds: 0.005)
    }
    let output = ended.take()
    guard delays.count == expected else {
      throw BenchError.failed("\(delays.count) of \(expected) changes were seen: \(output)")
    }
    return ProgramRun(seconds: delays.sorted()[expected * 99 / 100], peakMemory: 0, output: output)
  }

  /// Who changes the table.
  ///
  /// Unchecked: after it was made only the thread that writes uses it.
  private final class Writer: @unchecked Sendable {
    private let table: RequestTable
    private let connection: Connection

    init(_ table: RequestTable, to workbench: Workbench) throws {
      self.table = table
      connection = try workbench.connect(to: Workbench.own)
    }

    /// Adds a request at each of its moments, and says when it was committed.
    func write(_ commits: Mailbox<Double>) {
      let start = Machine.seconds
      for number in 0..<(seconds * changesPerSecond) {
        let due = start + Double(number) / Double(changesPerSecond)
        Machine.sleep(seconds: max(0, due - Machine.seconds))
        let insert = """
          INSERT INTO \(table.name) SELECT max(id) + 1, 'new', 'low', NULL, 1, now() FROM \(table.name)
          """
        guard (try? connection.execute(insert)) != nil else { return }
        commits.put(Machine.seconds)
      }
    }
  }
}
