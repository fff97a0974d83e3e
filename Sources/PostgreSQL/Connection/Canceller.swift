import CLibPQ

/// Cancels what a connection is doing, from any thread.
///
/// Unchecked: the libpq object behind it is never changed after it is made, and `PQcancel` is documented as
/// safe to call from any thread, even from a signal handler.
public final class Canceller: @unchecked Sendable {
  private let handle: OpaquePointer?

  init(_ connection: OpaquePointer) { handle = PQgetCancel(connection) }

  deinit { PQfreeCancel(handle) }

  /// Asks the server to cancel the running statement; false when the request could not be delivered.
  @discardableResult
  public func cancel() -> Bool {
    guard let handle else { return false }
    var reason = [CChar](repeating: 0, count: 256)
    return PQcancel(handle, &reason, Int32(reason.count)) == 1
  }
}
