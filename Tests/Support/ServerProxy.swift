import Foundation
import Glibc
import Host
import PostgreSQL
import Synchronization

/// Is between a program and the tests' server, and cuts connections as a test has it.
public final class ServerProxy: Sendable {
  /// What becomes of a piece of what a client sends.
  public enum Action: Sendable {
    /// It goes on to the server.
    case pass
    /// The connection is cut instead.
    case cut
    /// It goes on to the server, and the connection is cut when the server has answered, which the client
    /// never hears.
    case loseAnswer
  }

  /// A connection through the proxy, and all that its client has sent before.
  public struct Talk: Sendable {
    /// Counts the connections, from 0.
    public let connection: Int
    /// What was said before.
    public let before: String
    /// What is said now.
    public let text: String
  }

  private let listener: LoopbackListener
  private let socket: String
  private let decide: @Sendable (Talk) -> Action
  private let count = Atomic<Int>(0)
  /// The same database, through the proxy, as a URI for `--database`.
  public let url: String

  /// Starts one before a database; `decide` is asked about each piece that a client sends.
  public init(to database: TestDatabase, _ decide: @escaping @Sendable (Talk) -> Action) throws {
    let options = database.target.options
    socket = (options["host"] ?? "") + "/.s.PGSQL." + (options["port"] ?? "5432")
    self.decide = decide
    listener = try LoopbackListener()
    url =
      "postgresql://\(options["user"] ?? "")@127.0.0.1:\(listener.port)/\(database.name)"
      + "?sslmode=disable&gssencmode=disable"
    listener.serve { [weak self] in self?.serve($0) }
  }

  private func serve(_ client: Int32) {
    let number = count.add(1, ordering: .relaxed).oldValue
    let server = connect()
    guard server >= 0 else { return }
    let ended = Mailbox<Void>()
    let state = Answers()
    BackgroundThread.start {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let size = recv(server, &buffer, buffer.count, 0)
        guard size > 0 else { break }
        if state.isMute.withLock({ $0 }) {
          state.answered.put(())
        } else if !ServerProxy.send(client, buffer[..<size]) {
          break
        }
      }
      shutdown(client, Int32(SHUT_RDWR))
      state.answered.put(())
      ended.put(())
    }
    var before = ""
    var buffer = [UInt8](repeating: 0, count: 65_536)
    loop: while true {
      let size = recv(client, &buffer, buffer.count, 0)
      guard size > 0 else { break }
      let text = String(decoding: buffer[..<size], as: UTF8.self)
      switch decide(Talk(connection: number, before: before, text: text)) {
      case .pass: break
      case .cut: break loop
      case .loseAnswer:
        state.isMute.withLock { $0 = true }
        _ = ServerProxy.send(server, buffer[..<size])
        state.answered.take()
        break loop
      }
      guard ServerProxy.send(server, buffer[..<size]) else { break }
      // Rows are none of a test's business.
      if before.utf8.count < 1 << 20 { before += text }
    }
    shutdown(client, Int32(SHUT_RDWR))
    shutdown(server, Int32(SHUT_RDWR))
    ended.take()
    close(server)
  }

  /// What the server says on one connection.
  private final class Answers: Sendable {
    let isMute = Mutex(false)
    let answered = Mailbox<Void>()
  }

  private func connect() -> Int32 {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: Array(socket.utf8).prefix($0.count - 1))
    }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if !isConnected { close(descriptor) }
    return isConnected ? descriptor : -1
  }

  private static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
