import CLibCurl
import Host

/// What takes the answer to a request.
protocol Receiver: AnyObject {
  /// The head of the answer that has the body; false where the body is not wanted.
  func begin(_ head: ResponseHead) throws -> Bool
  /// The next bytes of the body; false where no more are wanted.
  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool
}

/// One request and its answer, over libcurl; proxies are as the environment says.
struct Transfer {
  /// Why an answer did not come whole.
  enum Failure: Error {
    /// There is no such host.
    case hostNotFound(WebAddress)
    /// Another try may do.
    case passing(String)
    /// Another try will not do.
    case lasting(String)
  }

  /// How an answer came.
  struct Answer {
    var head: ResponseHead
    /// Where it came from in the end, after being sent on.
    var address: WebAddress
    /// What a server that is overloaded asks to wait, in seconds; nil where it does not say.
    var wait: Int?
    /// Whether the receiver wanted no more.
    var isCutOff: Bool
  }

  /// What the server is asked.
  var address: WebAddress
  /// Lines of the request's head.
  var fields: [String] = []
  /// Whether the body may be compressed on its way.
  var mayBeCompressed = false
  /// A JSON document to be sent; nil where something is asked for.
  var document: String?
  /// So many seconds all of it may take; nil where it may go on for as long as bytes come.
  var timeLimit: Int?
  /// Whether it ends where the program is asked to end.
  var isInterruptible = true
  /// How the program calls itself.
  var agent: String
  var limits: FetchLimits

  /// libcurl is made ready once, before any thread uses it.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK

  /// Asks, and hands the answer on; throws ``Failure``, `Interrupted`, or what the receiver throws.
  func run(_ receiver: any Receiver) throws -> Answer {
    guard Self.isReady, let handle = curl_easy_init() else {
      throw Failure.lasting("libcurl cannot be started")
    }
    let desk = Desk(receiver, isInterruptible: isInterruptible)
    // Until it is cleaned up, the handle may speak to the desk.
    defer { withExtendedLifetime(desk) { curl_easy_cleanup(handle) } }
    var list: UnsafeMutablePointer<curl_slist>?
    for field in fields { list = curl_slist_append(list, field) }
    defer { curl_slist_free_all(list) }
    prepare(handle, list, desk)
    rivulet_curl_set_explanation(handle, desk.explanation)
    let code = curl_easy_perform(handle)
    if let error = desk.error { throw error }
    if isInterruptible { try Interruption.shared.check() }
    if !desk.isCutOff && code != CURLE_OK { throw failure(code, handle, desk) }
    if !desk.isBegun { _ = try receiver.begin(desk.head) }
    let wait = Int(rivulet_curl_number(handle, CURLINFO_RETRY_AFTER))
    return Answer(
      head: desk.head, address: end(handle), wait: wait > 0 ? wait : nil, isCutOff: desk.isCutOff)
  }

  /// Where the request was sent on to in the end.
  private func end(_ handle: UnsafeMutableRawPointer) -> WebAddress {
    let text = rivulet_curl_text(handle, CURLINFO_EFFECTIVE_URL)
    return text.flatMap { WebAddress(String(cString: $0)) } ?? address
  }

