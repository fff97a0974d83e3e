/// Why something was not downloaded.
public enum FetchError: Error, Sendable, CustomStringConvertible {
  /// What follows from an error.
  public enum Kind: Sendable {
    /// What was asked for is not there, or is not given out.
    case missing
    /// The network or the server failed; another time may do.
    case failed
    /// What came is not what it should be.
    case wrong
    /// Another process downloads the same.
    case busy
  }

  /// The host of an address has no entry in the name service.
  case hostNotFound(WebAddress)
  /// The server answered with a status that another try does not change.
  case refused(WebAddress, status: Int)
  /// The server or the network failed at every try.
  case failed(WebAddress, reason: String, tries: Int)
  /// No link of a page matches.
  case noLink(page: WebAddress, pattern: String)
  /// Several links match and none is posted later than the others.
  case severalLinks(page: WebAddress, pattern: String, found: [WebAddress])
  /// The bytes that came are not what the name says.
  case wrongContent(WebAddress, reason: String)
  /// A page is larger than pages are.
  case pageTooLarge(WebAddress, limit: Int)
  /// Another process downloads the same.
  case busy(WebAddress)

  /// What follows from it.
  public var kind: Kind {
    switch self {
    case .refused(_, let status): status >= 500 ? .failed : .missing
    case .hostNotFound, .noLink: .missing
    case .failed: .failed
    case .severalLinks, .wrongContent, .pageTooLarge: .wrong
    case .busy: .busy
    }
  }

  /// What to do about it, where that is not plain.
  public var hint: String? {
    switch self {
    case .noLink(let page, _):
      "see \(page) in a browser: the release may not be posted, or the page has changed and the pipeline's steps under"
        + " 'fetch' have to"
    case .severalLinks:
      "download the one that is meant by a browser, or say more in the pipeline's steps under 'fetch'"
    case .busy: "wait for it, or give --lock-wait SECONDS"
    default: nil
    }
  }

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .hostNotFound(let address):
      "\(address): there is no host '\(address.authority)'; check the address and the network"
    case .refused(let address, let status): "\(address): \(FetchError.said(status))"
    case .failed(let address, let reason, let tries):
      "\(address): \(reason)" + (tries > 1 ? "; stopped after \(tries) tries" : "")
    case .noLink(let page, let pattern): "\(page) has no link that matches '\(pattern)'"
    case .severalLinks(let page, let pattern, let found):
      "\(page) has \(found.count) links that match '\(pattern)', and none is dated later than the others: "
        + found.map(\.description).joined(separator: ", ")
    case .wrongContent(let address, let reason): "\(address): \(reason)"
    case .pageTooLarge(let address, let limit):
      "\(address) is no page of links: it has more than \(limit >> 20) MiB"
    case .busy(let address): "\(address) is being downloaded by another process"
    }
  }

  static func said(_ status: Int) -> String {
    let meaning: String? =
      switch status {
      case 401, 407: "it wants a user's name and password"
      case 403: "it does not give this out"
      case 404, 410: "there is no such page or file"
      case 429: "too many requests"
      case 503: "it is overloaded or being repaired"
      default: nil
      }
    return "the server answers \(status)" + (meaning.map { " (\($0))" } ?? "")
  }
}
