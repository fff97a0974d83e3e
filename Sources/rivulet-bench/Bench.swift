import Glibc
import Host
import Values

/// The benchmark program: what the command takes, as a ratio to what a person would otherwise use, both
/// measured in the same run on the same server.
@main
enum Bench {
  /// How it ended, for the shell.
  private enum ExitCode {
    static let passed: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
  }

  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ words: [String]) -> Int32 {
    do {
      switch try Request(words) {
      case .help:
        try Output.out(Request.manual)
        return ExitCode.passed
      case .parse(let file):
        try Output.out("\(RecordCount(of: file).records)\n")
        return ExitCode.passed
      case .measure(let options):
        return try measure(options) ? ExitCode.passed : ExitCode.failed
      }
    } catch let error as BenchError where error.isUsage {
      Output.err("rivulet-bench: \(error)\n\n\(Request.manual)")
      return ExitCode.usage
    } catch {
      Output.err("rivulet-bench: \(error)\n")
      return ExitCode.failed
    }
  }

  /// Measures what was asked for and reports it; false where a limit was missed.
  private static func measure(_ options: BenchOptions) throws -> Bool {
    Interruption.shared.listen()
    let report = try Workbench.whileOpen(options) { workbench in
      var report = Report(
        machine: try MachineDescription(workbench), source: SourceBundle.kind(in: workbench))
      for name in options.figures {
        workbench.say("\(name.rawValue): \(name.summary)")
        do {
          report.figures += try name.measure(in: workbench)
        } catch let skip as Skip {
          report.skips.append((name, skip.reason))
        }
      }
      return report
    }
    try Output.out(report.text)
    if let file = options.jsonFile { try Files.write(report.json.text + "\n", to: file) }
    return report.hasPassed
  }
}
