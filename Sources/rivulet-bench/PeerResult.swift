/// What a peer has taken, or we.
struct PeerResult {
  let figure: String
  let peer: String
  /// Empty for us: the report has the commit.
  let version: String
  var runs: [ProgramRun] = []
  /// Our runs of the same turns.
  private var ours: [ProgramRun] = []

  init(figure: String, peer: String, version: String) {
    (self.figure, self.peer, self.version) = (figure, peer, version)
  }

  /// The same beside our runs.
  func held(against ours: PeerResult) -> PeerResult {
    var result = self
    result.ours = ours.runs
    return result
  }

  var seconds: Spread { Spread(runs.map(\.seconds)) }
  /// Of each run to ours of the same turn.
  var ratio: Spread { Spread(zip(runs, ours).map { $0.seconds / $1.seconds }) }
  /// The largest resident memory of one of its processes, in MB of 1,048,576 bytes.
  var memory: Double { Double(runs.map(\.peakMemory).max() ?? 0) / 1_048_576 }
}
