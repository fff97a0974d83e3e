import Definitions
import Fetching
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL

/// The step before the first: what publishers have that is newer.
extension NightlyJob {
  /// Downloads the new releases of each dataset, to be loaded by the next step. What fails for one is recorded,
  /// and the next one begins.
  func fetchReleases(_ target: ConnectionTarget) throws {
    for dataset in project.nightly.fetch {
      try Interruption.shared.check()
      guard let pipeline = pipeline(dataset.pipeline) else { continue }
      session.work(on: pipeline.name)
      do {
        try fetchNew(of: pipeline, into: dataset.folder, target)
      } catch {
        note(error, in: .fetch, about: pipeline.name, code: Self.code(of: error))
      }
    }
  }

  private func fetchNew(of pipeline: Pipeline, into folder: String, _ target: ConnectionTarget) throws {
    let download = try ReleaseDownload(of: pipeline, invocation, session)
    for release in try newReleases(of: pipeline, by: download, target) {
      try Interruption.shared.check()
      do {
        let (path, file) = try download.fetch(release, along: download.trail(to: release), into: folder)
        fetchedFiles[pipeline.name, default: []].append(path)
        summary.fetched.append(
          NightlySummary.Fetched(
            pipeline: pipeline.name, release: release, state: file.isCached ? .unchanged : .fetched,
            file: path,
            bytes: file.bytes))
        if !file.isCached { session.tell("\(pipeline.name) \(release) is fetched: \(path)") }
      } catch let error as FetchError where Self.isNotThere(error) {
        session.tell("\(pipeline.name) \(release) is not yet published: \(error)")
        summary.fetched.append(
          NightlySummary.Fetched(pipeline: pipeline.name, release: release, state: .notPublished))
      }
    }
  }

  /// Those that the publisher lists after the newest one that is published here, in their order; the last alone
  /// where none is.
  private func newReleases(
    of pipeline: Pipeline, by download: ReleaseDownload, _ target: ConnectionTarget
  ) throws -> [String] {
    let listed = try download.listed()
    let here = try Releases(connection: try session.connect(to: target)).list(pipeline: pipeline.name)
      .filter { $0.state == "published" }.map { ($0.effectiveFrom ?? "", $0.release) }
    guard let newest = here.max(by: { $0 < $1 }) else { return listed.suffix(1).map(\.release) }
    return listed.filter { ($0.from, $0.release) > newest }.map(\.release)
  }

  /// The page is there, and the release is not.
  private static func isNotThere(_ error: FetchError) -> Bool {
    switch error {
    case .noLink: true
    case .refused(_, let status): status == 404 || status == 410
    default: false
    }
  }

  /// A publisher that cannot be reached is a source that is missing; nil for the error's own code.
  private static func code(of error: any Error) -> Int32? {
    guard let kind = (error as? FetchError)?.kind else { return nil }
    return kind == .failed || kind == .missing ? ExitCode.missingSource : nil
  }
}
