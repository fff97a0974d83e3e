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
  session.work(on: pipeline.name)
  let download = try ReleaseDownload(of: pipeline, invocation, session)
  let release = pipeline.release.spelled(invocation.arguments[1])
  let folder = invocation["--output"] ?? "."
  let way = try download.trail(to: release)
  if Files.exists(folder) && !Files.isDirectory(folder) {
    throw invocation.usage("-o takes a folder, and '\(folder)' is a file")
  }
  let (path, file) = try download.fetch(release, along: way, into: folder)
  try session.answer(
    json: [
      "pipeline": pipeline.name, "release": release, "url": "\(file.address)", "file": path,
      "bytes": file.bytes, "sha256": file.sha256, "cached": file.isCached, "resumed": file.isResumed,
    ],
    text: text(file, release: "\(pipeline.name) \(release)", at: path))
  return ExitCode.done
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
