import Values

/// Gathers what is wanted of the records of an XML document as it goes by.
///
/// What is gathered is as much as the XML that was read since the last ``letGo()``, and never more than a
/// record's limit beyond.
///
/// XML says the same as JSON in other words, as FHIR has it: `<x value="v"/>` and `<x>v</x>` are the text x,
/// an element with others in it is an object, elements of one name are the items of an array, attributes are
/// properties, those of the record's own element too, and an element whose name begins with a capital is an
/// object that says by its name of what kind it is. Where a path has such a name, all of them are properties.
final class XMLTreeEvents: XMLEvents {
  /// A record that is whole.
  struct Record {
    /// Where it begins and ends, in bytes from the start of the document.
    let range: Range<Int>
    let malformation: Malformation?
    /// Its places among ``fields``, ``rows`` and ``texts``.
    let fields: Range<Int>
    let firstRow: Int
    let texts: Range<Int>
    /// Its places among ``unread``.
    let unread: Range<Int>
  }

  /// An element that is open and not passed over.
  private enum Open {
    /// The outermost one, which may be a record.
    case document
    /// One on the way to the records.
    case way
    /// What holds a record.
    case record
    /// One that says the kind of what is around it, with the same place in the automaton.
    case kind(Int)
    case thing(Int)
  }

  private(set) var records: [Record] = []
  private(set) var fields: [FieldRange] = []
  /// For each record the number of rows of each group.
  private(set) var rows: [Int] = []
  private(set) var texts: [UInt8] = []
  /// Where the records hold something that no field has.
  private(set) var unread: [Int32] = []
  /// Where the record that is being read begins, or the document while it may be one; nil outside.
  private(set) var openedAt: Int? = 0
  /// Finds the first byte of the tag that a place lies in, what follows its name, and what follows it.
  var tagStart: (Int) -> Int = { $0 }
  var tagNameEnd: (Int) -> Int = { $0 }
  var tagEnd: (Int) -> Int = { $0 }

  let plan: TreePlan
  private let way: [[UInt8]]
  private let limit: Int
  var tape = TreeTape()
  private var open: [Open] = []
  /// Where each of those is among the elements, where that is not the plain place of its node; else -1.
  private(set) var places: [Int32] = []
  /// How many elements are open in one that nobody wants, that one included.
  private var passed = 0
  /// Each of those; none where they are not looked at.
  var walk: [Passed] = []
  /// How many names of the way are open.
  private var matched = 0
  private var foundWay = false
  private var isOfOtherKind = false
  /// Whether the record that is being read has more bytes than it may have, and is passed over.
  private(set) var isTooLong = false
  /// Where the record begins, and where the last element in it ended.
  private var begin = 0
  private var lastEnd = 0
  /// Where the text of the innermost element begins, while it can have one.
  private var textStart: Int?

  init(_ format: TreeFormat) {
    plan = format.plan
    way = format.records.map { Array($0.utf8) }
    limit = format.recordLimit
    tape.seen = SeenNames(plan)
    tape.elements = UnreadElements(plan)
  }

  /// The names that the records had so far.
  var seen: SeenNames { tape.seen }

  /// Counts what a record holds that no field has.
  func countUnread(of record: Record) { tape.elements.count(unread[record.unread]) }

  /// What the records that were counted hold and no field has.
  var elements: UnreadElements { tape.elements }

  /// Forgets the records that are whole.
  func letGo() {
    records.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    unread.removeAll(keepingCapacity: true)
  }

  /// Whether an element of the record that is being read is open, so that all that was read so far is part of
  /// it.
  var isWithinRecord: Bool {
    if passed > 0 { return true }
    return switch open.last {
    case .kind, .thing: true
    case .document: !foundWay
    case .way, .record, nil: false
    }
  }

