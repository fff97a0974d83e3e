/// Reads one JSON value, whole in memory, onto a tape: what a plan wants of it, and nothing else.
///
/// What is wanted is checked byte by byte; below names that nobody wants only brackets and quotes are followed.
struct JSONParser {
  /// So many arrays may be within each other where something is wanted.
  private static let mostDepth = 64

  private let plan: TreePlan
  private var place = 0
  /// Where the bytes that are read begin, and where the record ends behind which texts are written anew: both differ from
  /// the bytes' own where these are JSON in a text.
  private var (origin, recordEnd) = (0, 0)
  private var failure: Malformation?
  /// Whether the value is of a kind that is not wanted, so that nothing more is read of it.
  private(set) var isOfOtherKind = false

  init(_ plan: TreePlan) { self.plan = plan }

  /// Reads a value that is all there is of some bytes; gives why it is none.
  mutating func read(_ bytes: Span<UInt8>, onto tape: inout TreeTape) -> Malformation? {
    (place, failure, isOfOtherKind) = (0, nil, false)
    (origin, recordEnd) = (0, bytes.count)
    passBlanks(bytes)
    guard place < bytes.count else { return .truncated }
    if bytes[place] == UInt8(ascii: "{") {
      properties(bytes, of: 0, depth: 0, &tape)
    } else {
      pass(bytes)
      if failure == nil { failure = .notAnObject }
    }
    if failure == nil, !isOfOtherKind {
      passBlanks(bytes)
      if place < bytes.count { failure = .trailingText }
    }
    return failure
  }

  /// The properties of the object that begins here.
  private mutating func properties(_ bytes: Span<UInt8>, of node: Int, depth: Int, _ tape: inout TreeTape) {
    place &+= 1
    passBlanks(bytes)
    var seen: UInt64 = 0
    if take(UInt8(ascii: "}"), bytes) { return }
    while failure == nil {
      guard let child = child(of: node, bytes, &tape) else { return }
      passBlanks(bytes)
      guard take(UInt8(ascii: ":"), bytes) else { return fail(bytes) }
      passBlanks(bytes)
      if child < 0 {
        pass(bytes)
      } else {
        // A name that is there twice leaves open which of them is meant.
        let bit = plan.bit(of: child, below: node)
        if seen & bit != 0 { return failure = .repeatedName }
        seen |= bit
        if bit == 0 { tape.seen.note(late: child) }
        value(bytes, of: child, depth: depth &+ 1, &tape)
        if isOfOtherKind { return }
      }
      guard failure == nil else { return }
      passBlanks(bytes)
      if take(UInt8(ascii: "}"), bytes) { return tape.seen.note(seen, below: node) }
      guard take(UInt8(ascii: ","), bytes) else { return fail(bytes) }
      passBlanks(bytes)
    }
  }

  /// A value that is wanted, or of which something is.
  private mutating func value(
    _ bytes: Span<UInt8>, of node: Int, depth: Int, isItem: Bool = false, _ tape: inout TreeTape
  ) {
    guard place < bytes.count else { return fail(bytes) }
    if plan.nodes[node].takesAll {
      let start = place
      pass(bytes)
      let isNull = place &- start == 4 && bytes[start] == UInt8(ascii: "n")
      if failure == nil, !isNull { tape.text(node, FieldRange(origin &+ start, origin &+ place)) }
      return
    }
    switch bytes[place] {
    case UInt8(ascii: "{"):
      guard depth < Self.mostDepth else { return failure = .tooDeep }
      tape.enter(node)
      properties(bytes, of: node, depth: depth, &tape)
      tape.leave()
    case UInt8(ascii: "["):
      guard depth < Self.mostDepth else { return failure = .tooDeep }
      place &+= 1
      passBlanks(bytes)
      if take(UInt8(ascii: "]"), bytes) { return }
      while failure == nil {
        value(bytes, of: node, depth: depth &+ 1, isItem: true, &tape)
        passBlanks(bytes)
        if failure != nil || isOfOtherKind || take(UInt8(ascii: "]"), bytes) { return }
        guard take(UInt8(ascii: ","), bytes) else { return fail(bytes) }
        passBlanks(bytes)
      }
    case UInt8(ascii: "\""):
      guard let text = text(bytes, &tape) else { return }
      if plan.nodes[node].isThing { return things(text, bytes, of: node, depth: depth, &tape) }
      put(text, of: node, bytes, &tape)
    default:
      let start = place
      guard isWord(bytes) else { return failure = .badSyntax }
      if bytes[start] != UInt8(ascii: "n") {
        if plan.nodes[node].isThing { return failure = .textForThings }
        put(FieldRange(origin &+ start, origin &+ place), of: node, bytes, &tape)
      } else if isItem {
        // Nothing is known of it, and yet it is one of several, and those after it are further on.
        tape.text(node, FieldRange(0, 0))
      } else if !plan.nodes[node].children.isEmpty {
        // That nothing is known is said by leaving it out.
        tape.seen.noteAll(below: node, of: plan)
      }
    }
  }

