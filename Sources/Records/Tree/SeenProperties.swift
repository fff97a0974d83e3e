/// Which properties the records of a tree have had so far, of those that a plan wants, and which names more.
///
/// A property is there where its name is, also with `null`. Those of malformed records may count.
public struct SeenProperties: Sendable {
  private let plan: TreePlan
  private let names: SeenNames

  init(_ plan: TreePlan, _ names: SeenNames) { (self.plan, self.names) = (plan, names) }

  /// Whether any record had what a field of the plan is looked for at.
  public func holds(field: Int) -> Bool { holds(plan.fields[field], itself: true) }

  /// The same of a field of what repeats.
  public func holds(field: Int, ofGroup group: Int) -> Bool {
    plan.groups[group].alternatives.contains { alternative in
      holds(alternative.fields[field], itself: names.holds(alternative.end, of: plan))
    }
  }

  /// The names that no path has, in the order in which they came, each with those that lead to it:
  /// `address.planet`. The first 32 of them; none unless the plan is to record them.
  public var unknownNames: [String] {
    names.unknown.map { unknown in
      let way = way(to: unknown.node, from: 0) ?? []
      return (way + [String(decoding: unknown.name, as: UTF8.self)]).joined(separator: ".")
    }
  }

  /// Whether there were more names than those that are given.
  public var hasMoreUnknown: Bool { names.hasMoreUnknown }

  private func holds(_ field: PlannedField, itself: Bool) -> Bool {
    field.isPathName || field.paths.contains { $0.last.map { names.holds($0.node, of: plan) } ?? itself }
  }

  /// The names that lead from a place of the automaton to another one.
  private func way(to node: Int, from start: Int) -> [String]? {
    if node == start { return [] }
    for child in plan.nodes[start].children {
      guard let rest = way(to: node, from: child.node) else { continue }
      return [String(decoding: child.name, as: UTF8.self)] + rest
    }
    return nil
  }
}

/// Records which names the records of a tree have, and which more than a plan wants: one word for each thing
/// that is read.
struct SeenNames: Sendable {
  /// A name that no path has, and below which place of the automaton it is.
  struct Unknown: Sendable {
    let node: Int
    let name: [UInt8]
  }

  /// So many names that no path has are kept, and so many bytes of each.
  private static let (mostNames, mostBytes) = (32, 120)

  /// A bit for each of the first 64 names below each place.
  private var below: [UInt64]
  /// The places of the names behind them.
  private var others: Set<Int> = []
  private(set) var unknown: [Unknown] = []
  /// Whether there were more names than are kept.
  private(set) var hasMoreUnknown = false

  /// Nothing is recorded by what has no plan.
  init() { below = [] }

  init(_ plan: TreePlan) { below = Array(repeating: 0, count: plan.nodes.count) }

  /// Records the names of one thing, by their bits.
  @inline(__always)
  mutating func record(_ names: UInt64, below node: Int) { below[node] |= names }

  /// Records a name that has no bit.
  mutating func record(unnumbered node: Int) { others.insert(node) }

  /// Records a name alone.
  mutating func record(_ child: Int, below node: Int, of plan: TreePlan) {
    let bit = plan.bit(of: child, below: node)
    if bit == 0 { record(unnumbered: child) } else { record(bit, below: node) }
  }

  /// Records all that could be below a place at which there is nothing: who says that there is no address
  /// says that there is no city.
  mutating func noteAll(below node: Int, of plan: TreePlan) {
    for child in plan.nodes[node].children {
      record(child.node, below: node, of: plan)
      noteAll(below: child.node, of: plan)
    }
  }

  /// Records a name that no path has.
  mutating func record(unknown name: Span<UInt8>, below node: Int) {
    for known in unknown where known.node == node {
      if Self.isSame(known.name, name) { return }
    }
    guard unknown.count < Self.mostNames else { return hasMoreUnknown = true }
    let kept = name.extracting(0..<min(name.count, Self.mostBytes))
    unknown.append(Unknown(node: node, name: kept.withUnsafeBufferPointer { Array($0) }))
  }

  /// Whether a name is one that is kept, of which the end may be missing.
  private static func isSame(_ known: [UInt8], _ name: Span<UInt8>) -> Bool {
    guard known.count == min(name.count, mostBytes) else { return false }
    for place in known.indices {
      if known[place] != name[place] { return false }
    }
    return true
  }

  /// Whether the name of a place was there.
  func holds(_ node: Int, of plan: TreePlan) -> Bool {
    if node == 0 || others.contains(node) { return true }
    return plan.nodes.indices.contains { parent in
      plan.nodes[parent].children.contains { $0.node == node }
        && below[parent] & plan.bit(of: node, below: parent) != 0
    }
  }
}
