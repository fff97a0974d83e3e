public import Values

/// What records of a tree hold and no field of a plan has, counted by path: `photo.contentType`, or
/// `extension[url=http://x].valueString` where the plan tells things of a name apart by what they say.
///
/// Names are kept, and those texts that things are distinguished by; no other value is. However many names a
/// hostile file has, so many are kept as ``mostPaths``; what is beyond is counted together.
public struct UnreadElements: Sendable {
  /// An element, and how often it held a value.
  public struct Found: Sendable, Equatable {
    /// The names that lead to it, with dots between them.
    public let path: String
    /// How often it held a value.
    public var count: Int
  }

  /// One name of a path, and what things of that name are distinguished by.
  struct Step: Sendable {
    let parent: Int32
    let name: [UInt8]
    /// The property and its text, as `url=http://x`.
    let mark: [UInt8]
    /// The property that tells things of the name apart, by its number in the plan; -1 where none does.
    let teller: Int
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var next: Int32 = -1
    var children = 0
    var count = 0
  }

  /// So many paths are distinguished, so many names below one, and so many bytes of each.
  static let (mostPaths, mostBelow, mostBytes) = (1024, 256, 120)
  /// The record itself.
  static let root: Int32 = 0
  /// What stands for all that is not distinguished any more.
  static let others: Int32 = 1

  private(set) var steps = [
    Step(parent: -1, name: [], mark: [], teller: -1), Step(parent: -1, name: [], mark: [], teller: -1),
  ]
  /// The places of the plan's own names, as far as they were asked for.
  private var planned: [Int32] = []
  private let tellers: [TreePlan.Teller]

  /// The place of a name below another place, made where it is new.
  @inline(__always)
  mutating func place(of name: Span<UInt8>, mark: [UInt8] = [], below parent: Int32) -> Int32 {
    guard parent != Self.others else { return parent }
    let kept = min(name.count, Self.mostBytes)
    var child = steps[Int(parent)].firstChild
    while child >= 0 {
      if steps[Int(child)].name.count == kept, isSame(child, name, mark) { return child }
      child = steps[Int(child)].next
    }
    return add(name.extracting(0..<kept), mark, below: parent)
  }

  /// The same of a name that is kept already.
  mutating func place(of name: [UInt8], mark: [UInt8] = [], below parent: Int32) -> Int32 {
    place(of: name.span, mark: mark, below: parent)
  }

  private func isSame(_ step: Int32, _ name: Span<UInt8>, _ mark: [UInt8]) -> Bool {
    let step = steps[Int(step)]
    for place in step.name.indices where step.name[place] != name[place] { return false }
    return step.mark.elementsEqual(mark.prefix(Self.mostBytes))
  }

  private mutating func add(_ name: Span<UInt8>, _ mark: [UInt8], below parent: Int32) -> Int32 {
    let isFull = steps.count >= Self.mostPaths || steps[Int(parent)].children >= Self.mostBelow
    guard !isFull else { return Self.others }
    let new = Int32(truncatingIfNeeded: steps.count)
    let name = name.withUnsafeBufferPointer { Array($0) }
    let teller = tellers.firstIndex { $0.name == name } ?? -1
    steps.append(
      Step(parent: parent, name: name, mark: Array(mark.prefix(Self.mostBytes)), teller: teller))
    let last = steps[Int(parent)].lastChild
    if last >= 0 { steps[Int(last)].next = new } else { steps[Int(parent)].firstChild = new }
    steps[Int(parent)].lastChild = new
    steps[Int(parent)].children += 1
    return new
  }

  /// The place of a name that the plan has.
  mutating func place(of node: Int, in plan: TreePlan) -> Int32 {
    guard node > 0 else { return Self.root }
    if planned.isEmpty { planned = Array(repeating: -1, count: plan.nodes.count) }
    if planned[node] < 0 {
      let parent = place(of: plan.nodes[node].parent, in: plan)
      planned[node] = place(of: plan.nodes[node].name, below: parent)
    }
    return planned[node]
  }

  /// The place of those things of a name that say a text, where that tells them apart.
  mutating func place(_ place: Int32, telling text: [UInt8]) -> Int32 {
    let step = steps[Int(place)]
    guard step.teller >= 0 else { return place }
    return self.place(
      of: step.name, mark: tellers[step.teller].property + [0x3D] + text, below: step.parent)
  }

  /// The property that tells things at a place apart; nil where none does.
  @inline(__always)
  func teller(at place: Int32) -> [UInt8]? {
    let teller = steps[Int(place)].teller
    return teller < 0 ? nil : tellers[teller].property
  }

  /// Counts values at some places.
  mutating func count(_ places: some Sequence<Int32>) {
    for place in places { steps[Int(place)].count &+= 1 }
  }
}

extension UnreadElements {
  /// Nothing yet, of no plan.
  public init() { tellers = [] }

  /// Nothing yet.
  init(_ plan: TreePlan) { tellers = plan.tellers }

  /// How many values there were beyond the paths that are distinguished.
  public var others: Int { steps[Int(Self.others)].count }

  /// The elements in the order in which their names came, but those at some paths and all below them.
  ///
  /// `record`: the property that a record is of what was read with it; its name is not part of the paths.
  public func found(except known: [TreePath] = [], within record: String? = nil) -> [Found] {
    var found: [Found] = []
    for index in steps.indices where index > Int(Self.others) && steps[index].count > 0 {
      var way = way(to: index)
      if let record, way.count > 1, record.utf8.elementsEqual(way[0].name) { way.removeFirst() }
      if known.contains(where: { Self.leads($0, along: way) }) { continue }
      let path = way.map(Self.text).joined(separator: ".")
      if record != nil, let known = found.firstIndex(where: { $0.path == path }) {
        found[known].count += steps[index].count
      } else {
        found.append(Found(path: path, count: steps[index].count))
      }
    }
    return found
  }

  /// Adds what was found in other records.
  public mutating func add(_ other: UnreadElements) {
    var places: [Int32] = [Self.root, Self.others]
    for index in other.steps.indices.dropFirst(2) {
      let step = other.steps[index]
      // What a name is below came before it.
      places.append(place(of: step.name, mark: step.mark, below: places[Int(step.parent)]))
    }
    for (place, step) in zip(places, other.steps) { steps[Int(place)].count &+= step.count }
  }

  private func way(to index: Int) -> [Step] {
    var way: [Step] = []
    var place = index
    while place > Int(Self.others) {
      way.append(steps[place])
      place = Int(steps[place].parent)
    }
    return way.reversed()
  }

  private static func text(_ step: Step) -> String {
    let name = String(decoding: step.name, as: UTF8.self)
    return step.mark.isEmpty ? name : "\(name)[\(String(decoding: step.mark, as: UTF8.self))]"
  }

  /// Whether a path is the beginning of a way, or all of it.
  private static func leads(_ path: TreePath, along way: [Step]) -> Bool {
    guard path.steps.count <= way.count else { return false }
    return zip(path.steps, way).allSatisfy { wanted, step in
      guard wanted.name.utf8.elementsEqual(step.name) else { return false }
      return wanted.filters.allSatisfy { filter in
        guard case .value(let names, let values, let ignoresCase) = filter else { return false }
        let mark = String(decoding: step.mark, as: UTF8.self)
        return values.contains { value in
          let wanted = "\(names.joined(separator: "."))=\(value)"
          return ignoresCase ? wanted.lowercased() == mark.lowercased() : wanted == mark
        }
      }
    }
  }
}
