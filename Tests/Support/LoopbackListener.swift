import Glibc
import Host
import Synchronization

/// A free port on loopback that takes connections. Closed when it is let go.
public final class LoopbackListener: Sendable {
  private let descriptor: Int32
  private let isServed = Atomic<Bool>(false)
  /// The port it listens on.
  public let port: UInt16

  /// Listens. Until they are served connections are taken, and nothing is said on them.
  public init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else {
      let code = errno
      close(descriptor)
      throw FileError(path: "127.0.0.1", code: code, action: "listen on")
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    // Or by the thread that listens: closed under its hands, its number might be another listener's next.
    if !isServed.load(ordering: .relaxed) { close(descriptor) }
  }

  /// Has each connection served, on a thread of its own, and closed after that. To be called once.
  public func serve(_ body: @escaping @Sendable (_ connection: Int32) -> Void) {
    isServed.store(true, ordering: .relaxed)
    let descriptor = descriptor
    BackgroundThread.start {
      defer { close(descriptor) }
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        BackgroundThread.start {
          body(connection)
          close(connection)
        }
      }
    }
  }
}
