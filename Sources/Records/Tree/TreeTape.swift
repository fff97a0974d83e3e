/// What was wanted and found in one record: a tree of names and texts, written in the order of the record.
///
/// Readers of any syntax write it: ``enter(_:)`` for a thing with properties, ``text(_:_:)`` for a text,
/// ``leave()``. Whether a thing is alone or in an array is not recorded.
struct TreeTape {
  struct Entry {
    /// The place in the automaton.
    let node: Int32
    /// The entry after the last one below this.
    var end: Int32
    /// The text, if there is one.
    var text: FieldRange
    /// Where it is among the elements, where that is not the plain place of its node; else -1.
    let place: Int32
  }

  private(set) var entries: [Entry] = []
  /// The entries that are not left yet.
  private var open: [Int32] = []
  /// Texts that are not in the record as they are: their places go on behind the record's bytes.
  var rewritten: [UInt8] = []
  /// The names that the records had so far, the one on the tape among them.
  var seen = SeenNames()
  /// The day that filters ask about.
  private var day: [UInt8] = []
  /// What records hold that no field has, and where in the record on the tape something is of it.
  var elements = UnreadElements()
  var unread: [Int32] = []
  /// For each entry whether its text went to a field.
  private var isRead: [Bool] = []

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    rewritten.removeAll(keepingCapacity: true)
    unread.removeAll(keepingCapacity: true)
  }

  mutating func enter(_ node: Int, at place: Int32) {
    open.append(Int32(truncatingIfNeeded: entries.count))
    entries.append(
      Entry(node: Int32(truncatingIfNeeded: node), end: 0, text: FieldRange(0, 0), place: place))
  }

  mutating func leave() {
    guard let entry = open.popLast() else { return }
    entries[Int(entry)].end = Int32(truncatingIfNeeded: entries.count)
  }

  /// Gives what is left next a text.
  mutating func setText(_ text: FieldRange) {
    if let entry = open.last { entries[Int(entry)].text = text }
  }

  mutating func text(_ node: Int, _ text: FieldRange, at place: Int32) {
    let end = Int32(truncatingIfNeeded: entries.count &+ 1)
    entries.append(Entry(node: Int32(truncatingIfNeeded: node), end: end, text: text, place: place))
  }

  /// Notes a text that no field has, at a node; see ``Entry/place``.
  mutating func noteUnread(_ text: FieldRange, of node: Int, at place: Int32, _ plan: TreePlan) {
    guard plan.keepsUnread, !text.isEmpty else { return }
    unread.append(place >= 0 ? place : elements.place(of: node, in: plan))
  }
}

extension TreeTape {
  /// Looks the fields of a plan up.
  ///
  /// - `record`: the record's bytes, which come before ``rewritten``.
  /// - `fields`: gets the record's fields, then those of each row of each group.
  /// - `rows`: gets the number of rows of each group.
  mutating func resolve(
    _ plan: TreePlan, _ record: Span<UInt8>, into fields: inout [FieldRange], rows: inout [Int]
  ) {
    day = plan.day
    isRead.removeAll(keepingCapacity: true)
    isRead.append(contentsOf: repeatElement(!plan.keepsUnread, count: entries.count))
    for field in plan.fields { fields.append(value(of: field, 0..<entries.count, itself: -1, [], record)) }
    for group in plan.groups {
      var count = 0
      for alternative in group.alternatives {
        var found: [Int] = alternative.steps.isEmpty ? [-1] : []
        _ = visit(alternative.steps[...], 0..<entries.count, record) { entry in
          found.append(entry)
          return true
        }
        for entry in found {
          let below = (entry + 1)..<(entry < 0 ? entries.count : Int(entries[entry].end))
          for field in alternative.fields {
            fields.append(value(of: field, below, itself: entry, alternative.name, record))
          }
        }
        count += found.count
      }
      rows.append(count)
    }
    for index in entries.indices where !isRead[index] {
      let (node, text, place) = (Int(entries[index].node), entries[index].text, entries[index].place)
      if !plan.nodes[node].isAsked { noteUnread(text, of: node, at: place, plan) }
    }
  }

  private mutating func value(
    of field: PlannedField, _ scope: Range<Int>, itself: Int, _ pathName: [UInt8], _ record: Span<UInt8>
  ) -> FieldRange {
    if field.isPathName { return rewrite(record) { $0 += pathName } }
    for (path, isCut) in zip(field.paths, field.isCut) {
      let text = self.text(at: path, of: field, scope, itself: itself, record)
      guard let text else { continue }
      guard isCut, let mark = text.range.last(where: { field.after.contains(byte($0, record)) }) else {
        return text
      }
      return FieldRange(mark &+ 1, text.upperBound)
    }
    return FieldRange(0, 0)
  }

