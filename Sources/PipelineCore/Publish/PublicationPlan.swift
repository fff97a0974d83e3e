/// What is done to the tables of a release, in one transaction, to publish a revision or to hide one.
///
/// It is made of what the database says of the revisions' tables, and says which of them are locked, detached
/// and attached, and what each revision is afterwards:
///
/// ```swift
/// let plan = try PublicationPlan(publishing: new, replacing: old)
/// plan.detached    // the tables of `old`
/// plan.states      // old: superseded, new: published
/// ```
package struct PublicationPlan: Sendable {
  /// A revision with its tables.
  package struct Subject: Sendable {
    /// The revision.
    package let revision: ReleaseRevision
    /// Its tables, in the order of their targets.
    package let parts: [ReleasePart]

    package init(_ revision: ReleaseRevision, _ parts: [ReleasePart]) {
      (self.revision, self.parts) = (revision, parts)
    }
  }

  /// What a revision is.
  package enum State: String, Sendable {
    case published, superseded, withdrawn
  }

  /// What a revision becomes.
  package struct Change: Sendable, Equatable {
    /// The revision.
    package let revision: ReleaseRevision
    /// What it is afterwards.
    package let state: State

    package init(
      revision: ReleaseRevision, state: State
    ) {
      self.revision = revision
      self.state = state
    }
  }

  /// The tables whose readers have to be waited for, all at once and before anything is moved.
  package let locked: [ReleasePart]
  /// The tables that are no longer visible.
  package let detached: [ReleasePart]
  /// The tables that become visible, and their release.
  package let attached: [ReleasePart]
  /// What the revisions become, in this order: of one release only one may be published at a time.
  package let states: [Change]

  /// Publishes a revision in the place of the published one, if there is one.
  ///
  /// `old`: the published revision, which may be the same.
  /// - Throws: ``ReleaseOperationError/tableLost(release:revision:table:)`` where a table was dropped by
  ///   hand.
  package init(publishing new: Subject, replacing old: Subject?) throws(ReleaseOperationError) {
    let replaced = old.flatMap { $0.revision == new.revision ? nil : $0 }
    try self.init(showing: new, hiding: replaced, as: .superseded)
  }

  /// Rolls a publication back.
  ///
  /// - Parameters:
  ///   - published: the revision that was published.
  ///   - old: the one that it had replaced, where that is kept.
  /// - Throws: ``ReleaseOperationError/tableLost(release:revision:table:)`` where a table was dropped by
  ///   hand.
  package init(rollingBack published: Subject, to old: Subject?) throws(ReleaseOperationError) {
    try self.init(showing: old, hiding: published, as: .withdrawn)
  }

  /// Hides what is visible of tables that are about to be dropped.
  package init(dropping parts: [ReleasePart]) {
    locked = parts.filter(\.isAttached)
    (detached, attached, states) = (locked, [], [])
  }

  private init(showing new: Subject?, hiding old: Subject?, as state: State) throws(ReleaseOperationError) {
    if let new, let lost = new.parts.first(where: { !$0.isThere }) {
      throw .tableLost(
        release: new.revision.release, revision: new.revision.revision, table: lost.partition)
    }
    locked = (new?.parts ?? []) + (old?.parts ?? [])
    detached = (old?.parts ?? []).filter(\.isAttached)
    attached = new?.parts ?? []
    states =
      (old.map { [Change(revision: $0.revision, state: state)] } ?? [])
      + (new.map { [Change(revision: $0.revision, state: .published)] } ?? [])
  }

  /// The targets to lock, in one order for all who do so.
  package var lockedTargets: [String] { Set(locked.filter(\.hasTarget).map(\.target)).sorted() }
}
