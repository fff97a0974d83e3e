import Glibc
import Host
import Scaling
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
      case .help: try Output.out(Request.manual)
      case .parse(let file): try Output.out("\(Readers.records(of: file))\n")
      case .growth(let options, let chart):
        if try !measureGrowth(options, chart: chart) { return ExitCode.failed }
      case .scaling(let file, let page, let chart):
        let figures = try ScaleFigures(Files.readText(file), name: file)
        let written = try ScalingPage(figures).page(from: Files.readText(page))
        try Files.write(written, to: page)
        try Files.write(ScaleChart(figures).svg(), to: chart)
      case .measure(let options):
        if try !measure(options) { return ExitCode.failed }
      }
      return ExitCode.passed
    } catch BenchError.usage(let message) {
      Output.err("rivulet-bench: \(message)\n\n\(Request.manual)")
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
      var report = Report(machine: try MachineDescription(workbench), source: workbench.bundle.kind)
      for figure in options.figures {
        workbench.say("\(figure.name): \(figure.summary)")
        do {
          report.results += figure.results(of: try figure.measure(workbench))
        } catch BenchError.missing(let reason) {
          report.skips.append((figure.name, reason))
        }
        try workbench.dropUsed()
      }
      for figure in options.peerFigures {
        workbench.say("\(figure.name): \(figure.summary)")
        try figure.measure(in: workbench, into: &report)
      }
      return report
    }
    try Output.out(report.text)
    if let file = options.jsonFile { try Files.write(report.json.text + "\n", to: file) }
    return report.hasPassed
  }
}

extension Bench {
  /// Measures growth, prints its tables and draws them; false where something grows too much.
  private static func measureGrowth(_ options: BenchOptions, chart: String) throws -> Bool {
    Interruption.shared.listen()
    let (datasets, machine) = try Workbench.whileOpen(options) { workbench in
      (try Growth.measure(in: workbench), try MachineDescription(workbench))
    }
    try Output.out(machine.text + datasets.map { "\n\($0.markdown)" }.joined())
    try Files.write(GrowthChart.svg(of: datasets), to: chart)
    return datasets.allSatisfy { $0.growth.allSatisfy { $0 <= Growth.Dataset.limit } }
  }
}

/// Why nothing could be measured.
enum BenchError: Error, CustomStringConvertible {
  /// The command line is wrong.
  case usage(String)
  /// What a figure needs is not there: it is left out.
  case missing(String)
  /// A program failed, or a side did not do its work, so that its time says nothing.
  case failed(String)

  var description: String {
    switch self {
    case .usage(let message), .missing(let message), .failed(let message): message
    }
  }
}
