import Foundation
import Glibc
import Host
import Synchronization

/// An HTTP server on loopback that answers as a test has it, and misbehaves as a test asks.
public final class LoopbackServer: Sendable {
  /// What a client asked.
  public struct Request: Sendable {
    /// The method.
    public let method: String
    /// The path and query; the whole address where a proxy is asked.
    public let target: String
    /// The fields of the head, names in lower case.
    public let fields: [String: String]
    /// How often this target has been asked for before.
    public let before: Int
    /// What was sent.
    public let body: [UInt8]

    /// The first byte that is asked for; nil where all are.
    public var firstByte: Int? {
      guard let range = fields["range"], range.hasPrefix("bytes=") else { return nil }
      return Int(range.dropFirst(6).prefix { $0 != "-" })
    }
  }

  /// What is answered.
  public struct Reply: Sendable {
    /// The status.
    public var status = 200
    /// The fields of the head; `Content-Length` is added where it is not said.
    public var fields: [String: String] = [:]
    /// The body.
    public var body: [UInt8] = []
    /// After how many bytes of the body the connection is closed; nil for none too early.
    public var cutAfter: Int?
    /// After how many bytes of the body nothing more comes, while the connection stays open.
    public var holdAfter: Int?
    /// Bytes that come at a time, each a tenth of a second after those before; nil for all at once.
    public var drip: Int?
    /// Whether no `Content-Length` is sent.
    public var hidesLength = false

    /// An answer.
    public init(_ status: Int = 200, _ fields: [String: String] = [:], body: [UInt8] = []) {
      self.status = status
      self.fields = fields
      self.body = body
    }

    /// The same, but the connection is closed after so many bytes of the body; nil for none too early.
    public func cut(after bytes: Int?) -> Reply {
      var reply = self
      reply.cutAfter = bytes
      return reply
    }

    /// A page.
    public static func page(_ html: String) -> Reply {
      Reply(200, ["Content-Type": "text/html; charset=UTF-8"], body: Array(html.utf8))
    }

    /// An answer that sends on.
    public static func redirect(_ target: String) -> Reply { Reply(302, ["Location": target]) }

    /// A file as a server gives it that knows of parts and of unchanged content.
    public static func file(_ body: [UInt8], tag: String = "\"1\"", for request: Request) -> Reply {
      var fields = ["ETag": tag, "Accept-Ranges": "bytes"]
      if request.fields["if-none-match"] == tag { return Reply(304, fields) }
      guard let first = request.firstByte, request.fields["if-range"] == tag else {
        return Reply(200, fields, body: body)
      }
      guard first < body.count else { return Reply(416, ["Content-Range": "bytes */\(body.count)"]) }
      fields["Content-Range"] = "bytes \(first)-\(body.count - 1)/\(body.count)"
      return Reply(206, fields, body: Array(body[first...]))
    }
  }

  private let listener: LoopbackListener
  private let answer: @Sendable (Request) -> Reply
  private let seen = Mutex<[Request]>([])
  /// The port it listens on.
  public var port: UInt16 { listener.port }

  /// `http://127.0.0.1:port`.
  public var address: String { "http://127.0.0.1:\(port)" }

  /// What was asked so far, in order.
  public var requests: [Request] { seen.withLock { $0 } }

  /// What was asked of one target.
  public func requests(for target: String) -> [Request] { requests.filter { $0.target == target } }

  /// Starts on a free port.
  public init(_ answer: @escaping @Sendable (Request) -> Reply) throws {
    self.answer = answer
    listener = try LoopbackListener()
    listener.serve { [weak self] in self?.serve($0) }
  }

  private func serve(_ connection: Int32) {
    guard let request = read(connection) else { return }
    let reply = answer(request)
    var fields = reply.fields
    fields["Connection"] = "close"
    if fields["Content-Length"] == nil, !reply.hidesLength, reply.status != 304 {
      fields["Content-Length"] = "\(reply.body.count)"
    }
    let head =
      "HTTP/1.1 \(reply.status) -\r\n" + fields.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
    guard send(connection, Array(head.utf8)[...]), request.method != "HEAD" else { return }
    let body = reply.body[..<min(reply.body.count, reply.cutAfter ?? reply.holdAfter ?? .max)]
    if let drip = reply.drip {
      for start in stride(from: 0, to: body.count, by: drip) {
        usleep(100_000)
        guard send(connection, body[start..<min(body.count, start + drip)]) else { return }
      }
    } else {
      guard send(connection, body) else { return }
    }
    if reply.holdAfter != nil {
      // Until the other side goes away.
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
    }
    shutdown(connection, Int32(SHUT_WR))
  }

  private func read(_ connection: Int32) -> Request? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard head.count < 1 << 16, recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    let words = lines[0].split(separator: " ").map(String.init)
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { fields[parts[0].lowercased()] = parts[1] }
    }
    var body: [UInt8] = []
    let length = fields["content-length"].flatMap { Int($0) } ?? 0
    while body.count < length {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      body.append(byte)
    }
    return seen.withLock { seen in
      let request = Request(
        method: words[0], target: words[1], fields: fields, before: seen.count { $0.target == words[1] },
        body: body)
      seen.append(request)
      return request
    }
  }

  private func send(_ connection: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
