import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Store

/// The first step: what is new in the watched folders.
extension NightlyJob {
  /// Loads the new files of each pipeline in the order of their releases, each as a run of its own. What
  /// fails for one is recorded, and the next one begins.
  func loadNewFiles(_ target: ConnectionTarget) throws {
    var pipelines: [String] = []
    let rules = project.nightly
    for name in rules.watch.map(\.pipeline) + rules.fetch.map(\.pipeline) where !pipelines.contains(name) {
      pipelines.append(name)
    }
    for pipeline in pipelines.compactMap({ self.pipeline($0) }) {
      try Interruption.shared.check()
      session.work(on: pipeline.name)
      attempt(.runs) {
        for found in try newFiles(of: pipeline, on: try session.connect(to: target)) {
          try Interruption.shared.check()
          load(found, through: pipeline, target)
        }
      }
    }
  }

  /// The files of a pipeline that are to be loaded, in order. The others are reported.
  private func newFiles(of pipeline: Pipeline, on connection: Connection) throws -> [Discovered] {
    var found: [Discovered] = []
    var seen: Set<String> = []
    for file in settledFiles(of: pipeline) {
      try Interruption.shared.check()
      do {
        let sha256 = try SourceFiles.sha256(of: file.path)
        // Of copies the first is meant.
        guard seen.insert(sha256).inserted else { continue }
        guard try isNew(file, sha256, pipeline, on: connection) else { continue }
        found.append(
          try session.tracing(pipeline) { try Discovered(RunRequest(source: file.path), pipeline: pipeline) })
      } catch let error as PostgreSQLError {
        throw error
      } catch {
        note(error, in: .runs, about: file.path)
      }
    }
    return found.sorted { $0.precedes($1) }
  }

  /// The files in the watched folders of a pipeline that are whole, and what was fetched tonight, each once.
  private func settledFiles(of pipeline: Pipeline) -> [FolderListing.File] {
    var files: [FolderListing.File] = []
    let fetched = fetchedFiles[pipeline.name] ?? []
    for path in fetched {
      attempt(.runs) { files.append(FolderListing.File(path: path, status: try FileStatus(path))) }
    }
    let whole = Set(fetched.map { Path.resolved($0) ?? $0 })
    for watch in project.nightly.watch where watch.pipeline == pipeline.name {
      attempt(.runs) {
        let listing = try FolderListing(watch)
        for file in listing.growing where !whole.contains(Path.resolved(file.path) ?? file.path) {
          let ahead = -file.status.age
          // The system itself has set these times, by a clock that was ahead of what it is now.
          let reason =
            ahead > 1
            ? "its times are \(Int(ahead)) s ahead of this machine's clock; 'touch' it where it is whole"
            : "it was written to within the last \(watch.settle.components.seconds) s"
          wait(for: file.path, of: pipeline, because: reason)
        }
        for error in listing.unreadable { note(error, in: .runs) }
        files += listing.settled.filter { file in !files.contains { $0.path == file.path } }
      }
    }
    return files
  }

  /// Whether a file is to be loaded; why it is not is found, unless it is loaded already.
  private func isNew(
    _ file: FolderListing.File, _ sha256: String, _ pipeline: Pipeline, on connection: Connection
  ) throws -> Bool {
    guard try FileStatus(file.path) == file.status else {
      wait(for: file.path, of: pipeline, because: "it was changed while it was read")
      return false
    }
    switch try RunHistory(connection: connection).state(
      ofFile: sha256, pipeline: pipeline, programVersion: Rivulet.version)
    {
    case .new: return true
    case .loaded: return false
    case .staged(let run, let release):
      wait(
        for: file.path, of: pipeline,
        because:
          "run \(run) has loaded it, and 'rivulet releases publish \(pipeline.name) \(release)' publishes it")
      report(
        .runs, ExitCode.busy,
        "\(file.path): \(pipeline.name) \(release) is loaded by run \(run) and not published")
      return false
    case .refused(let run, let reason):
      let message = "\(file.path): run \(run) has refused it: \(reason)"
      session.warn("runs: \(message)", about: LogSubject(pipeline: pipeline.name, run: run))
      report(.runs, ExitCode.refused, message)
      return false
    }
  }

  /// Loads a file by the same code as `rivulet run`.
  private func load(_ found: Discovered, through pipeline: Pipeline, _ target: ConnectionTarget) {
    do {
      let connection = try session.connect(to: target)
      try rivulet.load([found], through: pipeline, on: connection, to: target, invocation, session) { run in
        summary.runs.append(run.withoutValues)
        session.tell(rivulet.runSummary(run), about: LogSubject(run))
      }
    } catch {
      if let failure = error as? RunFailure { summary.runs.append(failure.report.withoutValues) }
      note(error, in: .runs, about: found.source)
    }
  }

  private func wait(for file: String, of pipeline: Pipeline, because reason: String) {
    session.tell("\(file) waits: \(reason)")
    summary.waiting.append(NightlySummary.Waiting(pipeline: pipeline.name, file: file, reason: reason))
  }
}
