/// Takes a file, or the rest of one, into a partial download.
final class FileReceiver: Receiver {
  /// What the answer turned out to be.
  enum State {
    /// Nothing has come.
    case waiting
    /// Bytes that are wanted.
    case taking
    /// What the cache has.
    case unchanged
    /// Bytes that do not follow on those that are there.
    case mismatch
    /// The body of an answer that is no success.
    case ignoring
  }

  let part: PartialDownload
  /// What the cache has.
  let known: ContentVersion?
  var state = State.waiting
  /// Bytes of an earlier try were kept.
  private(set) var isResumed = false
  private let progress: FetchProgress
  private var most: Int

  init(part: PartialDownload, known: ContentVersion?, progress: FetchProgress) {
    self.part = part
    self.known = known
    self.progress = progress
    most = part.bytes
  }

  /// By how many bytes there are more now than there ever were when this was asked before.
  func gain() -> Int {
    defer { most = max(most, part.bytes) }
    return max(0, part.bytes - most)
  }

  func begin(_ head: ResponseHead) throws -> Bool {
    switch head.status {
    case 200:
      if let known, known.isSame(as: head.version) {
        state = .unchanged
        return false
      }
      try part.begin(head.version)
      isResumed = false
      state = .taking
    case 206:
      guard head.firstByte == part.bytes, part.version?.agrees(with: head.version) == true else {
        try part.drop()
        state = .mismatch
        return false
      }
      isResumed = true
      state = .taking
    default: state = .ignoring
    }
    progress.at(part.bytes, of: part.version?.bytes)
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    guard state == .taking else { return true }
    try part.add(bytes)
    progress.at(part.bytes, of: part.version?.bytes)
    return true
  }
}
