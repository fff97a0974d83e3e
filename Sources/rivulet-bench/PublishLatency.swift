import Host
import PostgreSQL

/// How long a reader of the current release has to wait at most, while publications come and go: the slowest of
/// all its reads.
///
/// Beside two who read one code after the other is one whose query takes a fifth of a second, which each
/// publication has to wait for.
enum PublishLatency {
  private static let publications = 200

  static func measure(in workbench: Workbench) throws -> Runs {
    try workbench.withTwoRevisions { release in
      try workbench.compare(
        ["publications": publications],
        ours: { _ in
          let readers = try (0..<2).map { _ in try Reader("hcpcs = '99213'", pause: 0.002, workbench) }
          let slow = try Reader("release >= (SELECT '' FROM pg_sleep(0.2))", pause: 1, workbench)
          for reader in readers + [slow] { reader.start() }
          var output = ""
          for _ in 0..<publications / 2 {
            output += try workbench.rivulet(["releases", "rollback", "cms-rvu", "--no-refresh"]).output
            output += try workbench.rivulet(["releases", "publish", "cms-rvu", release, "--no-refresh"])
              .output
          }
          _ = try slow.end()
          let slowest = try readers.map { try $0.end() }.max() ?? 0
          return ProgramRun(seconds: slowest, peakMemory: 0, output: output)
        })
    }
  }

  /// One who reads rows of the current release again and again.
  ///
  /// Unchecked: after it was started only its thread uses the connection.
  private final class Reader: @unchecked Sendable {
    private let connection: Connection
    private let query: String
    private let pause: Double
    private let (stop, slowest) = (Mailbox<Void>(), Mailbox<Result<Double, any Error>>())

    /// One who reads some rows, by a condition, with a pause in seconds between two reads.
    init(_ condition: String, pause: Double, _ workbench: Workbench) throws {
      connection = try workbench.connect(to: Workbench.own)
      query = "SELECT count(*) FROM cms.current_rvu WHERE \(condition)"
      self.pause = pause
    }

    func start() {
      BackgroundThread.start { [self] in slowest.put(Result { try read() }) }
    }

    /// Lets it end; gives how long its slowest read took, in seconds.
    func end() throws -> Double {
      stop.put(())
      return try slowest.take().get()
    }

    private func read() throws -> Double {
      var slowest = 0.0
      repeat {
        let started = Machine.seconds
        let rows: Int = try connection.execute(query)[0].value(0)
        slowest = max(slowest, Machine.seconds - started)
        if rows == 0 { throw BenchError.failed("a reader found no row of the current release") }
      } while stop.take(within: pause) == nil
      return slowest
    }
  }
}
