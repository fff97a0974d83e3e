import Synchronization

extension Array where Element: Sendable {
  /// What `body` gives for each element, in their order, worked out on several threads of which this is one.
  ///
  /// After a failure no other element is begun. Throws the error of the first element that failed, as if one
  /// had been done after the other.
  public func map<Value: Sendable>(
    onThreads count: Int, _ body: @escaping @Sendable (Element) throws -> Value
  ) throws -> [Value] {
    let work = SharedWork(elements: self, body: body)
    let helpers = (1..<Swift.max(1, Swift.min(count, self.count))).filter { _ in
      BackgroundThread.start { work.doAll(andTell: true) }
    }
    work.doAll(andTell: false)
    for _ in helpers { work.ended.take() }
    return try work.outcomes()
  }
}

/// Elements that several threads take one after the other.
private final class SharedWork<Element: Sendable, Value: Sendable>: Sendable {
  private let elements: [Element]
  private let body: @Sendable (Element) throws -> Value
  private let state: Mutex<(next: Int, outcomes: [Result<Value, any Error>?])>
  /// A message from each helper that finds nothing left to do.
  let ended = Mailbox<Void>()

  init(elements: [Element], body: @escaping @Sendable (Element) throws -> Value) {
    self.elements = elements
    self.body = body
    state = Mutex((0, Array(repeating: nil, count: elements.count)))
  }

  func doAll(andTell tells: Bool) {
    while let index = take() {
      let outcome = Result { try body(elements[index]) }
      state.withLock { state in
        state.outcomes[index] = outcome
        if case .failure = outcome { state.next = elements.count }
      }
    }
    if tells { ended.put(()) }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < elements.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func outcomes() throws -> [Value] {
    try state.withLock { state in
      try state.outcomes.compactMap { try $0?.get() }
    }
  }
}
