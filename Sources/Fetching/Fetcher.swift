import Host
public import Progress

/// Downloads from publishers' sites: pages to find links on, and files into the cache.
public final class Fetcher {
  private let cache: DownloadCache
  private let mirror: Mirror
  private let limits: FetchLimits
  private let agent: String
  private let tell: (String) -> Void
  private let downloads = FetchProgress()
  /// How far the file at work has come.
  public var progress: WorkProgress { downloads.work }

  /// A page of links is never larger.
  private static let pageLimit = 16 << 20

  /// A downloader for a publisher's site.
  /// - Parameters:
  ///   - cache: where downloads are kept.
  ///   - mirror: where the publisher's files come from in place of its host.
  ///   - limits: how long to wait, and how often to try again.
  ///   - agent: how the program calls itself to servers.
  ///   - tell: is called before a new try, with the reason and the pause in a sentence.
  public init(
    cache: DownloadCache, mirror: Mirror, limits: FetchLimits = FetchLimits(), agent: String,
    tell: @escaping (String) -> Void = { _ in }
  ) {
    self.cache = cache
    self.mirror = mirror
    self.limits = limits
    self.agent = agent
    self.tell = tell
  }

  // MARK: Finding

  /// Follows a way of links to its end.
  /// - Throws: ``FetchError``; `Interrupted`.
  public func follow(_ trail: LinkTrail) throws -> LinkTrail.End {
    var address = trail.page
    var end: LinkTrail.End?
    for step in trail.steps {
      let (page, place) = try page(at: address)
      let (link, match) = try trail.choose(step, of: trail.links(of: page, at: place), on: place)
      let name = match.name?.percentDecoded ?? Path.name(link.address.path)
      guard let name = LinkTrail.fileName(name) else {
        throw FetchError.wrongContent(link.address, reason: "the address has no name for a file")
      }
      end = LinkTrail.End(link: link, page: place, name: name)
      address = link.address
    }
    guard let end else { throw FetchError.noLink(page: trail.page, pattern: "") }
    return end
  }

  /// The links of the page that a way begins on.
  /// - Throws: ``FetchError``; `Interrupted`.
  public func links(of trail: LinkTrail) throws -> [PageLink] {
    let (page, place) = try page(at: trail.page)
    return trail.links(of: page, at: place)
  }

  /// A page, and its address at the publisher after being sent on.
  private func page(at address: WebAddress) throws -> ([UInt8], WebAddress) {
    let request = mirror.request(address)
    downloads.begin(request.description)
    let page = PageReceiver(limit: Fetcher.pageLimit)
    let transfer = Transfer(address: request, mayBeCompressed: true, agent: agent, limits: limits)
    let answer = try persist(request, gained: { 0 }) {
      page.bytes = []
      let answer = try transfer.run(page)
      return answer.head.status == 200 ? .done(answer) : try Fetcher.judge(answer, request)
    }
    if page.isTooLarge { throw FetchError.pageTooLarge(request, limit: Fetcher.pageLimit) }
    return (page.bytes, mirror.original(answer.address))
  }

  // MARK: Downloading

  /// Downloads a file into the cache, going on from what an earlier try left, or finds that the cache has it.
  /// - Parameters:
  ///   - address: the file's.
  ///   - name: the name that the file is to have; its ending says what must be in it.
  ///   - lockWait: how long to wait for another process that downloads the same, in seconds.
  /// - Returns: where the file is in the cache.
  /// - Throws: ``FetchError``; `FileError` for the cache; `Interrupted`.
  public func file(at address: WebAddress, named name: String, lockWait: Double = 0) throws -> FetchedFile {
    let request = mirror.request(address)
    let place = try cache.place(of: request)
    let lock = try FileLock(folder: place, wait: lockWait)
    guard let lock else { throw FetchError.busy(request) }
    defer { withExtendedLifetime(lock) {} }
    let known = try cache.known(request)
    let receiver = FileReceiver(
      part: try PartialDownload(in: place, address: request.text), known: known?.note.version,
      progress: downloads)
    downloads.begin(name)
    let outcome = try persist(request, gained: { receiver.gain() }) {
      try self.attempt(request, receiver)
    }
    if outcome == .unchanged, let known, let digest = known.note.sha256 {
      return FetchedFile(
        address: request, path: known.path, bytes: Files.size(known.path) ?? 0, sha256: digest,
        isCached: true, isResumed: false)
    }
    return try finish(receiver, request, named: name)
  }

