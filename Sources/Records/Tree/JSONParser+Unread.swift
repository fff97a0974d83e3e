import Values

/// What nobody wants: passed over, and where the plan asks for it recorded by its path.
extension JSONParser {
  /// Passes the value of a name over that nobody wants.
  ///
  /// `name`: the name, of the object at `place`.
  mutating func passUnread(
    _ name: Span<UInt8>, _ bytes: Span<UInt8>, of node: Int, at place: Int32, depth: Int,
    _ tape: inout TreeTape
  ) {
    let parent = place >= 0 ? place : tape.elements.place(of: node, in: plan)
    if let teller = tape.elements.teller(at: parent), JSONBytes.equal(name, teller) {
      // What tells things apart is in their paths.
      return pass(bytes)
    }
    passUnread(bytes, at: tape.elements.place(of: name, below: parent), depth: depth, &tape)
  }

  /// Passes a value over and notes where in it something is.
  ///
  /// It is not checked: where it is no JSON it counts as one value, as far as brackets and quotes tell.
  private mutating func passUnread(
    _ bytes: Span<UInt8>, at place: Int32, depth: Int, _ tape: inout TreeTape
  ) {
    let (start, before) = (scanner.place, tape.unread.count)
    if walk(bytes, place, depth, &tape) { return }
    scanner.place = start
    tape.unread.removeSubrange(before...)
    tape.unread.append(place)
    pass(bytes)
  }

  /// The place of an object that begins here: that of its name, or that of what tells it apart.
  mutating func place(ofObject place: Int32, _ bytes: Span<UInt8>, _ tape: inout TreeTape) -> Int32 {
    guard let teller = tape.elements.teller(at: place), let text = said(teller, bytes) else { return place }
    return tape.elements.place(place, telling: text)
  }

  /// What the object that begins here says at a property, as a text.
  private func said(_ property: [UInt8], _ bytes: Span<UInt8>) -> [UInt8]? {
    var ahead = scanner
    ahead.place &+= 1
    while true {
      ahead.passBlanks(bytes)
      guard ahead.next(bytes) == 0x22, let name = ahead.plainText(bytes) else { return nil }
      ahead.passBlanks(bytes)
      guard ahead.take(UInt8(ascii: ":"), bytes) else { return nil }
      ahead.passBlanks(bytes)
      if JSONBytes.equal(bytes.extracting(name), property) {
        var text: [UInt8] = []
        guard ahead.next(bytes) == 0x22, ahead.text(bytes, onto: &text) == nil else { return nil }
        return text
      }
      var balance = JSONBalance()
      guard let end = balance.end(bytes, from: ahead.place) else { return nil }
      ahead.place = end
      ahead.passBlanks(bytes)
      guard ahead.take(UInt8(ascii: ","), bytes) else { return nil }
    }
  }

  /// False where it is no JSON.
  private mutating func walk(
    _ bytes: Span<UInt8>, _ place: Int32, _ depth: Int, _ tape: inout TreeTape
  ) -> Bool {
    guard scanner.place < bytes.count else { return false }
    guard depth < Self.mostDepth, place != UnreadElements.others else { return skip(bytes, place, &tape) }
    let start = scanner.place
    switch bytes[start] {
    case UInt8(ascii: "\""):
      guard scanner.passText(bytes) == nil else { return false }
      if scanner.place &- start > 2 { tape.unread.append(place) }
      return true
    case UInt8(ascii: "["), UInt8(ascii: "{"): return walkThings(bytes, place, depth, &tape)
    default:
      guard scanner.word(bytes) else { return false }
      if bytes[start] != UInt8(ascii: "n") { tape.unread.append(place) }
      return true
    }
  }

  /// Passes a value over as one.
  private mutating func skip(_ bytes: Span<UInt8>, _ place: Int32, _ tape: inout TreeTape) -> Bool {
    var balance = JSONBalance()
    guard let end = balance.end(bytes, from: scanner.place), !balance.isTooDeep else { return false }
    scanner.place = end
    tape.unread.append(place)
    return true
  }

  /// The items of an array, or the properties of an object.
  private mutating func walkThings(
    _ bytes: Span<UInt8>, _ place: Int32, _ depth: Int, _ tape: inout TreeTape
  ) -> Bool {
    let isObject = bytes[scanner.place] == UInt8(ascii: "{")
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    let teller = isObject ? tape.elements.teller(at: place) : nil
    let place = teller == nil ? place : self.place(ofObject: place, bytes, &tape)
    scanner.place &+= 1
    scanner.passBlanks(bytes)
    if scanner.take(close, bytes) { return true }
    repeat {
      scanner.passBlanks(bytes)
      let isWalked =
        isObject
        ? walkProperty(bytes, place, teller, depth, &tape) : walk(bytes, place, depth &+ 1, &tape)
      guard isWalked else { return false }
      scanner.passBlanks(bytes)
    } while scanner.take(UInt8(ascii: ","), bytes)
    return scanner.take(close, bytes)
  }

  private mutating func walkProperty(
    _ bytes: Span<UInt8>, _ place: Int32, _ teller: [UInt8]?, _ depth: Int, _ tape: inout TreeTape
  ) -> Bool {
    guard scanner.next(bytes) == 0x22 else { return false }
    let below: Int32
    var isTeller = false
    if let name = scanner.plainText(bytes) {
      let name = bytes.extracting(name)
      if let teller { isTeller = JSONBytes.equal(name, teller) }
      below = isTeller ? -1 : tape.elements.place(of: name, below: place)
    } else {
      var name: [UInt8] = []
      guard scanner.text(bytes, onto: &name) == nil else { return false }
      below = tape.elements.place(of: name, below: place)
    }
    scanner.passBlanks(bytes)
    guard scanner.take(UInt8(ascii: ":"), bytes) else { return false }
    scanner.passBlanks(bytes)
    // What tells things apart is in their paths.
    guard !isTeller else { return scanner.next(bytes) == 0x22 && scanner.passText(bytes) == nil }
    return walk(bytes, below, depth &+ 1, &tape)
  }
}

extension JSONBytes {
  /// Whether some bytes are others.
  @inline(__always)
  static func equal(_ bytes: Span<UInt8>, _ other: [UInt8]) -> Bool {
    guard bytes.count == other.count else { return false }
    for place in other.indices where bytes[place] != other[place] { return false }
    return true
  }
}
