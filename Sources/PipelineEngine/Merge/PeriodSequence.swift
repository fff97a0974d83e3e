public import Definitions

/// Which period of changes a release may have next: that which begins on the day after what it holds.
///
/// Each source has a sequence of its own, since files may be loaded one by one. A list that tells how things stand on a day
/// is no step of any: it must only know more than what was merged before.
struct PeriodSequence {
  /// Changes that a release has.
  struct Merged {
    let run: Int
    let source: String
    let period: Period
    /// SHA-256 of the files on disk that brought them.
    let fileHashes: [String]
  }

  /// A bundle's files of one source.
  struct Offer {
    let source: String
    /// SHA-256 of the files on disk.
    let fileHashes: [String]
  }

  /// The release's name.
  let release: String
  /// The day that the release itself holds; changes begin on the next.
  let beginning: String
  /// The sources whose rows change those of other tables, so that older rows of these must not come after them.
  let changing: Set<String>
  let merged: [Merged]

  /// What may be done with a bundle.
  enum Verdict: Equatable {
    case next
    /// A run has merged it already.
    case repeated(run: Int)
  }

  /// The last day that the release holds of a source.
  func held(_ source: String) -> String {
    merged.filter { $0.source == source }.map(\.period.to).reduce(beginning) { max($0, $1) }
  }

  /// Whether a period may be merged.
  ///
  /// - Parameters:
  ///   - allowsGap: days may be left out.
  ///   - isForced: the last period of each source may be merged once more, in place of what it was.
  /// - Throws: ``RunError/outOfSequence(_:)``.
  func judge(_ period: Period, _ offers: [Offer], allowsGap: Bool, isForced: Bool) throws -> Verdict {
    let known = offers.map { offer in
      merged.last {
        $0.source == offer.source && $0.period.isOfSameDays(as: period)
          && $0.fileHashes == offer.fileHashes.sorted()
      }
    }
    if !isForced, let last = known.last ?? nil, known.allSatisfy({ $0 != nil }) {
      return .repeated(run: known.compactMap { $0?.run }.max() ?? last.run)
    }
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
}

/// Why changes cannot be merged into a release now.
public struct PeriodMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// How a period stands to what the release holds.
  public enum Problem: Sendable {
    /// The release holds all of it, or more.
    case known
    /// The release holds a part of it.
    case overlapping
    /// Days before it are missing.
    case gap
    /// The release has a list of a later day, which it would undo.
    case beforeList
  }

  /// The source.
  public let source: String
  /// The days whose changes it brings.
  public let period: Period
  /// The release that they would be merged into.
  public let release: String
  /// The last day that the release holds of the source.
  public let held: String
  /// What is wrong.
  public let problem: Problem

  /// A sentence for the user.
  public var description: String {
    let next = Period.day(after: held)
    let start = "\(source) brings the changes of \(period), and \(release) holds those until \(held)"
    switch problem {
    case .known:
      return start
        + (period.isAsOf
          ? " already: a list of a later day is expected"
          : " already: a period that begins on \(next) is expected, or --force, which merges the last one again")
    case .overlapping: return start + ": a period that begins on \(next) is expected"
    case .beforeList:
      return
        "\(source) brings the changes of \(period), and \(release) has a list of \(held), which they would undo: "
        + "load them with --force, and after them that list with --force, too"
    case .gap:
      return start + ": load the changes from \(next) to \(Period.day(before: period.from)) first, "
        + "or do without them by --allow-gap"
    }
  }
}
