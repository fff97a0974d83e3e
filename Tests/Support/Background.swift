import Foundation
import Synchronization
import Testing

/// A thread of a test's own, whose end can be waited for.
public final class Background: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)

  /// Starts it; what it throws comes back from ``wait()``.
  public init(_ body: @escaping @Sendable () throws -> Void) {
    Thread.detachNewThread { [self] in
      do { try body() } catch { failure.withLock { $0 = error } }
      ended.signal()
    }
  }

  /// Waits for its end, ten minutes at most.
  ///
  /// - Throws: what the body threw.
  public func wait() throws {
    try #require(ended.wait(timeout: .now() + 600) == .success, "it hangs")
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
