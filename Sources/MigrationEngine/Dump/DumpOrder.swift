/// Puts objects in an order in which each comes after what it needs; where that leaves a choice, kind and
/// name decide.
struct DumpOrder {
  private var objects: [CatalogObject]
  private var needs: [Set<Int>]
  private var neededBy: [Set<Int>]

  /// Objects, and pairs of addresses of which the first needs the second.
  init(_ objects: [CatalogObject], needs pairs: [(CatalogAddress, CatalogAddress)]) {
    self.objects = objects.sorted(by: CatalogObject.precedes)
    let places = Dictionary(
      self.objects.enumerated().map { ($1.address, $0) }, uniquingKeysWith: { first, _ in first })
    needs = Array(repeating: [], count: objects.count)
    neededBy = Array(repeating: [], count: objects.count)
    for (from, to) in pairs {
      guard let left = places[from], let right = places[to], left != right else { continue }
      needs[left].insert(right)
      neededBy[right].insert(left)
    }
  }

  /// The objects in order, and those that had to be written before something that they need.
  mutating func sorted() -> (objects: [CatalogObject], torn: [CatalogObject]) {
    var waiting = Set(objects.indices)
    var mains = objects.count { $0.phase == .main }
    var ready = Set(objects.indices.filter { needs[$0].isEmpty })
    var written: [CatalogObject] = []
    var torn: [CatalogObject] = []
    while !waiting.isEmpty {
      // A circle is opened before anything is written that has to be the last.
      if let next = ready.min(), mains == 0 || objects[next].phase == .main {
        ready.remove(next)
        waiting.remove(next)
        mains -= objects[next].phase == .main ? 1 : 0
        written.append(objects[next])
        release(neededBy[next].intersection(waiting), from: next, into: &ready)
        continue
      }
      let circle = circle(in: waiting)
      // The last, since a function may give rows of a view, and then has to have the view.
      if let first = circle.sorted().last(where: { objects[$0].placeholder != nil }) {
        written.append(placeholder(first))
        release(neededBy[first].intersection(circle), from: first, into: &ready)
      } else if let first = circle.min() {
        torn.append(objects[first])
        needs[first] = []
        ready.insert(first)
      }
    }
    return (written, torn)
  }

  /// What replaces an object until it can be written; after it, a view is no longer made but replaced.
  private mutating func placeholder(_ place: Int) -> CatalogObject {
    var stub = objects[place]
    stub.statements = stub.placeholder.map { [$0] } ?? []
    objects[place].placeholder = nil
    if let statement = stub.statements.first, statement.hasPrefix("CREATE VIEW"),
      let full = objects[place].statements.first
    {
      objects[place].statements[0] = "CREATE OR REPLACE" + full.dropFirst("CREATE".count)
    }
    return stub
  }

  private mutating func release(_ others: Set<Int>, from place: Int, into ready: inout Set<Int>) {
    for other in others where needs[other].remove(place) != nil && needs[other].isEmpty {
      ready.insert(other)
    }
  }

  /// Everything that needs itself in the end, together with the first object that does.
  private func circle(in waiting: Set<Int>) -> Set<Int> {
    for place in waiting.sorted() {
      let below = reachable(from: place, along: needs)
      if below.contains(place) { return below.intersection(reachable(from: place, along: neededBy)) }
    }
    return waiting
  }

  private func reachable(from place: Int, along edges: [Set<Int>]) -> Set<Int> {
    var found: Set<Int> = []
    var open = Array(edges[place])
    while let next = open.popLast() {
      if found.insert(next).inserted { open += edges[next] }
    }
    return found
  }
}
