package import Definitions

/// Which period of changes a release may have next: that which begins on the day after what it holds.
///
/// Each source has a sequence of its own, since files may be loaded one by one. A list that tells the state
/// on a day is no step of any: it must only know more than what was merged before.
package struct PeriodSequence {
  /// Changes that a release has.
  package struct Merged {
    package let run: Int
    package let source: String
    package let period: Period
    /// SHA-256 of the files on disk that brought them.
    package let fileHashes: [String]
    /// SHA-256 of the entries' own bytes.
    package let entryHashes: [String]

    package init(
      run: Int, source: String, period: Period, fileHashes: [String], entryHashes: [String] = []
    ) {
      self.run = run
      self.source = source
      self.period = period
      self.fileHashes = fileHashes
      self.entryHashes = entryHashes
    }
  }

  /// A bundle's files of one source.
  package struct Offer {
    package let source: String
    /// SHA-256 of the files on disk.
    package let fileHashes: [String]
    /// SHA-256 of the entries' own bytes; empty where nobody has asked for them.
    package let entryHashes: [String]

    package init(
      source: String, fileHashes: [String], entryHashes: [String] = []
    ) {
      self.source = source
      self.fileHashes = fileHashes
      self.entryHashes = entryHashes
    }
  }

  /// The release's name.
  package let release: String
  /// The day that the release itself holds; changes begin on the next.
  package let beginning: String
  /// The sources whose rows change those of other tables, so that older rows of these must not come after
  /// them.
  package let changing: Set<String>
  package let merged: [Merged]

  /// What may be done with a bundle.
  package enum Verdict: Equatable {
    case next
    /// A run has merged it already.
    case repeated(run: Int)
  }

  /// The last day that the release holds of a source.
  package func held(_ source: String) -> String {
    merged.filter { $0.source == source }.map(\.period.to).reduce(beginning) { max($0, $1) }
  }

  /// The run that has merged a bundle's files already; nil where none has, or not all of them.
  package func repeats(_ period: Period, _ offers: [Offer]) -> Int? {
    let known = offers.map { offer in
      merged.last {
        $0.source == offer.source && $0.period.isOfSameDays(as: period)
          && ($0.fileHashes == offer.fileHashes.sorted()
            || !offer.entryHashes.isEmpty && $0.entryHashes == offer.entryHashes.sorted())
      }?.run
    }
    return known.contains(nil) ? nil : known.compactMap(\.self).max()
  }

  /// Whether a period may be merged.
  ///
  /// `allowsGap`: days may be left out.
  /// `isForced`: the last period of each source may be merged once more, in place of what it was.
  /// - Throws: ``RunError/outOfSequence(_:)``.
  package func judge(_ period: Period, _ offers: [Offer], allowsGap: Bool, isForced: Bool) throws -> Verdict {
    if !isForced, let run = repeats(period, offers) { return .repeated(run: run) }
    for offer in offers { try judge(period, of: offer.source, allowsGap: allowsGap, isForced: isForced) }
    return .next
  }

  private func judge(_ period: Period, of source: String, allowsGap: Bool, isForced: Bool) throws {
    let own = held(source)
    let last = merged.last { $0.source == source }
    if isForced, own == period.to, last?.period.isOfSameDays(as: period) == true { return }
    func refuse(_ problem: PeriodMismatch.Problem, _ held: String) -> RunError {
      .outOfSequence(
        PeriodMismatch(source: source, period: period, release: release, held: held, problem: problem))
    }
    if period.isAsOf {
      let all = merged.map(\.period.to).reduce(beginning) { max($0, $1) }
      if period.to < all { throw refuse(.known, all) }
      if own == period.to, merged.contains(where: { $0.source == source }) { throw refuse(.known, own) }
      return
    }
    let list = merged.filter { $0.source != source && changing.contains($0.source) }.map(\.period.to).max()
    if let list, list > period.to, !isForced { throw refuse(.beforeList, list) }
    if period.to <= own { throw refuse(.known, own) }
    if period.from <= own { throw refuse(.overlapping, own) }
    if period.from > Period.day(after: own), !allowsGap { throw refuse(.gap, own) }
  }

  package init(
    release: String, beginning: String, changing: Set<String>, merged: [Merged]
  ) {
    self.release = release
    self.beginning = beginning
    self.changing = changing
    self.merged = merged
  }
}
