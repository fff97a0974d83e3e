import Glibc

/// A queue between threads: one puts, another waits.
///
/// Unchecked: every access to the elements is under the mutex.
public final class Mailbox<Element: Sendable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var elements: [Element] = []

  /// An empty queue.
  public init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  /// Adds at the end.
  public func put(_ element: Element) {
    pthread_mutex_lock(mutex)
    elements.append(element)
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Adds before all others, keeping their order.
  public func putFirst(_ added: [Element]) {
    pthread_mutex_lock(mutex)
    elements.insert(contentsOf: added, at: 0)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Takes the first element, waiting until there is one.
  public func take() -> Element {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.isEmpty { pthread_cond_wait(condition, mutex) }
    return elements.removeFirst()
  }

  /// The same, but nil where there is none for so long.
  public func take(within seconds: Double) -> Element? {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + Int(seconds * 1e9)
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.isEmpty {
      guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { return nil }
    }
    return elements.removeFirst()
  }
}
