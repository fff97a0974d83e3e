import Values

/// Reads one JSON value, whole in memory, onto a tape: what a plan wants of it, and nothing else.
///
/// What is wanted is checked byte by byte; below names that nobody wants only brackets and quotes are
/// followed.
struct JSONParser {
  /// So many arrays may be within each other where something is wanted.
  static let mostDepth = 64

  let plan: TreePlan
  var scanner = JSONScanner()
  /// Where the bytes that are read begin, and where the record ends behind which texts are rewritten: both
  /// differ from the bytes' own where these are JSON in a text.
  private var (origin, recordEnd) = (0, 0)
  private(set) var failure: Malformation?
  /// The name of which nobody wants anything, where it had to be rewritten.
  private var rewrittenName: [UInt8] = []
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
      properties(bytes, of: 0, at: -1, depth: 0, &tape)
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
  ///
  /// `place`: where it is among the elements, where that is not the plain place of its node; else -1.
  private mutating func properties(
    _ bytes: Span<UInt8>, of node: Int, at place: Int32, depth: Int, _ tape: inout TreeTape
  ) {
    scanner.place &+= 1
    scanner.passBlanks(bytes)
    var seen: UInt64 = 0
    if scanner.take(UInt8(ascii: "}"), bytes) { return }
    while failure == nil {
      guard let (child, name) = child(of: node, bytes) else { return }
      scanner.passBlanks(bytes)
      guard scanner.take(UInt8(ascii: ":"), bytes) else { return fail(bytes) }
      scanner.passBlanks(bytes)
      if child < 0 {
        passUnknown(name, bytes, of: node, at: place, depth: depth &+ 1, &tape)
      } else {
        // A name that is there twice leaves open which of them is meant.
        let bit = plan.bit(of: child, below: node)
        if seen & bit != 0 { return failure = .repeatedName }
        seen |= bit
        if bit == 0 { tape.seen.record(unnumbered: child) }
        value(bytes, of: child, at: place, depth: depth &+ 1, &tape)
        if isOfOtherKind { return }
      }
      guard failure == nil else { return }
      scanner.passBlanks(bytes)
      if scanner.take(UInt8(ascii: "}"), bytes) { return tape.seen.record(seen, below: node) }
      guard scanner.take(UInt8(ascii: ","), bytes) else { return fail(bytes) }
      scanner.passBlanks(bytes)
    }
  }

  /// Passes the value of a name over that nobody wants. The name is in the record, or was rewritten.
  private mutating func passUnknown(
    _ name: Range<Int>?, _ bytes: Span<UInt8>, of node: Int, at place: Int32, depth: Int,
    _ tape: inout TreeTape
  ) {
    guard plan.keepsUnread else { return pass(bytes) }
    if let name {
      passUnread(bytes.extracting(name), bytes, of: node, at: place, depth: depth, &tape)
    } else {
      let name = rewrittenName
      passUnread(name.span, bytes, of: node, at: place, depth: depth, &tape)
    }
  }

  /// Where the value of a node is among the elements, below the place of what it is in.
  private func place(of node: Int, below parent: Int32, _ tape: inout TreeTape) -> Int32 {
    guard plan.keepsUnread else { return -1 }
    if parent >= 0 { return tape.elements.place(of: plan.nodes[node].name, below: parent) }
    return plan.nodes[node].isDistinguished ? tape.elements.place(of: node, in: plan) : -1
  }

