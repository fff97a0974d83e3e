/// Memory for rows on their way into COPY.
///
/// Unchecked: it has one owner at a time, who hands it over and keeps nothing of it.
struct CopyPiece: @unchecked Sendable {
  private(set) var memory: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  var count = 0

  /// Bytes gathered before they are sent; between 1 KiB and 4 MiB the size makes no measurable difference.
  static let threshold = 131_072

  init() {
    capacity = Self.threshold + 65_536
    memory = .allocate(capacity: capacity)
  }

  func free() { memory.deallocate() }

  /// Makes room for more bytes.
  @inline(never)
  mutating func grow(_ size: Int) {
    let larger = max(capacity * 2, count + size)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: memory, count: count)
    memory.deallocate()
    memory = moved
    capacity = larger
  }
}
