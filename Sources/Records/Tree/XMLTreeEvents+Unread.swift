import Values

/// What nobody wants of the elements of a document: recorded by the paths that it has in JSON.
extension XMLTreeEvents {
  /// An element that is passed over.
  struct Passed {
    /// Where it is among the elements; where it has a value, what FHIR's JSON has beside it, at the name after
    /// an underscore.
    let place: Int32
    /// Whether its text was recorded.
    var isRecorded = false
    /// Whether it and all in it are one value, as what is in another language is: XHTML.
    var isWhole = false
  }

  /// Begins to pass an element over that nobody wants.
  func passUnread(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes, of node: Int) {
    guard plan.keepsUnread else { return }
    enterUnread(name, attributes, below: parentPlace(node))
  }

  /// The same of what an element has beside the value that was looked at.
  func passUnread(besideValueOf node: Int, _ attributes: XMLAttributes) {
    guard plan.keepsUnread else { return }
    let beside = beside(plan.nodes[node].name, below: parentPlace(plan.nodes[node].parent))
    walk = [Passed(place: beside, isRecorded: true)]
    noteAttributes(attributes, below: beside)
  }

  /// Goes on into an element that is within one that is passed over.
  func descend(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    guard let last = walk.last else { return }
    if last.isWhole { return walk.append(last) }
    enterUnread(name, attributes, below: last.place)
  }

  /// Notes a text within what is passed over.
  func noteText(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let last = walk.last, !last.isRecorded, bytes.contains(where: { !JSONBytes.isBlank($0) }) else {
      return
    }
    tape.unread.append(last.place)
    guard last.isWhole else { return walk[walk.count - 1].isRecorded = true }
    for index in walk.indices where walk[index].isWhole { walk[index].isRecorded = true }
  }

  /// Where the thing of a node is among the elements, where that is not its plain place; else -1.
  func place(of node: Int, _ attributes: XMLAttributes) -> Int32 {
    guard plan.keepsUnread else { return -1 }
    let parent = places.last ?? -1
    guard parent >= 0 || plan.nodes[node].isDistinguished else { return -1 }
    let place =
      parent >= 0
      ? tape.elements.place(of: plan.nodes[node].name, below: parent)
      : tape.elements.place(of: node, in: plan)
    return telling(place, attributes)
  }

  /// Notes an attribute that nobody wants of the thing of a node, which is at a place or at the plain one.
  func note(attribute index: Int, _ attributes: XMLAttributes, of node: Int, at place: Int32) {
    guard plan.keepsUnread else { return }
    note(
      attribute: index, attributes,
      below: place >= 0 ? place : tape.elements.place(of: node, in: plan))
  }

  private func enterUnread(
    _ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes, below parent: Int32
  ) {
    if isKind(name) {
      // The kind of what is around it.
      if plan.kindNode >= 0 { tape.unread.append(tape.elements.place(of: plan.kindName, below: parent)) }
      return walk.append(Passed(place: parent, isRecorded: true))
    }
    let bytes = UnsafeBufferPointer(start: name, count: Self.length(name))
    let place = telling(tape.elements.place(of: Span(_unsafeElements: bytes), below: parent), attributes)
    guard let value = attributes.bytes("value") else {
      walk.append(Passed(place: place, isWhole: attributes.declaresNamespace))
      if !attributes.declaresNamespace { noteAttributes(attributes, below: place) }
      return
    }
    if !value.isEmpty { tape.unread.append(place) }
    let beside = beside(Array(bytes), below: parent)
    walk.append(Passed(place: beside, isRecorded: true))
    noteAttributes(attributes, below: beside)
  }

  private func parentPlace(_ node: Int) -> Int32 {
    let place = places.last ?? -1
    return place >= 0 ? place : tape.elements.place(of: node, in: plan)
  }

  private func beside(_ name: [UInt8], below parent: Int32) -> Int32 {
    let name = [UInt8(ascii: "_")] + name
    return tape.elements.place(of: name, below: parent)
  }

  private func telling(_ place: Int32, _ attributes: XMLAttributes) -> Int32 {
    guard let teller = tape.elements.teller(at: place) else { return place }
    for index in 0..<attributes.count where Self.equals(attributes.name(index), teller) {
      return tape.elements.place(place, telling: Array(attributes.value(index)))
    }
    return place
  }

  private func noteAttributes(_ attributes: XMLAttributes, below place: Int32) {
    for index in 0..<attributes.count { note(attribute: index, attributes, below: place) }
  }

  private func note(attribute index: Int, _ attributes: XMLAttributes, below place: Int32) {
    guard let name = attributes.name(index), !attributes.value(index).isEmpty else { return }
    let teller = tape.elements.teller(at: place)
    guard !XMLName.matches(name, "value"), teller == nil || !Self.equals(name, teller ?? []) else { return }
    let bytes = UnsafeBufferPointer(start: name, count: Self.length(name))
    tape.unread.append(tape.elements.place(of: Span(_unsafeElements: bytes), below: place))
  }

  private static func equals(_ name: UnsafePointer<UInt8>?, _ other: [UInt8]) -> Bool {
    name.map { equals($0, other) } ?? false
  }
}
