import Definitions
import Host

/// Which release a bundle is, and when it is in effect.
struct ReleaseIdentity: Sendable {
  let name: String
  let dates: EffectiveDates

  /// Asks the user's word, else the bundle's name, else its banner; two of the bundle's own that disagree are
  /// refused.
  init(bundle: Bundle, heads: [String: SourceHead], pipeline: Pipeline, given: String?) throws {
    if let given {
      name = given.uppercased()
    } else {
      let archive = pipeline.release.release(fromArchive: Path.name(bundle.path))
      let banner = pipeline.release.bannerSources.lazy.compactMap { source in
        heads[source].flatMap { pipeline.release.release(fromBanner: $0.banner, of: source) }
      }.first
      guard let first = archive ?? banner else { throw RunError.unknownRelease(path: bundle.path) }
      if let archive, let banner, !pipeline.release.agrees(archive, with: banner) {
        throw RunError.releasesDisagree(path: bundle.path, first: archive, second: banner)
      }
      name = first
    }
    do {
      dates = try pipeline.release.effectiveDates(of: name)
    } catch {
      throw RunError.impossibleRelease(reason: error.description)
    }
  }
}
