import Host

/// What a person can choose of a measurement.
struct BenchOptions {
  /// In the order in which they are measured.
  var figures = FigureName.allCases
  /// Counted runs of each side; a warm-up comes before them.
  var runs = 5
  /// Takes the report as JSON.
  var jsonFile: String?
  /// The program to measure.
  var rivulet = Path.join(Path.parent(Machine.program), "rivulet")
  /// The folder of real files; nil is `../shared/data` beside the project.
  var data: String?
}

/// The command line.
enum Request {
  case help
  /// Reads a file and prints how many records it has: the program that the figures of the readers time.
  case parse(file: String)
  case measure(BenchOptions)

  /// Throws ``BenchError/usage(_:)``.
  init(_ words: [String]) throws {
    var options = BenchOptions()
    var parsed: String?
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" {
        self = .help
        return
      }
      guard Request.names.contains(word) else { throw BenchError.usage("unknown option '\(word)'") }
      guard let value = rest.popFirst() else { throw BenchError.usage("\(word) needs a value") }
      switch word {
      case "--figure": options.figures = [try Request.figure(value)]
      case "--runs": options.runs = try Request.runs(value)
      case "--json": options.jsonFile = value
      case "--rivulet": options.rivulet = value
      case "--data": options.data = value
      default: parsed = value
      }
    }
    self = parsed.map { .parse(file: $0) } ?? .measure(options)
  }

  private static let names = ["--figure", "--runs", "--json", "--rivulet", "--data", "--parse"]

  private static func figure(_ name: String) throws -> FigureName {
    guard let figure = FigureName(rawValue: name) else {
      let known = FigureName.allCases.map(\.rawValue).joined(separator: ", ")
      throw BenchError.usage("--figure is one of \(known), not '\(name)'")
    }
    return figure
  }

  private static func runs(_ text: String) throws -> Int {
    guard let runs = Int(text), runs > 0 else {
      throw BenchError.usage("--runs takes a whole number of at least 1, not '\(text)'")
    }
    return runs
  }

  /// What `--help` prints.
  static var manual: String {
    let figures = FigureName.allCases.map { figure in
      let padding = String(repeating: " ", count: 21 - figure.rawValue.count)
      return "  \(figure.rawValue)\(padding)\(figure.summary)\n"
    }
    return """
      Measures rivulet against yardsticks, side by side in one run.

      Usage:
        rivulet-bench [options]

      Options:
        --figure NAME   only this figure
        --runs N        counted runs of each side, after a warm-up (default 5)
        --json FILE     write the report as JSON too
        --rivulet PATH  the program to measure (default: beside this one)
        --data DIR      real files (default: ../shared/data beside the project)
        --parse FILE    print the number of records of a csv, ndjson or xlsx: what the readers' figures time
        --help, -h      this text

      Figures:
      \(figures.joined())
      The exit code is 1 when a limit is missed.

      Example:
        rivulet-bench --figure one-release --runs 9 --json bench.json

      """
  }
}
