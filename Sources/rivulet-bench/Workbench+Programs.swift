import Definitions
import Host

/// One run of a program.
struct ProgramRun {
  /// From before its start to after its end.
  let seconds: Double
  /// Its largest resident memory, in bytes.
  let peakMemory: Int
  let output: String
}

extension Workbench {
  /// Runs a program to its end and takes the time.
  ///
  /// Throws ``BenchError/programFailed(command:status:output:)`` where it does not end with 0.
  func run(_ command: [String]) throws -> ProgramRun {
    try checkInterruption()
    var process = Subprocess(command)
    // No variable of this shell leads a side to another server or another configuration.
    process.withheldPrefixes = ["PG", "RIVULET_", "DATABASE_URL"]
    let start = Machine.seconds
    let outcome = try process.run()
    let seconds = Machine.seconds - start
    guard outcome.status == 0 else {
      throw BenchError.programFailed(
        command: command.prefix(4).joined(separator: " "), status: outcome.status, output: outcome.output)
    }
    return ProgramRun(seconds: seconds, peakMemory: outcome.peakMemory, output: outcome.output)
  }

  /// Runs the program that is measured on a database of the server, in our own project unless another folder
  /// is named.
  func rivulet(_ arguments: [String], on database: String, in project: String? = nil) throws -> ProgramRun {
    try run(
      [options.rivulet] + arguments + [
        "--project", project ?? self.project, "--quiet", "--format", "json", "--database",
        specification(of: database),
      ])
  }

  /// Runs `psql` on a script.
  func psql(script: String, on database: String, _ arguments: [String] = []) throws -> ProgramRun {
    try run(
      [psql, "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"] + arguments
        + ["--file", script, specification(of: database)])
  }

  /// Runs `psql` on the text of a script.
  func psql(_ sql: String, on database: String) throws -> ProgramRun {
    let script = path("script.sql")
    try Files.write(sql, to: script)
    return try psql(script: script, on: database)
  }

  /// Measures two programs in turns, one pair as a warm-up and then as many as were asked for.
  func compare(
    ours: () throws -> ProgramRun, yardstick: () throws -> ProgramRun
  ) throws -> (ours: [ProgramRun], yardstick: [ProgramRun]) {
    var runs: [(ours: ProgramRun, yardstick: ProgramRun)] = []
    for number in 0...options.runs {
      let turn = (ours: try ours(), yardstick: try yardstick())
      let place = number == 0 ? "warm-up" : "\(number) of \(options.runs)"
      say("  \(place): \(turn.ours.seconds.fixed(3)) s, yardstick \(turn.yardstick.seconds.fixed(3)) s")
      if number > 0 { runs.append(turn) }
    }
    return (runs.map(\.ours), runs.map(\.yardstick))
  }
}