  /// Things that are written as a text: JSON in JSON, as programs make it of a column that holds it.
  private mutating func things(
    _ text: FieldRange, _ bytes: Span<UInt8>, of node: Int, depth: Int, _ tape: inout TreeTape
  ) {
    let written = copy(of: text, bytes, tape)
    guard let first = written.first(where: { !JSONBytes.isBlank($0) }) else { return }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), depth < Self.mostDepth else {
      return failure = .textForThings
    }
    let (outerPlace, outerOrigin) = (place, origin)
    (place, origin) = (0, text.lowerBound)
    let inner = written.span
    passBlanks(inner)
    value(inner, of: node, depth: depth &+ 1, &tape)
    passBlanks(inner)
    if failure == .badSyntax || failure == .truncated || failure == nil && place < written.count {
      failure = .textForThings
    }
    (place, origin) = (outerPlace, outerOrigin)
  }

  private func copy(of text: FieldRange, _ bytes: Span<UInt8>, _ tape: TreeTape) -> [UInt8] {
    guard text.lowerBound >= recordEnd else {
      return bytes.extracting(text.range).withUnsafeBufferPointer { Array($0) }
    }
    return Array(tape.rewritten[(text.lowerBound - recordEnd)..<(text.upperBound - recordEnd)])
  }

  private mutating func put(
    _ text: FieldRange, of node: Int, _ bytes: Span<UInt8>, _ tape: inout TreeTape
  ) {
    guard plan.nodes[node].takesText else { return }
    tape.text(node, text)
    guard node == plan.kindNode, origin == 0, text.upperBound <= bytes.count else { return }
    isOfOtherKind = !plan.wants(bytes.extracting(text.range))
  }

  /// Passes a value over that nobody wants.
  private mutating func pass(_ bytes: Span<UInt8>) {
    guard place < bytes.count else { return fail(bytes) }
    switch bytes[place] {
    case UInt8(ascii: "\""): passText(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var balance = JSONBalance()
      let end = balance.end(bytes, from: place)
      if balance.isTooDeep { return failure = .tooDeep }
      guard let end else { return failure = .truncated }
      place = end
    default:
      if !isWord(bytes) { failure = .badSyntax }
    }
  }

  private mutating func passText(_ bytes: Span<UInt8>) {
    place &+= 1
    while true {
      place = JSONBytes.endOfPlainText(bytes, from: place)
      guard place < bytes.count else { return failure = .truncated }
      switch bytes[place] {
      case 0x22:
        place &+= 1
        return
      case 0x5C: place &+= 2
      default: return fail(bytes)
      }
    }
  }

  /// Passes a name; gives what is wanted under it, -1 for nothing.
  private mutating func child(of node: Int, _ bytes: Span<UInt8>, _ tape: inout TreeTape) -> Int? {
    guard place < bytes.count, bytes[place] == 0x22 else {
      fail(bytes)
      return nil
    }
    let start = place &+ 1
    let end = JSONBytes.endOfPlainText(bytes, from: start)
    if end < bytes.count, bytes[end] == 0x22 {
      place = end &+ 1
      let child = plan.child(of: node, bytes, start..<end)
      if child < 0, plan.nodes[node].notesUnknown {
        tape.seen.note(unknown: bytes.extracting(start..<end), below: node)
      }
      return child
    }
    var name: [UInt8] = []
    place = start
    if let malformation = JSONEscapes.rewrite(bytes, from: &place, onto: &name) {
      failure = malformation
      return nil
    }
    let child = plan.child(of: node, name.span, 0..<name.count)
    if child < 0, plan.nodes[node].notesUnknown { tape.seen.note(unknown: name.span, below: node) }
    return child
  }

  /// The place of a text without its quotes; behind the record where it had to be written anew.
  private mutating func text(_ bytes: Span<UInt8>, _ tape: inout TreeTape) -> FieldRange? {
    let start = place &+ 1
    let end = JSONBytes.endOfPlainText(bytes, from: start)
    guard end < bytes.count else {
      failure = .truncated
      return nil
    }
    if bytes[end] == 0x22 {
      place = end &+ 1
      return FieldRange(origin &+ start, origin &+ end)
    }
    let rewritten = tape.rewritten.count
    place = start
    switch JSONEscapes.rewrite(bytes, from: &place, onto: &tape.rewritten) {
    case .some(let malformation):
      failure = malformation
      return nil
    case .none:
      return FieldRange(recordEnd &+ rewritten, recordEnd &+ tape.rewritten.count)
    }
  }

  /// Passes a number, `true`, `false` or `null`; false for anything else.
  private mutating func isWord(_ bytes: Span<UInt8>) -> Bool {
    let start = place
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x2C || byte == 0x7D || byte == 0x5D || JSONBytes.isBlank(byte) { break }
      place &+= 1
    }
    return JSONWord.isWord(bytes.extracting(start..<place))
  }

  @inline(__always)
  private mutating func passBlanks(_ bytes: Span<UInt8>) {
    while place < bytes.count, JSONBytes.isBlank(bytes[place]) { place &+= 1 }
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place &+= 1
    return true
  }

  private mutating func fail(_ bytes: Span<UInt8>) {
    if failure == nil { failure = place < bytes.count ? .badSyntax : .truncated }
  }
}

/// Numbers and the three words of JSON.
enum JSONWord {
  static func isWord(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    switch bytes[0] {
    case UInt8(ascii: "t"): return equals(bytes, "true")
    case UInt8(ascii: "f"): return equals(bytes, "false")
    case UInt8(ascii: "n"): return equals(bytes, "null")
    default: return isNumber(bytes)
    }
  }

  private static func equals(_ bytes: Span<UInt8>, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    for place in bytes.indices where bytes[place] != word.utf8Start[place] { return false }
    return true
  }

  /// As JSON writes numbers; how large one is does not matter, as it stays a text.
  private static func isNumber(_ bytes: Span<UInt8>) -> Bool {
    var place = bytes[0] == UInt8(ascii: "-") ? 1 : 0
    func digits() -> Int {
      var end = place
      while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39 { end += 1 }
      return end - place
    }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[place] != 0x30 else { return false }
    place += whole
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      let fraction = digits()
      guard fraction > 0 else { return false }
      place += fraction
    }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      place += 1
      if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") {
        place += 1
      }
      let exponent = digits()
      guard exponent > 0 else { return false }
      place += exponent
    }
    return place == bytes.count
  }
}
