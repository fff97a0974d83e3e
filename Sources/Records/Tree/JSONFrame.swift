import Values

/// Separates the records of a JSON stream, before anything is looked at in them.
///
/// ```swift
/// while try frame.next() { frame.withBytes { use($0, frame.malformation) } }
/// ```
///
/// Memory is bounded by what a record may have, whatever the stream holds: what is longer is passed over, and
/// comes as its beginning.
struct JSONFrame: ~Copyable {
  /// What a record or the way to one is in, outside of it.
  struct Level {
    let isArray: Bool
    /// How many names of the way to the records lead here.
    let depth: Int
    var isFirst = true
  }

  var window: StreamWindow
  let limit: Int
  let way: [[UInt8]]
  let hasLines: Bool
  /// The arrays and objects of the document around what is looked at.
  var levels: [Level] = []
  /// How far from the window's first byte the document has been looked at.
  var cursor = 0
  /// Whether the document may itself be the record, so that its bytes are kept from the first on.
  var isKept = false
  /// Whether the way to the records was found.
  var foundWay = false
  var isDone = false
  var hasBegun = false
  /// The beginning of what is too long, and then all that is left of it.
  var head: [UInt8]?
  var documentOffset = 0
  var nextNumber = 1

  /// The number of bytes of the record, from the window's first on; those of ``head`` do not count.
  var length = 0
  /// How many of them are the line end.
  var lineEndLength = 0
  /// Where the record begins: of lines the physical line, of a document the number of the record in it, from
  /// 1, and the bytes from the start of the stream.
  var place = RecordPlace(line: 1, byteOffset: 0)
  /// Why the record cannot be distinguished; nil for one that can.
  var malformation: Malformation?

  init(_ stream: any ByteStream, format: TreeFormat, bufferSize: Int) {
    window = StreamWindow(stream, capacity: bufferSize)
    limit = format.recordLimit
    way = format.records.map { Array($0.utf8) }
    hasLines = format.syntax == .jsonLines
  }

  /// Goes on to the next record; false after the last, when the whole stream has been read.
  mutating func next() throws(RecordsError) -> Bool {
    window.consume(length)
    cursor = max(0, cursor - length)
    (length, lineEndLength, malformation, head) = (0, 0, nil, nil)
    if !hasBegun { try window.passByteOrderMark() }
    let isFirst = !hasBegun
    hasBegun = true
    if hasLines ? try nextLine() : try nextInDocument(isFirst: isFirst) { return true }
    // What could not be distinguished is part of the source's digest all the same.
    while !window.isAtEnd {
      window.consume(window.count)
      try window.fill()
    }
    return false
  }

  /// Lends the bytes of the record, of one that is too long the first of them.
  func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let head { return try body(head.span) }
    return try body(window.storage.span.extracting(window.start..<(window.start + length - lineEndLength)))
  }

  /// The bytes of the record without the blanks at its end.
  var raw: [UInt8] {
    var raw = withBytes { $0.withUnsafeBufferPointer { Array($0) } }
    while let last = raw.last, JSONBytes.isBlank(last) { raw.removeLast() }
    return raw
  }

  /// Keeps of what is too long as much as a record may have.
  mutating func keepHead() {
    malformation = .tooLong
    head = Array(window.storage[window.start..<(window.start + min(limit, window.count))])
  }
}

/// Each line a record.
extension JSONFrame {
  fileprivate mutating func nextLine() throws(RecordsError) -> Bool {
    while !isDone {
      place = RecordPlace(line: nextNumber, byteOffset: window.offset)
      length = try lineLength()
      if malformation != nil { return true }
      if !withBytes({ Self.isBlank($0) }) { return true }
      window.consume(length)
      (length, lineEndLength) = (0, 0)
    }
    return false
  }

  /// The length of the line with its line end; of one that is too long all but its beginning is let go of.
  private mutating func lineLength() throws(RecordsError) -> Int {
    var searched = 0
    while true {
      if let end = lineFeed(from: searched) {
        nextNumber += 1
        if end > limit, malformation == nil { keepHead() }
        lineEndLength = 1
        return end + 1
      }
      searched = window.count
      if window.isAtEnd {
        isDone = true
        if window.count > limit, malformation == nil { keepHead() }
        return window.count
      }
      if window.count > limit {
        if malformation == nil { keepHead() }
        window.consume(window.count)
        searched = 0
      }
      try window.fill()
    }
  }

  /// The first line feed at or after a distance.
  private func lineFeed(from distance: Int) -> Int? {
    let bytes = window.storage.span.extracting((window.start + distance)..<window.end)
    return LineEndSearch.firstLineFeed(in: bytes).map { $0 + distance }
  }

  private static func isBlank(_ bytes: Span<UInt8>) -> Bool {
    for place in bytes.indices where !JSONBytes.isBlank(bytes[place]) { return false }
    return true
  }
}
