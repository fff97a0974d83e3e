import Definitions

/// A published revision that changes are merged into.
package struct PublishedRelease: Sendable {
  /// The release.
  package let identity: ReleaseIdentity
  /// The revision.
  package let revision: Int
  /// The last day whose changes it came with, `YYYY-MM-DD`.
  package let beginning: String
  /// The tables that it has.
  package let targets: [String]

  package init(identity: ReleaseIdentity, revision: Int, beginning: String, targets: [String]) {
    (self.identity, self.revision) = (identity, revision)
    (self.beginning, self.targets) = (beginning, targets)
  }
}
