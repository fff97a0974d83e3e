package import Definitions
import Records

/// Which release a bundle is, and when it is in effect.
package struct ReleaseIdentity: Sendable {
  package let name: String
  package let dates: EffectiveDates

  /// A release's name that is known before anything is read.
  package struct Named: Sendable {
    package let name: String
    /// It is the user's word, which needs no other.
    package let isGiven: Bool
  }

  /// What the user says, else the bundle's name, else that of its entries; nil where none of them tells.
  ///
  /// - Throws: ``RunError/releasesDisagree(path:first:second:)`` where two of the bundle's own disagree.
  package static func named(bundle: Bundle, pipeline: Pipeline, given: String?) throws -> Named? {
    let rule = pipeline.release
    if let given { return Named(name: rule.spelled(given), isGiven: true) }
    let found =
      [rule.release(in: bundle.name, at: .archiveName)].compactMap(\.self) + named(in: bundle, rule: rule)
    return try first(of: found, path: bundle.path, rule: rule).map { Named(name: $0, isGiven: false) }
  }

  private static func first(of found: [String], path: String, rule: ReleaseRule) throws -> String? {
    guard let first = found.first else { return nil }
    if let other = found.first(where: { !rule.agrees(first, with: $0) }) {
      throw RunError.releasesDisagree(path: path, first: first, second: other)
    }
    return first
  }

  /// Asks the banner where nothing else tells; a name and a banner that disagree are refused.
  /// - Throws: ``RunError`` where two disagree, or where nothing tells a release that can be.
  package init(named: Named?, entries: [HeadedEntry], path: String, pipeline: Pipeline) throws {
    if let named, named.isGiven {
      name = named.name
    } else {
      let rule = pipeline.release
      let banners = entries.filter { rule.bannerSources.contains($0.source.name) }.compactMap {
        rule.release(in: $0.head.banner, at: .banner(source: $0.source.name))
      }
      let found = [named?.name].compactMap(\.self) + banners
      guard let first = try Self.first(of: found, path: path, rule: rule) else {
        throw RunError.unknownRelease(path: path, example: rule.example)
      }
      name = first
    }
    dates = try Self.dates(of: name, pipeline: pipeline, isGiven: named?.isGiven ?? false)
  }

  /// A release and its dates.
  package init(name: String, dates: EffectiveDates) { (self.name, self.dates) = (name, dates) }

  /// A release that is loaded already.
  /// - Throws: ``RunError/impossibleRelease(reason:isGiven:example:)`` where the pipeline can have none of that name.
  package init(loaded name: String, pipeline: Pipeline) throws {
    self.name = name
    dates = try Self.dates(of: name, pipeline: pipeline, isGiven: false)
  }

  private static func dates(
    of name: String, pipeline: Pipeline, isGiven: Bool
  ) throws -> EffectiveDates {
    do {
      return try pipeline.release.effectiveDates(of: name)
    } catch {
      throw RunError.impossibleRelease(
        reason: error.description, isGiven: isGiven, example: pipeline.release.example)
    }
  }

  /// The releases that the names of entries tell.
  private static func named(in bundle: Bundle, rule: ReleaseRule) -> [String] {
    rule.namedSources.flatMap { source in
      bundle.entries.filter { $0.source.name == source }
        .compactMap { rule.release(in: $0.entry.name, at: .entryName(source: source)) }
    }
  }
}
