import Synchronization

/// How far a download has come, to be looked at from another thread while it goes on.
public final class FetchProgress: Sendable {
  private let done = Atomic<Int>(0)
  private let whole = Atomic<Int>(0)
  private let name = Mutex("")

  /// Nothing is being downloaded.
  public init() {}

  /// Bytes that are there.
  public var bytes: Int { done.load(ordering: .relaxed) }

  /// Bytes of the whole; nil where the server does not say.
  public var total: Int? {
    let total = whole.load(ordering: .relaxed)
    return total > 0 ? total : nil
  }

  /// What is being downloaded.
  public var subject: String { name.withLock { $0 } }

  func begin(_ subject: String) {
    name.withLock { $0 = subject }
    at(0, of: nil)
  }

  func at(_ bytes: Int, of total: Int?) {
    done.store(bytes, ordering: .relaxed)
    whole.store(total ?? 0, ordering: .relaxed)
  }
}
