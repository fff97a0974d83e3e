import Definitions

/// Where the rows of a run go.
enum Destination: Sendable {
  /// Tables of their own, which are attached when all of them are there.
  case release(ReleaseIdentity)
  /// The rows of a release in sight, whose changes of a period they are.
  case changes(Period, of: ReleaseInSight)
  /// Tables that hold no releases.
  case tables

  /// The release that readers find the rows in; nil where there is none.
  var release: ReleaseIdentity? {
    switch self {
    case .release(let release): release
    case .changes(_, let base): base.identity
    case .tables: nil
    }
  }

  /// What differs is written to rows that are in sight already.
  var isMerge: Bool { if case .release = self { false } else { true } }

  /// The days whose changes the rows are.
  var period: Period? { if case .changes(let period, _) = self { period } else { nil } }
}

/// A published revision that changes are merged into.
struct ReleaseInSight: Sendable {
  let identity: ReleaseIdentity
  let revision: Int
  /// The last day whose changes it came with.
  let beginning: String
  /// The tables that it has.
  let targets: [String]
}
