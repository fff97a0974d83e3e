/// Which properties the records of a tree have had so far, of those that a plan wants.
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

  private func holds(_ field: PlannedField, itself: Bool) -> Bool {
    field.isPathName || field.paths.contains { $0.last.map { names.holds($0.node, of: plan) } ?? itself }
  }
}

/// Records which names of a plan the records of a tree have: one word for each thing that is read.
struct SeenNames: Sendable {
  /// A bit for each of the first 64 names below each place.
  private var below: [UInt64]
  /// The places of the names behind them.
  private var others: Set<Int> = []

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

  /// Whether the name of a place was there.
  func holds(_ node: Int, of plan: TreePlan) -> Bool {
    if node == 0 || others.contains(node) { return true }
    return plan.nodes.indices.contains { parent in
      plan.nodes[parent].children.contains { $0.node == node }
        && below[parent] & plan.bit(of: node, below: parent) != 0
    }
  }
}
