import Values

/// One document: an array of records, an object with a way to its records, or one record.
extension JSONFrame {
  mutating func nextInDocument(isFirst: Bool) throws(RecordsError) -> Bool {
    if isFirst {
      documentOffset = window.offset
      guard try passBlanks() else {
        isDone = true
        return false
      }
      documentOffset = window.offset + cursor
      let byte = window[cursor]
      if byte == UInt8(ascii: "[") {
        enter(isArray: true, depth: way.count)
      } else if byte == UInt8(ascii: "{"), !way.isEmpty {
        settle()
        isKept = true
        enter(isArray: false, depth: 0)
      } else {
        return try takeRecord()
      }
    }
    while !isDone {
      guard let level = levels.last else { return try endDocument() }
      guard try passBlanks() else { return try fail(.truncated) }
      if window[cursor] == (level.isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) {
        cursor += 1
        levels.removeLast()
        continue
      }
      if !level.isFirst {
        guard window[cursor] == UInt8(ascii: ",") else { return try fail(.badSyntax) }
        cursor += 1
        guard try passBlanks() else { return try fail(.truncated) }
      }
      levels[levels.count - 1].isFirst = false
      var depth = level.depth
      if !level.isArray {
        guard let isOnWay = try name(way[depth]) else {
          return try fail(window.isAtEnd && cursor >= window.count ? .truncated : .badSyntax)
        }
        guard isOnWay else {
          guard try passValue() else { return try fail(.truncated) }
          continue
        }
        depth += 1
        if depth == 1 { (foundWay, isKept, head) = (true, false, nil) }
      }
      let byte = window[cursor]
      if byte == UInt8(ascii: "["), !(level.isArray && depth == way.count) {
        // Arrays in arrays are as many steps as they like on the way to a record.
        guard levels.count < JSONBalance.mostDepth else { return try fail(.tooDeep) }
        enter(isArray: true, depth: depth)
      } else if depth == way.count {
        return try takeRecord()
      } else if byte == UInt8(ascii: "{") {
        enter(isArray: false, depth: depth)
      } else if try !passValue() {
        return try fail(.truncated)
      }
    }
    return false
  }

  private mutating func enter(isArray: Bool, depth: Int) {
    levels.append(Level(isArray: isArray, depth: depth))
    cursor += 1
  }

  /// The document has been read to its end: it may be the record itself.
  private mutating func endDocument() throws(RecordsError) -> Bool {
    if isKept { settle() }
    if !foundWay, documentOffset >= 0, isKept || head != nil {
      place = RecordPlace(line: nextNumber, byteOffset: documentOffset)
      if head != nil { malformation = .tooLong } else { length = cursor }
      // What may follow is looked at by the next call.
      (isKept, documentOffset) = (false, -1)
      return true
    }
    head = nil
    guard try passBlanks() else {
      isDone = true
      return false
    }
    return try fail(.trailingText)
  }

  /// Gives what is left of the document as one malformed record: nothing says where in it another one begins.
  private mutating func fail(_ reason: Malformation) throws(RecordsError) -> Bool {
    settle()
    let isWhole = isKept || head != nil
    place = RecordPlace(line: nextNumber, byteOffset: isWhole ? documentOffset : window.offset)
    nextNumber += 1
    if head == nil {
      while window.count < limit, !window.isAtEnd { try window.fill() }
      keepHead()
    }
    malformation = reason
    isDone = true
    return true
  }

  /// Frames the value that begins at the cursor.
  private mutating func takeRecord() throws(RecordsError) -> Bool {
    window.consume(cursor)
    cursor = 0
    place = RecordPlace(line: nextNumber, byteOffset: window.offset)
    nextNumber += 1
    var balance = JSONBalance()
    while true {
      if let end = balance.end(window, from: cursor) {
        cursor = end
        if head == nil, end > limit { keepHead() }
        break
      }
      cursor = window.count
      if window.isAtEnd {
        isDone = true
        break
      }
      if window.count > limit {
        if head == nil { keepHead() }
        window.consume(cursor)
        cursor = 0
      }
      try window.fill()
    }
    if head == nil, cursor > limit { keepHead() }
    if head != nil {
      window.consume(cursor)
      cursor = 0
    } else {
      length = cursor
      if isDone, !balance.isWhole { malformation = .truncated }
    }
    if balance.isTooDeep { malformation = .tooDeep }
    return true
  }

  /// Passes a value over that holds no record; false where the stream ends before it does.
  private mutating func passValue() throws(RecordsError) -> Bool {
    var balance = JSONBalance()
    while true {
      if let end = balance.end(window, from: cursor) {
        cursor = end
        return true
      }
      cursor = window.count
      if window.isAtEnd { return false }
      settle()
      try window.fill()
    }
  }

  /// Passes a name, its colon and the blanks behind; says whether it is one of the way. Nil where there is
  /// none.
  private mutating func name(_ sought: [UInt8]) throws(RecordsError) -> Bool? {
    guard window[cursor] == 0x22 else { return nil }
    // The bytes of a name are there together unless it is longer than any that is sought.
    var isSought = true
    var place = 0
    cursor += 1
    while true {
      guard try hasByte() else { return nil }
      let byte = window[cursor]
      cursor += 1
      if byte == 0x22 { break }
      if byte == 0x5C {
        guard try hasByte() else { return nil }
        cursor += 1
        isSought = false
      } else if place >= sought.count || sought[place] != byte {
        isSought = false
      }
      place += 1
    }
    guard try passBlanks(), window[cursor] == UInt8(ascii: ":") else { return nil }
    cursor += 1
    guard try passBlanks() else { return nil }
    return isSought && place == sought.count
  }

  /// Passes blanks; false at the end of the stream.
  private mutating func passBlanks() throws(RecordsError) -> Bool {
    while try hasByte() {
      if !JSONBytes.isBlank(window[cursor]) { return true }
      cursor += 1
    }
    return false
  }

  /// Whether there is a byte at the cursor, which is read where it is not there yet.
  private mutating func hasByte() throws(RecordsError) -> Bool {
    while cursor >= window.count {
      if window.isAtEnd { return false }
      settle()
      try window.fill()
    }
    return true
  }

  /// Lets go of what has been looked at, unless the document may be the record; of one that is too long for
  /// that its beginning is kept.
  private mutating func settle() {
    if isKept {
      guard cursor > limit else { return }
      keepHead()
      malformation = nil
      isKept = false
    }
    window.consume(cursor)
    cursor = 0
  }
}

extension JSONBalance {
  /// Goes on at a distance from a window's first byte.
  fileprivate mutating func end(_ window: borrowing StreamWindow, from start: Int) -> Int? {
    end(window.storage.span.extracting(window.start..<window.end), from: start)
  }
}
