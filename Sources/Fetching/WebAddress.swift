import CLibCurl

/// An absolute http or https address, without a fragment.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address as it is asked for.
  public let text: String
  /// `http` or `https`.
  public let scheme: String
  /// The host, and the port where it is not the scheme's own; in lower case.
  public let authority: String
  /// The path from `/` on and the query, percent-encoded as they were written.
  public let target: String

  /// Reads an address; nil where it is none, or of another scheme.
  public init?(_ text: String) {
    self.init(text, from: nil)
  }

  /// The address that a link leads to, as a page at this address means it: `../a.zip`, `/a.zip`,
  /// `//host/a.zip`. Nil where it leads to nothing that can be downloaded, such as `mailto:`.
  public func following(_ link: String) -> WebAddress? {
    WebAddress(link.trimmed, from: text)
  }

  /// A value of the query, decoded; nil where it is not there.
  public func parameter(_ name: String) -> String? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0].lowercased() == name.lowercased() {
        return String(parts[1]).percentDecoded
      }
    }
    return nil
  }

  /// The path without the query, decoded.
  public var path: String { String(target.prefix { $0 != "?" }).percentDecoded }

  /// The address as it may be shown: without a user's name and password.
  public var description: String { "\(scheme)://\(authority)\(target)" }

  /// The same without its query, in which there may be a key or a signature: as it may be kept.
  public var withoutQuery: String { "\(scheme)://\(authority)\(target.prefix { $0 != "?" })" }

  private init?(_ text: String, from base: String?) {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_URLENCODE)
    for part in [base, text].compactMap(\.self) {
      guard !part.isEmpty, curl_url_set(handle, CURLUPART_URL, part, flags) == CURLUE_OK else {
        return nil
      }
    }
    guard curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK,
      let scheme = WebAddress.part(CURLUPART_SCHEME, of: handle), ["http", "https"].contains(scheme),
      let host = WebAddress.part(CURLUPART_HOST, of: handle),
      let whole = WebAddress.part(CURLUPART_URL, of: handle),
      let path = WebAddress.part(CURLUPART_PATH, of: handle)
    else { return nil }
    self.text = whole
    self.scheme = scheme
    let usual = scheme == "https" ? "443" : "80"
    let port = WebAddress.part(CURLUPART_PORT, of: handle).flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    authority = host.lowercased() + port
    target = path + (WebAddress.part(CURLUPART_QUERY, of: handle).map { "?\($0)" } ?? "")
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}

extension String {
  /// The text with `%41` as `A`; what is no such code stays.
  var percentDecoded: String {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text without blanks and line ends at its ends.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
