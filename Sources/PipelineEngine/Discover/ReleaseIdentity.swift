import Definitions
import Host

/// Which release a bundle is, and when it is in effect.
struct ReleaseIdentity: Sendable {
  let name: String
  let dates: EffectiveDates

  /// A release's name that is known before anything is read.
  struct Named: Sendable {
    let name: String
    /// It is the user's word, which needs no other.
    let isGiven: Bool
  }

  /// What the user says, else the bundle's name; nil where neither tells.
  static func named(bundle: Bundle, pipeline: Pipeline, given: String?) -> Named? {
    if let given { return Named(name: given.uppercased(), isGiven: true) }
    return pipeline.release.release(fromArchive: Path.name(bundle.path)).map {
      Named(name: $0, isGiven: false)
    }
  }

  /// Asks the banner where nothing else tells; a name and a banner that disagree are refused.
  init(named: Named?, entries: [HeadedEntry], path: String, pipeline: Pipeline) throws {
    if let named, named.isGiven {
      name = named.name
    } else {
      let banners = entries.filter { pipeline.release.bannerSources.contains($0.source.name) }.compactMap {
        pipeline.release.release(fromBanner: $0.head.banner, of: $0.source.name)
      }
      guard let first = named?.name ?? banners.first else { throw RunError.unknownRelease(path: path) }
      for banner in banners where !pipeline.release.agrees(first, with: banner) {
        throw RunError.releasesDisagree(path: path, first: first, second: banner)
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
