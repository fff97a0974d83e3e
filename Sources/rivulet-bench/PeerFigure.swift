import Host
import PostgreSQL

/// The same releases loaded by us and by each peer, in turns, on a database each. It has no limit: it informs.
///
/// A peer whose rows are not ours, in every column that both fill, is refused: its time says nothing.
struct PeerFigure {
  let name: String
  let summary: String
  /// The releases' files.
  private let sources: (Workbench) throws -> [String]

  /// All that can be measured, in the order in which they are.
  static var all: [PeerFigure] {
    [
      PeerFigure(
        name: "peers-one-release", summary: "one RVU release by the tools that others load it with",
        sources: { [try $0.bundle.file()] }),
      PeerFigure(
        name: "peers-fifty-releases", summary: "the same of fifty releases in one run",
        sources: { try $0.bundle.fiftyReleases().map(\.path) }),
    ]
  }

  /// Measures those that are installed, and adds to the report what came of it, and of the others why nothing
  /// did.
  func measure(in workbench: Workbench, into report: inout Report) throws {
    var sides = try installed(in: workbench, &report)
    let files = try sources(workbench)
    var ours = PeerResult(figure: name, peer: "rivulet", version: "")
    try workbench.withDatabase(Loading.template) {
      try Self.prepareTemplate(in: workbench)
      var expected: [TableDigest] = []
      for turn in 0...workbench.options.runs {
        func add(_ run: ProgramRun, to result: inout PeerResult) {
          let place = turn == 0 ? "warm-up" : "\(turn) of \(workbench.options.runs)"
          workbench.say("  \(place): \(result.peer): \(run.seconds.fixed(3)) s")
          if turn > 0 { result.runs.append(run) }
        }
        try workbench.withDatabase(from: Loading.template) {
          add(try workbench.rivulet(["run", "cms-rvu", "--no-refresh"] + files), to: &ours)
          if turn == 0 { expected = try workbench.digests(of: "cms") }
        }
        for number in sides.indices where !sides[number].isRefused {
          do {
            try workbench.withDatabase(from: Loading.template) {
              let run = try sides[number].peer.load(files, in: workbench)
              try TableDigest.check(try workbench.digests(of: "peer"), are: expected)
              add(run, to: &sides[number].result)
            }
          } catch BenchError.failed(let reason) {
            sides[number].isRefused = true
            report.refusals.append((name: "\(name) \(sides[number].peer.name)", reason: reason))
          }
        }
      }
    }
    let results = [ours] + sides.filter { !$0.isRefused }.map(\.result)
    report.peers += results.map { $0.held(against: ours) }
  }

  /// The tables of the peers are ours, but need not say which file and line a row is from.
  private static func prepareTemplate(in workbench: Workbench) throws {
    try Loading.prepareTemplate("peer", in: workbench)
    let connection = try workbench.connect(to: Loading.template)
    for table in Loading.tables {
      try connection.execute(
        "ALTER TABLE peer.\(table) ALTER source_file_id DROP NOT NULL, ALTER source_line DROP NOT NULL")
    }
  }

  /// A peer that is there, with its result so far.
  private struct Side {
    let peer: Peer
    var result: PeerResult
    var isRefused = false
  }

  private func installed(in workbench: Workbench, _ report: inout Report) throws -> [Side] {
    var sides: [Side] = []
    for peer in Peer.all {
      do {
        let version = try peer.version(in: workbench)
        sides.append(Side(peer: peer, result: PeerResult(figure: name, peer: peer.name, version: version)))
      } catch BenchError.missing(let reason) {
        report.skips.append((name: "\(name) \(peer.name)", reason: reason))
      }
    }
    return sides
  }
}