  /// Passes the rest of the record over, which has more bytes than a record may have.
  func cutOffRecord() {
    isTooLong = true
    walk = []
    tape.unread = []
  }

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    guard passed + open.count < JSONBalance.mostDepth else {
      return refusal = "it has elements within each other more than \(JSONBalance.mostDepth) deep"
    }
    guard passed == 0 else {
      passed += 1
      return descend(name, attributes)
    }
    if let start = textStart {
      tape.rewritten.removeSubrange(start...)
      textStart = nil
    }
    switch open.last {
    case nil:
      beginRecord()
      push(.document)
      if isKind(name) { say(kind: name, of: 0) }
      takeOwn(attributes, of: 0)
    case .document where !way.isEmpty && Self.equals(name, way[0]):
      foundWay = true
      follow(attributes)
    case .document where foundWay: passed = 1
    case .document: enter(name, attributes, below: 0)
    case .way where Self.equals(name, way[matched]): follow(attributes)
    case .way: passed = 1
    case .record:
      if lastEnd == begin {
        begin = tagStart(parser?.offset ?? 0)
        (openedAt, lastEnd) = (begin, begin + 1)
      }
      enter(name, attributes, below: 0)
    case .kind(let node), .thing(let node): enter(name, attributes, below: node)
    }
  }

  override func end(_ name: UnsafePointer<UInt8>) {
    if passed > 0 {
      passed -= 1
      _ = walk.popLast()
    } else {
      _ = places.popLast()
      switch open.popLast() {
      case .document: if !foundWay { finish(parser?.offset ?? 0) }
      case .way: matched -= 1
      case .record:
        matched -= 1
        finish(lastEnd)
      case .thing: endThing()
      case .kind, nil: break
      }
    }
    if case .record = open.last, passed == 0 { lastEnd = parser?.offset ?? 0 }
  }

  override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if !walk.isEmpty { return noteText(bytes) }
    guard passed == 0, textStart != nil, fits(bytes.count) else { return }
    tape.rewritten.append(contentsOf: bytes)
  }
}

extension XMLTreeEvents {
  /// One name further on the way to the records.
  private func follow(_ attributes: XMLAttributes) {
    matched += 1
    openedAt = nil
    guard matched == way.count else { return push(.way) }
    push(.record)
    beginRecord()
    // The tag's own end is still to come.
    begin = (parser?.offset ?? 0) + 1
    (openedAt, lastEnd) = (begin, begin)
    guard attributes.count > 0 else { return }
    // What the tag says is a part of the record, from behind the element's name on.
    (begin, lastEnd) = (tagNameEnd(begin), tagEnd(begin))
    openedAt = begin
    takeOwn(attributes, of: 0)
  }

  /// Takes the attributes of an element whose properties are those of a node: of the record's own.
  private func takeOwn(_ attributes: XMLAttributes, of node: Int) {
    // One with a prefix is about the document, as xsi:schemaLocation.
    for index in 0..<attributes.count where !attributes.hasPrefix(index) {
      guard let name = attributes.name(index) else { continue }
      let property = plan.child(of: node, name)
      guard property >= 0 else {
        note(attribute: index, attributes, of: node, at: places.last ?? -1)
        continue
      }
      tape.seen.record(property, below: node, of: plan)
      if plan.nodes[property].takesText { put(attributes.value(index), at: property, -1) }
    }
  }

  private func beginRecord() {
    tape.clear()
    begin = tagStart(parser?.offset ?? 0)
    openedAt = begin
    (isOfOtherKind, isTooLong) = (false, false)
  }

  private func finish(_ end: Int) {
    let isTooLong = isTooLong || end - begin > limit
    let (firstField, firstRow, firstText) = (fields.count, rows.count, texts.count)
    tape.resolve(plan, Span(), into: &fields, rows: &rows)
    texts += tape.rewritten
    let firstUnread = unread.count
    unread += tape.unread
    records.append(
      Record(
        range: begin..<max(begin, end), malformation: isTooLong ? .tooLong : nil,
        fields: firstField..<fields.count, firstRow: firstRow, texts: firstText..<texts.count,
        unread: firstUnread..<unread.count))
    openedAt = nil
  }

