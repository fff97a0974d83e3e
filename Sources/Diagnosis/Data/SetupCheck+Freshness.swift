import Definitions
import PipelineEngine

extension SetupCheck {
  /// Whether the current releases are as new as `rivulet.yaml` asks for.
  static let freshness = SetupCheck(
    "freshness", .data, because: "what is computed from an old release is out of date and looks right"
  ) { subject in
    let project = try subject.project()
    let limits = project.nightly.freshness
    let watched = Set(project.nightly.watch.map(\.pipeline))
    if limits.isEmpty { return [.ok("rivulet.yaml has no limit")] }
    return try subject.readingLedger { connection in
      let releases = Releases(connection: connection)
      return try limits.map { limit in
        let load =
          watched.contains(limit.pipeline) ? "rivulet nightly" : "rivulet run \(limit.pipeline) SOURCE"
        guard let current = try releases.currentAge(of: limit.pipeline) else {
          return .warning("\(limit.pipeline) has no current release", fix: load)
        }
        let found = "\(limit.pipeline) \(current.release): \(current.days) of \(limit.days) days old"
        return current.days <= limit.days ? .ok(found) : .warning(found, fix: load)
      }
    }
  }
}
