import Glibc

/// Rows on their way into COPY, in text form; the only place that touches their memory by pointer.
///
/// A row is built field by field and ended; full buffers are handed to the server, which blocks the caller
/// while the server is behind, so that memory stays at one buffer.
public struct CopyBuffer: ~Copyable {
  private var piece = CopyPiece()
  private var atRowStart = true
  /// Rows ended so far.
  public private(set) var rows = 0
  private let send: (inout CopyPiece) throws -> Void

  /// - Parameter send: sends a piece, or takes it over and leaves another in its place.
  init(send: @escaping (inout CopyPiece) throws -> Void) { self.send = send }

  deinit { piece.free() }

  /// A buffer for fields that are looked at and dropped again: nothing that it gathers goes anywhere.
  public static func discarding() -> CopyBuffer { CopyBuffer { _ in } }

  @inline(__always)
  private var memory: UnsafeMutablePointer<UInt8> { piece.memory }
  @inline(__always)
  private var count: Int {
    get { piece.count }
    set { piece.count = newValue }
  }

  /// A field whose bytes may need escaping.
  public mutating func field(_ bytes: Span<UInt8>) {
    beginField(reserving: 2 * bytes.count)
    let target = UnsafeMutableRawPointer(memory + count)
    let isPlain = CopyEscape.copyPlain(bytes.bytes, to: target, isChecked: true)
    count += isPlain ? bytes.count : CopyEscape.copyEscaped(bytes, to: target)
  }

  /// A field of bytes that are known to need no escaping, such as digits.
  public mutating func plainField(_ bytes: Span<UInt8>) {
    beginField(reserving: bytes.count)
    _ = CopyEscape.copyPlain(bytes.bytes, to: UnsafeMutableRawPointer(memory + count), isChecked: false)
    count += bytes.count
  }

  /// A whole number.
  public mutating func field(_ number: Int) {
    beginField(reserving: 24)
    if number < 0 { appendByte(0x2d) }
    var magnitude = number.magnitude
    var digits = 1
    var limit: UInt = 10
    while digits < 20 && magnitude >= limit {
      digits += 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      if overflow { break }
      limit = next
    }
    var index = count + digits
    count = index
    repeat {
      index -= 1
      memory[index] = 0x30 + UInt8(magnitude % 10)
      magnitude /= 10
    } while magnitude > 0
  }

  /// A field of type `bytea`. What is large is sent piece by piece, so that its digits are never held
  /// together; its row cannot be removed.
  /// - Throws: `CopyInterrupted` where the server takes no more rows.
  public mutating func byteField(_ bytes: Span<UInt8>) throws {
    beginField(reserving: 3)
    for byte: UInt8 in [0x5c, 0x5c, 0x78] { appendByte(byte) }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 32_768)
      reserve(2 * (end - start))
      for place in start..<end {
        appendByte(CopyBuffer.hexDigit(bytes[place] >> 4))
        appendByte(CopyBuffer.hexDigit(bytes[place] & 15))
      }
      start = end
      try sendIfFull()
    }
  }

  @inline(__always)
  private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

  /// A field of text.
  public mutating func field(_ text: String) {
    field(Array(text.utf8).span)
  }

  /// A field of text that may be many megabytes long: it is sent piece by piece and never held a second time; its
  /// row cannot be removed.
  /// - Throws: `CopyInterrupted` where the server takes no more rows.
  public mutating func longField(_ text: String) throws {
    beginField(reserving: 0)
    var text = text
    try text.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + 32_768)
        reserve(2 * (end - start))
        count += CopyEscape.copyEscaped(
          bytes.span.extracting(start..<end), to: UnsafeMutableRawPointer(memory + count))
        start = end
        try sendIfFull()
      }
    }
  }

  /// A NULL.
  public mutating func null() {
    beginField(reserving: 2)
    appendByte(0x5c)
    appendByte(0x4e)
  }

  /// Ends the row and sends what has gathered, if it is enough.
  /// - Throws: `CopyInterrupted` where the server takes no more rows.
  public mutating func endRow() throws {
    closeRow()
    try sendIfFull()
  }

  /// Ends the row and sends nothing, so that it can still be removed by ``dropRows(from:)``.
  public mutating func closeRow() {
    reserve(1)
    appendByte(0x0a)
    atRowStart = true
    rows += 1
  }

  /// Sends what has gathered, if it is enough.
  /// - Throws: `CopyInterrupted` where the server takes no more rows.
  public mutating func sendIfFull() throws {
    if count >= CopyPiece.threshold { try flush() }
  }

  /// What has been gathered so far, for ``dropRows(from:)``.
  public struct Mark: Sendable {
    fileprivate let count: Int
    fileprivate let rows: Int
  }

  /// The state to come back to, as long as nothing is sent.
  public var mark: Mark { Mark(count: count, rows: rows) }

  /// Removes all rows, ended or not, since a mark; nothing may have been sent meanwhile.
  public mutating func dropRows(from mark: Mark) {
    count = mark.count
    rows = mark.rows
    atRowStart = true
  }

  /// Bytes of rows in COPY's text form, as they are.
  /// - Throws: `CopyInterrupted` where the server takes no more rows.
  public mutating func raw(_ bytes: Span<UInt8>) throws {
    reserve(bytes.count)
    bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      memcpy(memory + count, start, source.count)
      count += source.count
    }
    try sendIfFull()
  }

  mutating func flush() throws {
    guard count > 0 else { return }
    try send(&piece)
    count = 0
  }

  private mutating func beginField(reserving size: Int) {
    reserve(size + 1)
    if atRowStart {
      atRowStart = false
    } else {
      appendByte(0x09)
    }
  }

  private mutating func appendByte(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  private mutating func reserve(_ size: Int) {
    if count + size > piece.capacity { piece.grow(size) }
  }
}