  private func prepare(
    _ handle: UnsafeMutableRawPointer, _ list: UnsafeMutablePointer<curl_slist>?, _ desk: Desk
  ) {
    func set(_ option: CURLoption, _ value: Int) { _ = rivulet_curl_set_number(handle, option, value) }
    func set(_ option: CURLoption, _ value: String) { _ = rivulet_curl_set_text(handle, option, value) }
    set(CURLOPT_URL, address.text)
    set(CURLOPT_USERAGENT, agent)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // A server that proved who it is does not send on to one that does not.
    set(CURLOPT_REDIR_PROTOCOLS_STR, address.scheme == "https" ? "https" : "http,https")
    set(CURLOPT_FOLLOWLOCATION, document == nil ? 1 : 0)
    set(CURLOPT_MAXREDIRS, limits.redirects)
    set(CURLOPT_CONNECTTIMEOUT, limits.timeout)
    set(CURLOPT_LOW_SPEED_TIME, limits.timeout)
    set(CURLOPT_LOW_SPEED_LIMIT, limits.leastSpeed)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if let timeLimit { set(CURLOPT_TIMEOUT, timeLimit) }
    if let document {
      set(CURLOPT_POSTFIELDSIZE, document.utf8.count)
      set(CURLOPT_COPYPOSTFIELDS, document)
    }
    if mayBeCompressed { set(CURLOPT_ACCEPT_ENCODING, "") }
    for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
      if let file = Machine.environment(name) {
        set(CURLOPT_CAINFO, file)
        break
      }
    }
    _ = rivulet_curl_set_list(handle, CURLOPT_HTTPHEADER, list)
    rivulet_curl_set_receivers(
      handle,
      { bytes, size, count, context in
        Desk.of(context).head(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
      },
      { bytes, size, count, context in
        Desk.of(context).body(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
      },
      { context, _, _, _, _ in Desk.of(context).isToEnd ? 1 : 0 },
      Unmanaged.passUnretained(desk).toOpaque())
  }

  private func failure(_ code: CURLcode, _ handle: UnsafeMutableRawPointer, _ desk: Desk) -> Failure {
    let said = String(cString: desk.explanation)
    let explained = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .hostNotFound(end(handle))
    case CURLE_COULDNT_CONNECT: return .passing("cannot connect\(reason(handle))")
    case CURLE_OPERATION_TIMEDOUT:
      return .passing("nothing or next to nothing came for \(timeLimit ?? limits.timeout) s")
    case CURLE_PARTIAL_FILE: return .passing("the connection ended before all bytes had come")
    case CURLE_GOT_NOTHING: return .passing("the server closed the connection without an answer")
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return .passing("the connection was cut\(reason(handle))")
    case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_CONNECT_ERROR, CURLE_PROXY:
      return .passing("the connection failed (\(explained))")
    case CURLE_TOO_MANY_REDIRECTS:
      return .lasting("it sends on from address to address, \(limits.redirects) times and more")
    case CURLE_UNSUPPORTED_PROTOCOL:
      return .lasting("it sends on to an address that is neither http nor https, or leaves https")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return .lasting(
        "the proxy that the environment names cannot be found; check http_proxy and https_proxy")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
      return .lasting(
        "the server's certificate is not accepted (\(explained)); where a proxy signs for others, name the file of"
          + " its certificate in SSL_CERT_FILE")
    default: return .lasting("the request failed (\(explained))")
    }
  }

  private func reason(_ handle: UnsafeMutableRawPointer) -> String {
    let number = Int32(truncatingIfNeeded: rivulet_curl_number(handle, CURLINFO_OS_ERRNO))
    return number == 0 ? "" : ": \(systemMessage(number))"
  }

  /// Is the link between libcurl's callbacks, which cannot throw, and the receiver.
  private final class Desk {
    let receiver: any Receiver
    var head = ResponseHead()
    var isBegun = false
    var isCutOff = false
    private let isInterruptible: Bool
    var error: (any Error)?
    /// What libcurl says of a failure.
    let explanation = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ receiver: any Receiver, isInterruptible: Bool) {
      (self.receiver, self.isInterruptible) = (receiver, isInterruptible)
      explanation.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// The program is asked to end, and this ends with it.
    var isToEnd: Bool { isInterruptible && Interruption.shared.isRaised }

    deinit { explanation.deallocate() }

    static func of(_ context: UnsafeMutableRawPointer?) -> Desk {
      guard let context else { preconditionFailure("libcurl hands back the context that it was given") }
      return Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue()
    }

    func head(_ line: UnsafeRawBufferPointer) -> Bool {
      head.add(String(decoding: line, as: UTF8.self))
      return true
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
      do {
        if !isBegun {
          isBegun = true
          isCutOff = try !receiver.begin(head)
        }
        if !isCutOff { isCutOff = try !receiver.receive(bytes) }
      } catch {
        self.error = error
        return false
      }
      return !isCutOff
    }
  }
}
