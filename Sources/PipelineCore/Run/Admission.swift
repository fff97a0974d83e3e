import Definitions
import Records

/// Whether a bundle may be loaded as a release, by what is known of that release.
package struct Admission {
  /// What the ledger says of the release.
  package struct Facts: Sendable {
    /// Another pipeline that has a release of the same name in one of the tables.
    package let owner: (pipeline: String, target: String)?
    /// The tables of the published revision, and how many rows they have.
    package let publishedTargets: [(target: String, rows: Int)]
    /// The last day of the changes that were merged into the published revision, `YYYY-MM-DD`.
    package let mergedUntil: String?
    /// The names of the entries that the published revision was read from, by source.
    package let publishedEntries: [String: [String]]
    /// The published revision is of samples, and the bundle is not one.
    package let replacesSample: Bool

    package init(
      owner: (pipeline: String, target: String)? = nil, publishedTargets: [(target: String, rows: Int)] = [],
      mergedUntil: String? = nil, publishedEntries: [String: [String]] = [:], replacesSample: Bool = false
    ) {
      self.replacesSample = replacesSample
      (self.owner, self.publishedTargets) = (owner, publishedTargets)
      (self.mergedUntil, self.publishedEntries) = (mergedUntil, publishedEntries)
    }
  }

  private let plan: LoadPlan
  private let release: ReleaseIdentity
  private let targets: [String]
  private let emptyTargets: [String]

  /// The admission of a bundle.
  ///
  /// `targets`: the tables that the bundle's rows go to.
  /// `emptyTargets`: those of them that stay empty.
  package init(_ plan: LoadPlan, of release: ReleaseIdentity, targets: [String], emptyTargets: [String]) {
    (self.plan, self.release) = (plan, release)
    (self.targets, self.emptyTargets) = (targets, emptyTargets)
  }

  /// Refuses a sample for a release that is published of real files.
  ///
  /// `isSample`: whether the bundle says that it is one.
  /// `isReal`: whether the release is published, and not of samples.
  /// - Throws: ``RunError/sampleOverReal(release:)``
  package static func requireReal(
    _ plan: LoadPlan, isSample: Bool, for release: String, isReal: Bool
  ) throws(RunError) {
    if isSample, isReal, !plan.request.isForced, !plan.isReplay { throw .sampleOverReal(release: release) }
  }

  /// Refuses what would hide tables or changes that are published, or replace a later file.
  ///
  /// `isKnown`: whether the same content is published already.
  /// - Throws: ``RunError/releaseOfAnother(release:pipeline:target:)``,
  ///   ``RunError/wouldHide(release:targets:)``,
  ///   ``RunError/wouldLoseChanges(release:until:)``, ``RunError/earlierFile(release:entry:published:)``.
  package func judge(_ facts: Facts, isKnown: Bool) throws(RunError) {
    if let owner = facts.owner {
      throw .releaseOfAnother(release: release.name, pipeline: owner.pipeline, target: owner.target)
    }
    guard !plan.request.isForced, !isKnown, !plan.isReplay else { return }
    // What a sample had nobody misses.
    if facts.replacesSample, !plan.isAmendment { return }
    let hidden = facts.publishedTargets.filter {
      !targets.contains($0.target) || emptyTargets.contains($0.target) && $0.rows > 0
    }
    guard hidden.isEmpty else {
      throw .wouldHide(release: release.name, targets: hidden.map(\.target))
    }
    if !plan.isAmendment, let day = facts.mergedUntil {
      throw .wouldLoseChanges(release: release.name, until: day)
    }
    for entry in plan.bundle.entries {
      guard let number = entry.source.number(of: entry.entry.name) else { continue }
      let published = facts.publishedEntries[entry.source.name] ?? []
      guard let later = published.first(where: { entry.source.number(of: $0) ?? -1 > number }) else {
        continue
      }
      throw .earlierFile(release: release.name, entry: entry.entry.name, published: later)
    }
  }
}