  /// A value that is wanted, or of which something is.
  private mutating func value(
    _ bytes: Span<UInt8>, of node: Int, at parent: Int32, depth: Int, isItem: Bool = false,
    _ tape: inout TreeTape
  ) {
    guard scanner.place < bytes.count else { return fail(bytes) }
    if plan.nodes[node].takesAll {
      let start = scanner.place
      pass(bytes)
      let isNull = scanner.place &- start == 4 && bytes[start] == UInt8(ascii: "n")
      if failure == nil, !isNull {
        tape.text(
          node, FieldRange(origin &+ start, origin &+ scanner.place),
          at: place(of: node, below: parent, &tape))
      }
      return
    }
    switch bytes[scanner.place] {
    case UInt8(ascii: "{"):
      guard depth < Self.mostDepth else { return failure = .tooDeep }
      var place = place(of: node, below: parent, &tape)
      if place >= 0 { place = self.place(ofObject: place, bytes, &tape) }
      tape.enter(node, at: place)
      properties(bytes, of: node, at: place, depth: depth, &tape)
      tape.leave()
    case UInt8(ascii: "["):
      guard depth < Self.mostDepth else { return failure = .tooDeep }
      // Of several only one would be read.
      guard !plan.nodes[node].isRecord else { return failure = .notAnObject }
      scanner.place &+= 1
      scanner.passBlanks(bytes)
      if scanner.take(UInt8(ascii: "]"), bytes) { return }
      while failure == nil {
        value(bytes, of: node, at: parent, depth: depth &+ 1, isItem: true, &tape)
        scanner.passBlanks(bytes)
        if failure != nil || isOfOtherKind || scanner.take(UInt8(ascii: "]"), bytes) { return }
        guard scanner.take(UInt8(ascii: ","), bytes) else { return fail(bytes) }
        scanner.passBlanks(bytes)
      }
    case UInt8(ascii: "\""):
      guard let text = text(bytes, &tape) else { return }
      if plan.nodes[node].isThing { return things(text, bytes, of: node, at: parent, depth: depth, &tape) }
      put(text, of: node, at: parent, bytes, &tape)
    default:
      let start = scanner.place
      guard scanner.word(bytes) else { return failure = .badSyntax }
      if bytes[start] != UInt8(ascii: "n") {
        if plan.nodes[node].isThing { return failure = .textForThings }
        put(FieldRange(origin &+ start, origin &+ scanner.place), of: node, at: parent, bytes, &tape)
      } else if isItem {
        // Nothing is known of it, and yet it is one of several, and those after it are further on.
        tape.text(node, FieldRange(0, 0), at: -1)
      } else if !plan.nodes[node].children.isEmpty {
        // That nothing is known is said by leaving it out.
        tape.seen.noteAll(below: node, of: plan)
      }
    }
  }

  /// Things that are written as a text: JSON in JSON, as programs make it of a column that holds it.
  private mutating func things(
    _ text: FieldRange, _ bytes: Span<UInt8>, of node: Int, at parent: Int32, depth: Int,
    _ tape: inout TreeTape
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
    value(inner, of: node, at: parent, depth: depth &+ 1, &tape)
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
    _ text: FieldRange, of node: Int, at parent: Int32, _ bytes: Span<UInt8>, _ tape: inout TreeTape
  ) {
    let place = place(of: node, below: parent, &tape)
    guard plan.nodes[node].takesText else { return tape.noteUnread(text, of: node, at: place, plan) }
    tape.text(node, text, at: place)
    guard plan.nodes[node].isKind, origin == 0, text.upperBound <= bytes.count else { return }
    isOfOtherKind = !plan.wants(bytes.extracting(text.range))
  }

  /// Passes a value over that nobody wants.
  mutating func pass(_ bytes: Span<UInt8>) {
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

  /// Passes a name; gives what is wanted under it, -1 for nothing, and where the name is, nil for one that had
  /// to be rewritten.
  private mutating func child(of node: Int, _ bytes: Span<UInt8>) -> (node: Int, name: Range<Int>?)? {
    guard scanner.place < bytes.count, bytes[scanner.place] == 0x22 else {
      fail(bytes)
      return nil
    }
    if let plain = scanner.plainText(bytes) { return (plan.child(of: node, bytes, plain), plain) }
    rewrittenName.removeAll(keepingCapacity: true)
    if let fault = scanner.text(bytes, onto: &rewrittenName) {
      fail(fault)
      return nil
    }
    return (plan.child(of: node, rewrittenName.span, 0..<rewrittenName.count), nil)
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
