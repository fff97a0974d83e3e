package import Definitions
import Records

/// Which release a bundle is, and when it is in effect.
package struct ReleaseIdentity: Sendable {
  package let name: String
  package let dates: EffectiveDates
  /// What its files say against the user's word, which counts; for the user.
  package private(set) var warnings: [String] = []

  /// A release's name that is known before anything is read.
  package struct Named: Sendable {
    package let name: String
    /// It is the user's word.
    package let isGiven: Bool
    /// What the names of the bundle and its entries say against it; nil where they do not.
    fileprivate let contradiction: String?
  }

  /// What a place says of the release.
  private struct Word {
    let release: String
    let place: String
  }

  /// What the user says, else the bundle's name, else that of its entries; nil where none of them tells.
  ///
  /// - Throws: ``RunError/releasesDisagree(path:first:second:)`` where two of the bundle's own disagree,
  ///   ``RunError/releaseContradicted(path:given:reason:)`` where one disagrees with the user, unless the run
  ///   is forced; ``RunError/impossibleRelease(reason:isGiven:)`` where what the user says cannot be.
  package static func named(bundle: Bundle, pipeline: Pipeline, request: RunRequest) throws -> Named? {
    let rule = pipeline.release
    let whole = rule.release(in: bundle.name, at: .archiveName).map {
      [Word(release: $0, place: "the name \(bundle.name)")]
    }
    let parts = said(byEntriesOf: bundle, rule: rule)
    guard let given = request.release.map(rule.spelled) else {
      let found = ((whole ?? []) + parts).map(\.release)
      return try first(of: found, path: bundle.path, rule: rule).map {
        Named(name: $0, isGiven: false, contradiction: nil)
      }
    }
    _ = try dates(of: given, pipeline: pipeline, isGiven: true)
    // Where the names of archive and entries disagree the user's word may be the archive's.
    return Named(
      name: given, isGiven: true,
      contradiction: try contradiction(of: whole ?? parts, to: given, request: request, rule: rule))
  }

  private static func first(of found: [String], path: String, rule: ReleaseRule) throws -> String? {
    guard let first = found.first else { return nil }
    if let other = found.first(where: { !rule.agrees(first, with: $0) }) {
      throw RunError.releasesDisagree(path: path, first: first, second: other)
    }
    return first
  }

  /// What a bundle's own words say against the user's; nil where they do not.
  private static func contradiction(
    of words: [Word], to given: String, request: RunRequest, rule: ReleaseRule
  ) throws -> String? {
    guard let other = words.first(where: { !rule.agrees(given, with: $0.release) }) else { return nil }
    let reason = "\(other.place) says \(other.release)"
    guard request.isForced else {
      throw RunError.releaseContradicted(path: request.source, given: given, reason: reason)
    }
    return reason
  }

  /// Asks the banner where nothing else tells; a name and a banner that disagree are refused.
  /// - Throws: ``RunError`` where two disagree, or where nothing tells a release that can be.
  package init(named: Named?, entries: [HeadedEntry], request: RunRequest, pipeline: Pipeline) throws {
    let rule = pipeline.release
    let banners = entries.filter { rule.bannerSources.contains($0.source.name) }.compactMap { entry in
      rule.release(in: entry.head.banner, at: .banner(source: entry.source.name)).map {
        Word(release: $0, place: "the text above the header of \(entry.entry.entry.name)")
      }
    }
    if let named, named.isGiven {
      let given = named.name
      let reason =
        try named.contradiction ?? Self.contradiction(of: banners, to: given, request: request, rule: rule)
      warnings = reason.map { ["\(request.source) is loaded as \(given), although \($0)"] } ?? []
      name = given
    } else {
      let found = [named?.name].compactMap(\.self) + banners.map(\.release)
      guard let first = try Self.first(of: found, path: request.source, rule: rule) else {
        throw RunError.unknownRelease(path: request.source, example: rule.example)
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

  /// What the names of a bundle's entries tell.
  private static func said(byEntriesOf bundle: Bundle, rule: ReleaseRule) -> [Word] {
    let single = rule.namedSources.flatMap { source in
      bundle.entries.filter { $0.source.name == source }.compactMap { entry in
        rule.release(in: entry.entry.name, at: .entryName(source: source)).map {
          Word(release: $0, place: "the name \(entry.entry.name)")
        }
      }
    }
    let names = bundle.entries.map(\.entry.name).joined(separator: "/")
    return single
      + [rule.release(in: names, at: .entryNames)].compactMap(\.self).map {
        Word(release: $0, place: "what its files are called")
      }
  }
}
