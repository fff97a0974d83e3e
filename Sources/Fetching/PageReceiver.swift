/// Takes a page into memory.
final class PageReceiver: Receiver {
  var bytes: [UInt8] = []
  private(set) var isTooLarge = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func begin(_ head: ResponseHead) -> Bool { true }

  func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    bytes.append(contentsOf: piece)
    isTooLarge = bytes.count > limit
    return !isTooLarge
  }
}
