import Definitions
import Fetching
import Host

/// Releases of a pipeline as its publisher has them: which there are, and their archives.
struct ReleaseDownload {
  private let pipeline: Pipeline
  private let rule: FetchRule
  private let invocation: Invocation
  private let session: Session

  /// - Throws: `UsageError` where the pipeline does not say where its releases are.
  init(of pipeline: Pipeline, _ invocation: Invocation, _ session: Session) throws {
    guard let rule = pipeline.fetch else {
      throw invocation.usage(
        "the pipeline '\(pipeline.name)' does not say where its releases are; its pipeline.yaml has no key 'fetch'"
      )
    }
    (self.pipeline, self.rule, self.invocation, self.session) = (pipeline, rule, invocation, session)
  }

  /// The names of the releases that the publisher lists, each once, by the first day in effect, then by name.
  /// - Throws: `UsageError` where the pipeline does not say how to read the list; `FetchError`; `Interrupted`.
  func listed() throws -> [(release: String, from: String)] {
    guard let list = rule.list else {
      throw invocation.usage(
        "the pipeline '\(pipeline.name)' does not say which releases its publisher has; 'fetch' in its pipeline.yaml"
          + " has no key 'list'")
    }
    let page = try page(rule.page.filled([]))
    let trail = LinkTrail(page: page, steps: [], parameter: rule.parameter)
    let fetcher = try fetcher(from: page, at: try copy(), invocation, session)
    let links = try session.showing(fetcher.progress) { try fetcher.links(of: trail) }
    let names = Set(links.compactMap { list.release(address: $0.address.description) })
    return names.map(pipeline.release.spelled).compactMap { release in
      guard rule.groups(of: release) != nil,
        let dates = try? pipeline.release.effectiveDates(of: release)
      else { return nil }
      return (release, dates.from)
    }.sorted { ($0.from, $0.release) < ($1.from, $1.release) }
  }

  /// Downloads a release's archive into a folder, which is made where it is not there.
  /// - Throws: `FetchError`; `FileError`; `Interrupted`.
  func fetch(_ release: String, along trail: LinkTrail, into folder: String) throws -> (
    path: String, file: FetchedFile
  ) {
    let fetcher = try fetcher(from: trail.page, at: try copy(), invocation, session)
    return try session.showing(fetcher.progress) {
      let end = try fetcher.follow(trail)
      if let named = pipeline.release.release(in: end.name, at: .archiveName), named != release {
        throw FetchError.wrongContent(
          end.link.address, reason: "its name tells release \(named), and \(release) was asked for")
      }
      if let licence = end.link.licence {
        session.tell(
          "the archive is given out under the licence at \(licence): who downloads it accepts that")
      }
      let file = try fetcher.file(at: end.link.address, named: end.name, lockWait: try session.lockWait())
      try Files.makeDirectory(folder)
      let path = folder == "." ? end.name : Path.join(folder, end.name)
      if case .replaced = try file.place(at: path) {
        session.warn("'\(path)' had another content and is replaced")
      }
      return (path, file)
    }
  }

  /// The way to a release's archive, as the pipeline describes it.
  func trail(to release: String) throws -> LinkTrail {
    guard let groups = rule.groups(of: release) else {
      throw invocation.usage(
        "'\(release)' is no release that the publisher of '\(pipeline.name)' can have: it must match"
          + " '\(rule.release.text)'")
    }
    let page = try page(rule.page.filled(groups))
    let steps = try rule.steps.map { step in
      let pattern: LinkPattern
      do throws(TextPattern.Invalid) {
        pattern = try step.pattern(for: groups)
      } catch {
        throw invocation.usage("a step of 'fetch' makes no pattern of '\(release)': \(error.reason)")
      }
      return LinkTrail.Step(pattern: pattern.shown) { link in
        let address = link.address.description
        guard pattern.matches(address: address, text: link.text) else { return nil }
        return LinkTrail.Match(name: pattern.name(address: address))
      }
    }
    return LinkTrail(page: page, steps: steps, parameter: rule.parameter)
  }

  private func page(_ text: String) throws -> WebAddress {
    guard let page = WebAddress(text) else {
      throw invocation.usage("fetch.page of '\(pipeline.name)' is no address: '\(text)'")
    }
    return page
  }

  /// The copy of the publisher's site that is asked in its place; nil where none is named.
  private func copy() throws -> WebAddress? {
    let origin = invocation.has("--from") ? "--from" : "RIVULET_FETCH_BASE"
    var copy: WebAddress?
    if let text = invocation["--from"] ?? Machine.environment("RIVULET_FETCH_BASE") {
      copy = WebAddress(text)
      guard copy != nil else {
        throw invocation.usage("\(origin) takes an address such as https://mirror.example/cms, not '\(text)'")
      }
    }
    return copy
  }
}
