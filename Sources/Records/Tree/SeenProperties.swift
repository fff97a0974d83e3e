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
