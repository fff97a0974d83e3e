/// The values of the records of an XML document by the names that lead to them, for those who do not know yet
/// what a record has: as ``JSONLeaves`` of the same in JSON.
///
/// ```swift
/// let way = try XMLLeaves.recordWay(of: entry)        // ["provider"] of <providers><provider>…
/// try XMLLeaves.read(entry, records: way) { leaves in use(leaves); return true }
/// ```
public enum XMLLeaves {
  /// The names that lead from the document to each of its records: to what repeats nearest to it and holds
  /// something. Where nothing does, to the only thing in it; empty where the document itself is the record.
  /// - Throws: what opening the entry throws, and `brokenXML`.
  public static func recordWay(of entry: SourceEntry) throws(RecordsError) -> [String] {
    let shape = XMLShape()
    try XMLPushParser(entry.open(), events: shape, place: entry, fault: fault(of: entry)).run()
    return shape.recordWay
  }

  /// Reads the records, until `body` gives false.
  /// - Throws: as ``recordWay(of:)``.
  public static func read(
    _ entry: SourceEntry, records way: [String], _ body: @escaping ([JSONLeaves.Leaf]) -> Bool
  ) throws(RecordsError) {
    let events = XMLLeafEvents(way: way, body)
    let parser = try XMLPushParser(entry.open(), events: events, place: entry, fault: fault(of: entry))
    while !events.isDone, try parser.step() {}
  }

  private static func fault(of entry: SourceEntry) -> (String) -> RecordsError {
    { .brokenXML(path: entry.path, entry: entry.entry, reason: $0) }
  }
}

/// Which elements a document has within which, and which of them come several times within one.
private final class XMLShape: XMLEvents {
  private struct Element {
    var names: [String: Int] = [:]
    var holdsSomething = false
  }

  /// What is known of all elements that the same names lead to.
  private struct Kind {
    var repeats = false
    var holdsSomething = false
  }

  private var open: [(name: String, element: Element)] = []
  private var kinds: [[String]: Kind] = [:]
  private var order: [[String]] = []

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    guard open.count < JSONLeaves.mostDepth else { return open.append(("", Element())) }
    let name = String(cString: name)
    if !open.isEmpty {
      open[open.count - 1].element.holdsSomething = true
      open[open.count - 1].element.names[name, default: 0] += 1
    }
    let repeats = open.last.map { $0.element.names[name, default: 0] > 1 } ?? false
    var element = Element()
    element.holdsSomething = attributes.count > 0
    open.append((name, element))
    let path = open.dropFirst().map(\.name)
    if kinds[path] == nil { order.append(path) }
    kinds[path, default: Kind()].repeats = kinds[path]?.repeats ?? false || repeats
  }

  override func end(_ name: UnsafePointer<UInt8>) {
    let path = open.dropFirst().map(\.name)
    if let last = open.popLast(), last.element.holdsSomething { kinds[path]?.holdsSomething = true }
  }

  var recordWay: [String] {
    func holds(_ path: [String]) -> Bool { kinds[path]?.holdsSomething ?? false }
    let repeated = order.filter { kinds[$0]?.repeats == true && holds($0) }
    if let nearest = repeated.map(\.count).min() {
      return repeated.first { $0.count == nearest } ?? []
    }
    var way: [String] = []
    while true {
      let below = order.filter { $0.count == way.count + 1 && $0.starts(with: way) }
      guard below.count == 1, holds(below[0]) else { return way }
      way = below[0]
    }
  }
}

/// Gathers each record as a tree, and gives its values.
private final class XMLLeafEvents: XMLEvents {
  private struct Element {
    let name: String
    var text: [UInt8] = []
    var attributes: [(name: String, value: [UInt8])] = []
    var children: [Element] = []

    /// The value of what holds no other element, as ``XMLTreeEvents`` reads it.
    var value: [UInt8] {
      if let value = attributes.first(where: { $0.name == "value" })?.value { return value }
      guard let first = text.firstIndex(where: { $0 > 0x20 }), let last = text.lastIndex(where: { $0 > 0x20 })
      else { return [] }
      return Array(text[first...last])
    }

    var isPlain: Bool { children.isEmpty && attributes.allSatisfy { $0.name == "value" } }
  }

  private let way: [String]
  private let body: ([JSONLeaves.Leaf]) -> Bool
  private var outer: [String] = []
  private var open: [Element] = []
  private(set) var isDone = false

  init(way: [String], _ body: @escaping ([JSONLeaves.Leaf]) -> Bool) {
    (self.way, self.body) = (way, body)
  }

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    let name = String(cString: name)
    if open.isEmpty {
      outer.append(name)
      guard Array(outer.dropFirst()) == way else { return }
    }
    var element = Element(name: name)
    for index in 0..<attributes.count where !attributes.hasPrefix(index) {
      guard let name = attributes.name(index) else { continue }
      element.attributes.append((String(cString: name), Array(attributes.value(index))))
    }
    open.append(element)
  }

  override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if !open.isEmpty { open[open.count - 1].text.append(contentsOf: bytes) }
  }

  override func end(_ name: UnsafePointer<UInt8>) {
    guard let element = open.popLast() else {
      outer.removeLast()
      return
    }
    guard open.isEmpty else { return open[open.count - 1].children.append(element) }
    outer.removeLast()
    guard !isDone else { return }
    isDone = !body(Self.leaves(of: element, at: []))
  }

  private static func leaves(of element: Element, at path: [String]) -> [JSONLeaves.Leaf] {
    guard path.count <= JSONLeaves.mostDepth else {
      return [JSONLeaves.Leaf(path: path, value: .things, isItem: false)]
    }
    func leaf(_ path: [String], _ value: [UInt8], isItem: Bool = false) -> JSONLeaves.Leaf {
      JSONLeaves.Leaf(path: path, value: value.isEmpty ? .null : .text(value), isItem: isItem)
    }
    var leaves: [JSONLeaves.Leaf] = []
    if !path.isEmpty, element.children.isEmpty { leaves.append(leaf(path, element.value)) }
    for attribute in element.attributes where path.isEmpty || attribute.name != "value" {
      leaves.append(leaf(path + [attribute.name], attribute.value))
    }
    var names: [String] = []
    for child in element.children where !names.contains(child.name) {
      names.append(child.name)
      let path = path + [child.name]
      let same = element.children.filter { $0.name == child.name }
      if same.count == 1 {
        leaves += self.leaves(of: child, at: path)
      } else if same.allSatisfy(\.isPlain) {
        leaves += same.map { leaf(path, $0.value, isItem: true) }
      } else {
        leaves.append(JSONLeaves.Leaf(path: path, value: .things, isItem: true))
      }
    }
    return leaves
  }
}
