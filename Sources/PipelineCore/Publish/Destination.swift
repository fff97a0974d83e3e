package import Definitions

/// Where the rows of a run go.
package enum Destination: Sendable {
  /// Tables of their own, which are attached when all of them are there.
  case release(ReleaseIdentity)
  /// The rows of a published release, whose changes of a period they are.
  case changes(Period, of: PublishedRelease)
  /// Tables that hold no releases.
  case tables

  /// The release that readers find the rows in; nil where there is none.
  package var release: ReleaseIdentity? {
    switch self {
    case .release(let release): release
    case .changes(_, let base): base.identity
    case .tables: nil
    }
  }

  /// What differs is written to rows that are published already.
  package var isMerge: Bool { if case .release = self { false } else { true } }

  /// The days whose changes the rows are.
  package var period: Period? { if case .changes(let period, _) = self { period } else { nil } }
}
