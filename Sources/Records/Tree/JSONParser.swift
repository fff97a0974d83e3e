import Values

/// Reads one JSON value, whole in memory, onto a tape: what a plan wants of it, and nothing else.
///
/// What is wanted is checked byte by byte; below names that nobody wants only brackets and quotes are
/// followed.
struct JSONParser {
  /// So many arrays may be within each other where something is wanted.
  private static let mostDepth = 64

  private let plan: TreePlan
  private var scanner = JSONScanner()
  /// Where the bytes that are read begin, and where the record ends behind which texts are rewritten: both
  /// differ from the bytes' own where these are JSON in a text.
  private var (origin, recordEnd) = (0, 0)
  private var failure: Malformation?
  /// Whether the value is of a kind that is not wanted, so that nothing more is read of it.
  private(set) var isOfOtherKind = false

  init(_ plan: TreePlan) { self.plan = plan }

  /// Reads a value that is all there is of some bytes; gives why it is none.
  mutating func read(_ bytes: Span<UInt8>, onto tape: inout TreeTape) -> Malformation? {
    (scanner.place, failure, isOfOtherKind) = (0, nil, false)
    (origin, recordEnd) = (0, bytes.count)
    scanner.passBlanks(bytes)
    guard scanner.place < bytes.count else { return .truncated }
    if bytes[scanner.place] == UInt8(ascii: "{") {
      properties(bytes, of: 0, depth: 0, &tape)
    } else {
      pass(bytes)
      if failure == nil { failure = .notAnObject }
    }
    if failure == nil, !isOfOtherKind {
      scanner.passBlanks(bytes)
      if scanner.place < bytes.count { failure = .trailingText }
    }
    return failure
  }

  /// The properties of the object that begins here.
  private mutating func properties(_ bytes: Span<UInt8>, of node: Int, depth: Int, _ tape: inout TreeTape) {
    scanner.place &+= 1
    scanner.passBlanks(bytes)
    var seen: UInt64 = 0
    if scanner.take(UInt8(ascii: "}"), bytes) { return }
    while failure == nil {
      guard let child = child(of: node, bytes, &tape) else { return }
      scanner.passBlanks(bytes)
      guard scanner.take(UInt8(ascii: ":"), bytes) else { return fail(bytes) }
      scanner.passBlanks(bytes)
      if child < 0 {
        pass(bytes)
      } else {
        // A name that is there twice leaves open which of them is meant.
        let bit = plan.bit(of: child, below: node)
        if seen & bit != 0 { return failure = .repeatedName }
        seen |= bit
        if bit == 0 { tape.seen.record(unnumbered: child) }
        value(bytes, of: child, depth: depth &+ 1, &tape)
        if isOfOtherKind { return }
      }
      guard failure == nil else { return }
      scanner.passBlanks(bytes)
      if scanner.take(UInt8(ascii: "}"), bytes) { return tape.seen.record(seen, below: node) }
      guard scanner.take(UInt8(ascii: ","), bytes) else { return fail(bytes) }
      scanner.passBlanks(bytes)
    }
  }

