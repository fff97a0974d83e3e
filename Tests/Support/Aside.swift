import Host

/// Does what takes minutes and mostly waits on a thread of its own. The tests have as many threads as there are
/// cores: another one has that of this one meanwhile.
///
/// - Throws: what `body` throws.
public func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withTaskExecutorPreference(ThreadOfItsOwn()) { try body() }
}

/// Runs a task outside Swift's pool. It stays the task of its test, which what fails in it belongs to.
private final class ThreadOfItsOwn: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let work: @Sendable () -> Void = { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    if !BackgroundThread.start(work) { work() }
  }
}