  private func finish(_ receiver: FileReceiver, _ request: WebAddress, named name: String) throws
    -> FetchedFile
  {
    let part = receiver.part
    if let fault = try ContentCheck(part.path, named: name).fault {
      try part.drop()
      throw FetchError.wrongContent(request, reason: fault)
    }
    let bytes = part.bytes
    let (path, digest) = try cache.take(part, of: request, version: part.version ?? ContentVersion())
    return FetchedFile(
      address: request, path: path, bytes: bytes, sha256: digest, isCached: false,
      isResumed: receiver.isResumed)
  }

  /// How a file came.
  private enum Outcome {
    case whole
    case unchanged
  }

  /// Asks once for the file, or the rest of it.
  private func attempt(_ request: WebAddress, _ receiver: FileReceiver) throws -> Try<Outcome> {
    let part = receiver.part
    var transfer = Transfer(address: request, agent: agent, limits: limits)
    transfer.fields = ["Accept-Encoding: identity"]
    if let rest = part.resumption {
      transfer.fields += ["Range: bytes=\(rest.bytes)-", "If-Range: \(rest.mark)"]
    } else if let known = receiver.known {
      if let tag = known.tag { transfer.fields.append("If-None-Match: \(tag)") }
      if let modified = known.modified { transfer.fields.append("If-Modified-Since: \(modified)") }
    }
    receiver.state = .waiting
    let answer = try transfer.run(receiver)
    switch (receiver.state, answer.head.status) {
    case (.unchanged, _): return .done(.unchanged)
    case (.mismatch, _): return .again("the server gave another part than was asked for", wait: nil)
    case (.taking, 200), (.taking, 206):
      if let total = part.version?.bytes, total != part.bytes {
        return .again("\(part.bytes) bytes came in place of \(total)", wait: nil)
      }
      return .done(.whole)
    case (_, 304) where receiver.known != nil: return .done(.unchanged)
    case (_, 416) where part.bytes > 0:
      // The server would have sent the whole, had it changed: there is nothing left to send.
      if part.isWhole { return .done(.whole) }
      try part.drop()
      return .again("the part that was there does not fit the file any more", wait: nil)
    default: return try Fetcher.judge(answer, request)
    }
  }

  // MARK: Persisting

  /// What one try came to.
  private enum Try<Result> {
    case done(Result)
    case again(String, wait: Int?)
  }

  /// What follows from a status that is no success.
  private static func judge<Result>(_ answer: Transfer.Answer, _ address: WebAddress) throws -> Try<Result> {
    let status = answer.head.status
    guard [408, 429, 502, 503, 504].contains(status) else {
      throw FetchError.refused(address, status: status)
    }
    return .again(FetchError.said(status), wait: answer.wait)
  }

  /// Tries until it is done, or has failed too often.
  ///
  /// `gained`: the bytes that are there since this was last asked; enough of them, and the failures
  ///   before are forgotten.
  private func persist<Result>(
    _ address: WebAddress, gained: () -> Int, _ attempt: () throws -> Try<Result>
  ) throws -> Result {
    var failures = 0
    while true {
      try Interruption.shared.check()
      var reason: String
      var wait: Int?
      do throws(any Error) {
        switch try attempt() {
        case .done(let result): return result
        case .again(let said, let asked): (reason, wait) = (said, asked)
        }
      } catch let failure as Transfer.Failure {
        switch failure {
        // A host that was there a moment ago is away for a moment, with its name service or ours.
        case .hostNotFound(let host) where failures > 0: reason = "there is no host '\(host.authority)' now"
        case .hostNotFound(let host): throw FetchError.hostNotFound(host)
        case .lasting(let said): throw FetchError.failed(address, reason: said, tries: failures + 1)
        case .passing(let said): reason = said
        }
      }
      failures = gained() >= limits.worthwhile ? 1 : failures + 1
      guard failures <= limits.retries else {
        throw FetchError.failed(address, reason: reason, tries: failures)
      }
      let pause = max(limits.pause(before: failures), Double(wait ?? 0))
      if let wait, wait > limits.longestWait {
        throw FetchError.failed(
          address, reason: "\(reason) and asks to wait \(wait) s; try again then", tries: failures)
      }
      tell("\(address): \(reason); trying again in \(Int(pause.rounded(.up))) s")
      try Interruption.shared.sleep(seconds: pause)
    }
  }
}