  private func enter(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes, below node: Int) {
    guard !isOfOtherKind, !isTooLong else { return passed = 1 }
    if isKind(name) {
      push(.kind(node), places.last ?? -1)
      say(kind: name, of: node)
      return takeOwn(attributes, of: node)
    }
    let child = plan.child(of: node, name)
    guard child >= 0 else {
      passed = 1
      return passUnread(name, attributes, of: node)
    }
    tape.seen.record(child, below: node, of: plan)
    let place = place(of: child, attributes)
    if let value = attributes.bytes("value") {
      passed = 1
      if plan.nodes[child].takesText {
        put(value, at: child, place)
      } else if !value.isEmpty {
        tape.noteUnread(FieldRange(0, value.count), of: child, at: place, plan)
      }
      return passUnread(besideValueOf: child, attributes)
    }
    tape.enter(child, at: place)
    for index in 0..<attributes.count {
      guard let name = attributes.name(index) else { continue }
      let property = plan.child(of: child, name)
      guard property >= 0 else {
        note(attribute: index, attributes, of: child, at: place)
        continue
      }
      tape.seen.record(property, below: child, of: plan)
      if plan.nodes[property].takesText {
        let below =
          place >= 0 ? tape.elements.place(of: plan.nodes[property].name, below: place) : -1
        put(attributes.value(index), at: property, below)
      }
    }
    push(.thing(child), place)
    if plan.nodes[child].takesText { textStart = tape.rewritten.count }
  }

  private func endThing() {
    if let start = textStart {
      textStart = nil
      var (lower, upper) = (start, tape.rewritten.count)
      while lower < upper, JSONBytes.isBlank(tape.rewritten[lower]) { lower += 1 }
      while upper > lower, JSONBytes.isBlank(tape.rewritten[upper - 1]) { upper -= 1 }
      tape.setText(FieldRange(lower, upper))
    }
    tape.leave()
  }

  /// The name of an element, as the property that says the kind of what is around it.
  private func say(kind name: UnsafePointer<UInt8>, of node: Int) {
    let bytes = UnsafeBufferPointer(start: name, count: Self.length(name))
    let property =
      node == 0
      ? plan.kindNode
      : plan.kindNode < 0 ? -1 : plan.kindChild(of: node)
    guard property >= 0 else { return }
    put(bytes, at: property, -1)
    guard plan.nodes[property].isKind else { return }
    let kind = Span(_unsafeElements: bytes)
    isOfOtherKind = !plan.wants(kind)
  }

  private func put(_ text: UnsafeBufferPointer<UInt8>, at node: Int, _ place: Int32) {
    guard fits(text.count) else { return }
    let start = tape.rewritten.count
    tape.rewritten.append(contentsOf: text)
    tape.text(node, FieldRange(start, tape.rewritten.count), at: place)
  }

  private func push(_ element: Open, _ place: Int32 = -1) {
    open.append(element)
    places.append(place)
  }

  private func fits(_ count: Int) -> Bool {
    if tape.rewritten.count + count > limit { isTooLong = true }
    return !isTooLong
  }

  /// Whether the name of an element says what kind of thing it is.
  func isKind(_ name: UnsafePointer<UInt8>) -> Bool {
    name[0] >= 0x41 && name[0] <= 0x5A && !plan.hasCapitalNames
  }

  static func equals(_ name: UnsafePointer<UInt8>, _ other: [UInt8]) -> Bool {
    // No name has a zero, which ends it: what is sought may have one.
    for (place, byte) in other.enumerated() where name[place] != byte || byte == 0 { return false }
    return name[other.count] == 0
  }

  static func length(_ name: UnsafePointer<UInt8>) -> Int {
    var count = 0
    while name[count] != 0 { count &+= 1 }
    return count
  }
}

extension TreePlan {
  /// The node below a node by its name, which ends with a zero; -1 where nobody wants it.
  @inline(__always)
  fileprivate func child(of node: Int, _ name: UnsafePointer<UInt8>) -> Int {
    let bytes = UnsafeBufferPointer(start: name, count: XMLTreeEvents.length(name))
    let span = Span(_unsafeElements: bytes)
    return child(of: node, span, 0..<span.count)
  }
}