  /// A value that is wanted, or of which something is.
  private mutating func value(
    _ bytes: Span<UInt8>, of node: Int, depth: Int, isItem: Bool = false, _ tape: inout TreeTape
  ) {
    guard scanner.place < bytes.count else { return fail(bytes) }
    if plan.nodes[node].takesAll {
      let start = scanner.place
      pass(bytes)
      let isNull = scanner.place &- start == 4 && bytes[start] == UInt8(ascii: "n")
      if failure == nil, !isNull { tape.text(node, FieldRange(origin &+ start, origin &+ scanner.place)) }
      return
    }
    switch bytes[scanner.place] {
    case UInt8(ascii: "{"):
      guard depth < Self.mostDepth else { return failure = .tooDeep }
      tape.enter(node)
      properties(bytes, of: node, depth: depth, &tape)
      tape.leave()
    case UInt8(ascii: "["):
      guard depth < Self.mostDepth else { return failure = .tooDeep }
      scanner.place &+= 1
      scanner.passBlanks(bytes)
      if scanner.take(UInt8(ascii: "]"), bytes) { return }
      while failure == nil {
        value(bytes, of: node, depth: depth &+ 1, isItem: true, &tape)
        scanner.passBlanks(bytes)
        if failure != nil || isOfOtherKind || scanner.take(UInt8(ascii: "]"), bytes) { return }
        guard scanner.take(UInt8(ascii: ","), bytes) else { return fail(bytes) }
        scanner.passBlanks(bytes)
      }
    case UInt8(ascii: "\""):
      guard let text = text(bytes, &tape) else { return }
      if plan.nodes[node].isThing { return things(text, bytes, of: node, depth: depth, &tape) }
      put(text, of: node, bytes, &tape)
    default:
      let start = scanner.place
      guard scanner.word(bytes) else { return failure = .badSyntax }
      if bytes[start] != UInt8(ascii: "n") {
        if plan.nodes[node].isThing { return failure = .textForThings }
        put(FieldRange(origin &+ start, origin &+ scanner.place), of: node, bytes, &tape)
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
    let (outer, outerOrigin) = (scanner, origin)
    (scanner, origin) = (JSONScanner(), text.lowerBound)
    let inner = written.span
    scanner.passBlanks(inner)
    value(inner, of: node, depth: depth &+ 1, &tape)
    scanner.passBlanks(inner)
    if failure == .badSyntax || failure == .truncated || failure == nil && scanner.place < written.count {
      failure = .textForThings
    }
    (scanner, origin) = (outer, outerOrigin)
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
    guard scanner.place < bytes.count else { return fail(bytes) }
    switch bytes[scanner.place] {
    case UInt8(ascii: "\""): if let fault = scanner.passText(bytes) { fail(fault) }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var balance = JSONBalance()
      let end = balance.end(bytes, from: scanner.place)
      if balance.isTooDeep { return failure = .tooDeep }
      guard let end else { return failure = .truncated }
      scanner.place = end
    default:
      if !scanner.word(bytes) { failure = .badSyntax }
    }
  }

  /// Passes a name; gives what is wanted under it, -1 for nothing.
  private mutating func child(of node: Int, _ bytes: Span<UInt8>, _ tape: inout TreeTape) -> Int? {
    guard scanner.place < bytes.count, bytes[scanner.place] == 0x22 else {
      fail(bytes)
      return nil
    }
    if let plain = scanner.plainText(bytes) {
      let child = plan.child(of: node, bytes, plain)
      if child < 0, plan.nodes[node].keepsUnknown {
        tape.seen.record(unknown: bytes.extracting(plain), below: node)
      }
      return child
    }
    var name: [UInt8] = []
    if let fault = scanner.text(bytes, onto: &name) {
      fail(fault)
      return nil
    }
    let child = plan.child(of: node, name.span, 0..<name.count)
    if child < 0, plan.nodes[node].keepsUnknown { tape.seen.record(unknown: name.span, below: node) }
    return child
  }

  /// The place of a text without its quotes; behind the record where it had to be rewritten.
  private mutating func text(_ bytes: Span<UInt8>, _ tape: inout TreeTape) -> FieldRange? {
    if let plain = scanner.plainText(bytes) {
      return FieldRange(origin &+ plain.lowerBound, origin &+ plain.upperBound)
    }
    let rewritten = tape.rewritten.count
    if let fault = scanner.text(bytes, onto: &tape.rewritten) {
      fail(fault)
      return nil
    }
    return FieldRange(recordEnd &+ rewritten, recordEnd &+ tape.rewritten.count)
  }

  private mutating func fail(_ fault: JSONFault) { failure = Malformation(fault) }

  private mutating func fail(_ bytes: Span<UInt8>) {
    if failure == nil { failure = scanner.place < bytes.count ? .badSyntax : .truncated }
  }
}