  /// The text at one path of a field; nil where there is none.
  private mutating func text(
    at path: [PlannedStep], of field: PlannedField, _ scope: Range<Int>, itself: Int, _ record: Span<UInt8>
  ) -> FieldRange? {
    if path.isEmpty, itself >= 0 {
      isRead[itself] = true
      return entries[itself].text
    }
    var found: [Int] = []
    let takesAll = field.joining != nil
    _ = visit(path[...], scope, record) { entry in
      if !entries[entry].text.isEmpty { found.append(entry) }
      return takesAll || found.isEmpty
    }
    guard let first = found.first else { return nil }
    for entry in found { isRead[entry] = true }
    guard let joining = field.joining, found.count > 1 else { return entries[first].text }
    return join(found.map { entries[$0].text }, joining, record)
  }

  /// Goes to everything that a path leads to, until `body` gives false.
  private func visit(
    _ path: ArraySlice<PlannedStep>, _ scope: Range<Int>, _ record: Span<UInt8>, _ body: (Int) -> Bool
  ) -> Bool {
    guard let step = path.first else { return true }
    let rest = path.dropFirst()
    // How many came to each filter that counts; a step has one at most that matters.
    var counts = [Int](repeating: 0, count: step.filters.count)
    var place = scope.lowerBound
    while place < scope.upperBound {
      let entry = entries[place]
      let end = Int(entry.end)
      if Int(entry.node) == step.node, passes(place, step.filters, &counts, record) {
        let goesOn = rest.isEmpty ? body(place) : visit(rest, (place + 1)..<end, record, body)
        if !goesOn { return false }
      }
      place = end
    }
    return true
  }

  private func passes(
    _ entry: Int, _ filters: [PlannedStep.Filter], _ counts: inout [Int], _ record: Span<UInt8>
  ) -> Bool {
    for (index, filter) in filters.enumerated() {
      switch filter {
      case .item(let number):
        counts[index] += 1
        if counts[index] != number + 1 { return false }
      case .items(let first):
        counts[index] += 1
        if counts[index] <= first { return false }
      case .value(let nodes, let values, let isOther, let ignoresCase):
        let scope = (entry + 1)..<Int(entries[entry].end)
        let isHeld = holds(nodes[...], scope) { text in
          values.contains { equals(text, $0, record, ignoresCase: ignoresCase) }
        }
        if isHeld == isOther { return false }
      case .day(let nodes, let isLast):
        let scope = (entry + 1)..<Int(entries[entry].end)
        if holds(nodes[...], scope, { isPast($0, record, isLast: isLast) }) { return false }
      }
    }
    return true
  }

  /// Whether there is a text as asked at the end of a way of nodes.
  private func holds(
    _ nodes: ArraySlice<Int>, _ scope: Range<Int>, _ isAsked: (FieldRange) -> Bool
  ) -> Bool {
    guard let node = nodes.first else { return false }
    var place = scope.lowerBound
    while place < scope.upperBound {
      let entry = entries[place]
      if Int(entry.node) == node {
        let isHeld =
          nodes.count == 1
          ? isAsked(entry.text)
          : holds(nodes.dropFirst(), (place + 1)..<Int(entry.end), isAsked)
        if isHeld { return true }
      }
      place = Int(entry.end)
    }
    return false
  }

  private func equals(
    _ text: FieldRange, _ value: [UInt8], _ record: Span<UInt8>, ignoresCase: Bool
  ) -> Bool {
    guard text.count == value.count else { return false }
    for (place, byte) in zip(text.range, value) where self.byte(place, record) != byte {
      guard ignoresCase, TreePlan.capital(self.byte(place, record)) == TreePlan.capital(byte) else {
        return false
      }
    }
    return true
  }

  /// Whether a last day is before another one, or a first day after it, as far as it says: `2025` is neither
  /// before nor after `2025-11-20`.
  private func isPast(_ text: FieldRange, _ record: Span<UInt8>, isLast: Bool) -> Bool {
    for (place, byte) in zip(text.range, day) where self.byte(place, record) != byte {
      return (self.byte(place, record) < byte) == isLast
    }
    return false
  }

  @inline(__always)
  private func byte(_ place: Int, _ record: Span<UInt8>) -> UInt8 {
    place < record.count ? record[place] : rewritten[place &- record.count]
  }

  private mutating func join(
    _ texts: [FieldRange], _ joining: [UInt8], _ record: Span<UInt8>
  ) -> FieldRange {
    rewrite(record) { bytes in
      for (index, text) in texts.enumerated() {
        if index > 0 { bytes += joining }
        for place in text.range {
          bytes.append(place < record.count ? record[place] : bytes[place &- record.count])
        }
      }
    }
  }

  /// Writes a text behind all others; gives its place.
  @inline(__always)
  private mutating func rewrite(_ record: Span<UInt8>, _ body: (inout [UInt8]) -> Void) -> FieldRange {
    let start = rewritten.count
    body(&rewritten)
    return FieldRange(record.count &+ start, record.count &+ rewritten.count)
  }
}
