import Foundation
import Synchronization
import Testing

/// A thread that does its part of every round, and waits between them.
final class Round: Sendable {
  private let go = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private let isOver = Atomic<Bool>(false)
  private let failure = Shared<(any Error)?>(nil)

  /// - Parameter prepare: run once on the thread; what it gives is run once a round.
  init(_ prepare: @escaping @Sendable () throws -> () throws -> Void) {
    Thread.detachNewThread { [self] in
      go.wait()
      do {
        let part = try prepare()
        while !isOver.load(ordering: .relaxed) {
          try part()
          done.signal()
          go.wait()
        }
      } catch {
        failure.change { $0 = error }
      }
      // Who waits from now on gets the failure.
      done.signal()
    }
  }

  /// Begins a round.
  func start() { go.signal() }

  /// Waits until its part is done; throws what it failed by.
  func wait() throws {
    try #require(done.wait(timeout: .now() + 120) == .success, "it hangs")
    if let error = failure.value { throw error }
  }

  /// Ends the thread.
  func finish() {
    isOver.store(true, ordering: .relaxed)
    go.signal()
  }
}
