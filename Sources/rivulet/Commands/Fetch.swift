import Definitions
import Fetching
import Host
import PipelineCore
import Reporting
import Values

let fetchCommand = Command(
  name: "fetch", summary: "Downloads a release's archive from its publisher",
  discussion: """
    The archive is found by the links of the publisher's pages. What was cut off is gone on with by the same command;
    what has not changed is not downloaded again. Proxies are as http_proxy, https_proxy and no_proxy say.
    """,
  arguments: [
    Argument("PIPELINE", "the pipeline, a folder under Pipelines/"),
    Argument("RELEASE", "the release, such as 2026A"),
  ],
  options: [
    Option("--output", short: "-o", value: "DIR", "the folder for the archive (default: this one)"),
    Option(
      "--from", value: "URL", "a copy of the publisher's site, in place of its host; also RIVULET_FETCH_BASE"),
    Option("--retries", value: "N", "how often to try again (default 4)"),
    Option("--timeout", value: "SECONDS", "after how long without an answer (default 30)"),
  ],
  examples: ["rivulet fetch cms-rvu 2026A", "rivulet fetch cms-rvu 2025AR -o downloads --format json"],
  run: { try fetch($0, $1) })

private func fetch(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  guard let rule = pipeline.fetch else {
    throw invocation.usage(
      "the pipeline '\(pipeline.name)' does not say where its releases are; its pipeline.yaml has no key 'fetch'"
    )
  }
  session.work(on: pipeline.name)
  let release = pipeline.release.spelled(invocation.arguments[1])
  let trail = try trail(to: release, by: rule, of: pipeline, invocation)
  let folder = invocation["--output"] ?? "."
  if Files.exists(folder) && !Files.isDirectory(folder) {
    throw invocation.usage("-o takes a folder, and '\(folder)' is a file")
  }
  let fetcher = try fetcher(from: trail.page, at: try copy(invocation), invocation, session)
  let (path, file) = try session.showing(fetcher.progress) {
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
  try session.answer(
    json: [
      "pipeline": pipeline.name, "release": release, "url": "\(file.address)", "file": path,
      "bytes": file.bytes, "sha256": file.sha256, "cached": file.isCached, "resumed": file.isResumed,
    ],
    text: text(file, release: "\(pipeline.name) \(release)", at: path))
  return ExitCode.done
}

/// The way to a release's archive, as the pipeline describes it.
private func trail(
  to release: String, by rule: FetchRule, of pipeline: Pipeline, _ invocation: Invocation
) throws -> LinkTrail {
  guard let groups = rule.groups(of: release) else {
    throw invocation.usage(
      "'\(release)' is no release that the publisher of '\(pipeline.name)' can have: it must match"
        + " '\(rule.release.text)'")
  }
  guard let page = WebAddress(rule.page.filled(groups)) else {
    throw invocation.usage("fetch.page of '\(pipeline.name)' is no address: '\(rule.page.filled(groups))'")
  }
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

/// The copy of the publisher's site that is asked in its place; nil where none is named.
private func copy(_ invocation: Invocation) throws -> WebAddress? {
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

/// What downloads from a site, or from a copy of it, as the options of a command say.
func fetcher(
  from site: WebAddress, at copy: WebAddress?, _ invocation: Invocation, _ session: Session
) throws -> Fetcher {
  guard let cache = DownloadCache.usual else {
    throw invocation.usage("there is no home folder for the cache: set RIVULET_CACHE to a folder")
  }
  var limits = FetchLimits()
  if let retries = try invocation.integer("--retries") { limits.retries = retries }
  if let timeout = try invocation.integer("--timeout", atLeast: 1) { limits.timeout = timeout }
  return Fetcher(
    cache: cache, mirror: Mirror(of: site, at: copy), limits: limits,
    agent: "rivulet/\(Rivulet.version)"
  ) { session.warn($0) }
}

private func text(_ file: FetchedFile, release: String, at path: String) -> String {
  let way =
    file.isCached
    ? "unchanged, from the cache" : file.isResumed ? "downloaded, the rest of an earlier try" : "downloaded"
  return """
    \(release): \(path)
    \(file.bytes.grouped) bytes, \(way)
    from   \(file.address)
    sha256 \(file.sha256)

    """
}
