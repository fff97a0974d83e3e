import Host

/// What a person can choose of a measurement.
struct BenchOptions {
  /// In the order in which they are measured.
  var figures = Figure.all
  /// Those of the peers, which are measured where they are asked for.
  var peerFigures: [PeerFigure] = []
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
  /// Measures what commands take as a database grows, and draws it into a file.
  case growth(BenchOptions, chart: String)
  /// Computes the tables of a page and a picture from a file of figures.
  case scaling(figures: String, page: String, chart: String)

  /// Throws ``BenchError/usage(_:)``.
  init(_ words: [String]) throws {
    var options = BenchOptions()
    var chart: String?
    var scaled: [String: String] = [:]
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" {
        self = .help
        return
      }
      if word == "--peers" {
        (options.figures, options.peerFigures) = ([], PeerFigure.all)
        continue
      }
      let scaling = ["--scaling", "--page", "--chart"]
      let known = ["--figure", "--runs", "--json", "--rivulet", "--data", "--parse", "--growth"] + scaling
      guard known.contains(word) else {
        throw BenchError.usage("unknown option '\(word)'")
      }
      guard let value = rest.popFirst() else { throw BenchError.usage("\(word) needs a value") }
      switch word {
      case "--figure":
        options.figures = Figure.all.filter { $0.name == value }
        options.peerFigures = PeerFigure.all.filter { $0.name == value }
        if options.figures.isEmpty && options.peerFigures.isEmpty {
          let known = (Figure.all.map(\.name) + PeerFigure.all.map(\.name)).joined(separator: ", ")
          throw BenchError.usage("--figure is one of \(known), not '\(value)'")
        }
      case "--runs":
        guard let runs = Int(value), runs > 0 else {
          throw BenchError.usage("--runs takes a whole number of at least 1, not '\(value)'")
        }
        options.runs = runs
      case "--json": options.jsonFile = value
      case "--rivulet": options.rivulet = value
      case "--data": options.data = value
      case "--growth": chart = value
      case let word where scaling.contains(word): scaled[word] = value
      default:
        self = .parse(file: value)
        return
      }
    }
    if let figures = scaled["--scaling"] {
      guard let page = scaled["--page"], let chart = scaled["--chart"] else {
        throw BenchError.usage("--scaling needs --page and --chart")
      }
      self = .scaling(figures: figures, page: page, chart: chart)
      return
    }
    self = chart.map { .growth(options, chart: $0) } ?? .measure(options)
  }

  /// What `--help` prints.
  static var manual: String {
    func lines(_ figures: [(name: String, summary: String)]) -> String {
      figures.map { "  \($0)\(String(repeating: " ", count: 22 - $0.count))\($1)\n" }.joined()
    }
    return """
      Measures rivulet against yardsticks, side by side in one run.

      Usage:
        rivulet-bench [options]

      Options:
        --figure NAME   only this figure
        --peers         only the figures of the peers: the tools that others load a release with
        --runs N        counted runs of each side, after a warm-up (default 5)
        --json FILE     write the report as JSON too
        --rivulet PATH  the program to measure (default: beside this one)
        --data DIR      real files (default: ../shared/data beside the project)
        --growth SVG    instead of the figures, what commands take with 1 to 200 releases and up to three million
                        providers: a table, and a picture in this file
        --scaling FILE --page MD --chart SVG
                        instead of the figures, what a cluster takes at scale: FILE has what was measured of one,
                        the page's tables and the picture are made from it
        --parse FILE    print the number of records of an ndjson or xlsx: what the readers' figures time
        --help, -h      this text

      Figures:
      \(lines(Figure.all.map { ($0.name, $0.summary) }))
      Figures of the peers, which have no limit:
      \(lines(PeerFigure.all.map { ($0.name, $0.summary) }))
      The exit code is 1 when a limit is missed, or a peer is refused since it failed or its rows are not ours.

      Example:
        rivulet-bench --figure one-release --runs 9 --json bench.json

      """
  }
}
