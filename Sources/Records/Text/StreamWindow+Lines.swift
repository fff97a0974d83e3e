extension StreamWindow {
  /// Passes over a byte order mark at the start of the stream; false if there is none.
  mutating func passByteOrderMark() throws(RecordsError) -> Bool {
    try fill()
    // That of UTF-16 has been passed already.
    guard storage[..<min(3, end)] == [0xEF, 0xBB, 0xBF] else { return offset > 0 }
    consume(3)
    return true
  }

  /// The first line end at or after a distance from the window's start and at most `limit` from it; nil if
  /// there is none.
  @inline(__always)
  func firstLineEnd(from distance: Int, limit: Int) -> Int? {
    let bytes = storage.span.extracting(start..<(start &+ min(count, limit &+ 1)))
    return LineEndSearch.first(in: bytes, from: min(distance, bytes.count))
  }

  /// The bytes up to and with the line end that begins at a distance from the window's start.
  func lineEnd(at distance: Int) -> Int {
    let place = start &+ distance
    let isPair = place &+ 1 < end && storage[place] == 0x0D && storage[place &+ 1] == 0x0A
    return distance &+ (isPair ? 2 : 1)
  }

  /// Consumes everything up to the line's end, which is sought from a distance from the window's start on,
  /// but for the bytes returned, which end with the line end.
  mutating func skipLine(from distance: Int) throws(RecordsError) -> Int {
    var distance = distance
    while true {
      if let found = firstLineEnd(from: distance, limit: count) {
        // A line feed that belongs to this carriage return may not have been read yet.
        if found + 1 == count, !isAtEnd { try fill() }
        return lineEnd(at: found)
      }
      consume(count)
      distance = 0
      if isAtEnd { return 0 }
      try fill()
    }
  }
}
