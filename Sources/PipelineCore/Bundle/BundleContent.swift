package import Definitions
import Records

/// What a bundle is: a release of its own, changes of one that is published, or rows of tables that hold no
/// releases.
package enum BundleContent: Sendable {
  case release(ReleaseIdentity)
  case changes(Period)
  case tables

  /// What bundles are ordered by.
  package var order: [String] {
    switch self {
    case .release(let release): [release.dates.from, release.name]
    // A list of a day comes before changes that begin on it, which know more.
    case .changes(let period): [period.from, "~", period.isAsOf ? "" : period.to]
    case .tables: []
    }
  }

  /// The last day that a bundle holds as a whole release; nil where its names do not tell.
  /// - Throws: ``RunError/impossibleRelease(reason:isGiven:example:)`` where a name tells a day that there is not.
  package static func held(in bundle: Bundle, pipeline: Pipeline) throws -> String? {
    guard let rule = pipeline.periods else { return nil }
    do {
      let days = try bundle.entries.compactMap { try rule.held(in: $0.entry.name, at: .entryName) }
      return try rule.held(in: bundle.name, at: .archiveName) ?? days.max()
    } catch let error as PeriodError {
      throw RunError.impossibleRelease(
        reason: error.description, isGiven: false, example: pipeline.release.example)
    }
  }

  /// The period that a bundle's names tell; nil where it is none of changes.
  ///
  /// Throws ``RunError/periodsDisagree(path:first:second:)`` where its entries tell different ones, or only
  /// some of them any.
  package static func period(of bundle: Bundle, pipeline: Pipeline) throws -> Period? {
    guard let rule = pipeline.periods else { return nil }
    func found(_ name: String, _ place: PeriodRule.Place) throws -> Period? {
      do {
        return try rule.period(in: name, at: place)
      } catch {
        throw RunError.impossibleRelease(
          reason: "\(error)", isGiven: false, example: pipeline.release.example)
      }
    }
    // With a file that holds all a bundle is a release, whatever else is in it.
    guard try held(in: bundle, pipeline: pipeline) == nil else { return nil }
    let names = bundle.entries.map { $0.entry.name }
    let periods = try names.map { try found($0, .entryName) }
    let whole = try found(bundle.name, .archiveName)
    let first = zip(names, periods).first { $0.1 != nil }
    guard let period = whole ?? first?.1 else { return nil }
    let name = whole == nil ? first?.0 ?? "" : bundle.name
    for (other, found) in zip(names, periods) where found != period && (found != nil || whole == nil) {
      throw RunError.periodsDisagree(
        path: bundle.path, first: "\(name) (\(period))",
        second: "\(other) (\(found.map { "\($0)" } ?? "no period"))")
    }
    return period
  }
}
