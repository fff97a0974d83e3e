import Glibc
import Synchronization

/// What a sanitizer must report, and what it must not: so that one that reports nothing, or too much,
/// is found. A program of its own, which `.ci/sanitize` builds; its argument says what is done.
@main
enum Controls {
  private static let rounds = 200_000
  /// How many threads are there. Relaxed, it orders nothing.
  private static let arrived = Atomic<Int>(0)
  private static let guarded = Mutex(0)
  nonisolated(unsafe) private static var unguarded = 0
  nonisolated(unsafe) private static var kept: UnsafeMutablePointer<UInt8>?

  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "guarded": onTwoThreads { for _ in 0..<rounds { guarded.withLock { $0 += 1 } } }
    case "unguarded":
      onTwoThreads {
        for _ in 0..<1000 {
          unguarded += 1
          sched_yield()
        }
      }
    // The other thread holds a Mutex meanwhile: what one thread does without it is a race all the same.
    case "half-guarded":
      onTwoThreads(
        { for _ in 0..<rounds { guarded.withLock { _ in unguarded += 1 } } },
        { for _ in 0..<rounds { unguarded += 1 } })
    case "outside":
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
      bytes[16] = 1
      print(bytes[16])
      bytes.deallocate()
    case "freed":
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
      bytes.deallocate()
      print(bytes[0])
    case "leaked":
      kept = .allocate(capacity: 16)
      kept = nil
    case "clean": print("clean")
    default: exit(2)
    }
  }

  private static func onTwoThreads(
    _ one: @escaping @Sendable () -> Void, _ other: (@Sendable () -> Void)? = nil
  ) {
    let threads = [one, other ?? one].map { body in
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { box in
          box.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
          return nil
        }, Unmanaged.passRetained(Body(body)).toOpaque())
      return thread
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  private final class Body: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
      arrived.add(1, ordering: .relaxed)
      while arrived.load(ordering: .relaxed) < 2 { sched_yield() }
      body()
    }
  }
}
