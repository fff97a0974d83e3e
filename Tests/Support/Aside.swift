import Host

/// Does what takes minutes and mostly waits on a thread of its own. The tests have as many threads as there are
/// cores: another one has that of this one meanwhile.
///
/// - Throws: what `body` throws.
public func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let work: @Sendable () -> Void = { continuation.resume(with: Result { try body() }) }
    if !BackgroundThread.start(work) { work() }
  }
}
