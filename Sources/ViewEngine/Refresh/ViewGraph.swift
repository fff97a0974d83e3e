/// Which stored view reads which.
struct ViewGraph {
  private let views: [String: RegisteredView]
  /// All views, each after those that it reads.
  let order: [String]

  init(_ views: [String: RegisteredView]) {
    self.views = views
    var order: [String] = []
    var seen: Set<String> = []
    // A view is made after those that it reads, so that there is no circle.
    func add(_ name: String) {
      guard let view = views[name], seen.insert(name).inserted else { return }
      for source in view.sources { add(source.name) }
      order.append(name)
    }
    for name in views.keys.sorted() { add(name) }
    self.order = order
  }

  /// The stored views that a view reads, directly or through live ones.
  func read(by name: String) -> [String] {
    (views[name]?.sources ?? []).map(\.name).filter { views[$0] != nil }
  }

  /// The stored views that read a table or a view.
  func readers(of name: String) -> [String] {
    order.filter { reader in views[reader]?.sources.contains { $0.name == name } == true }
  }

  /// The stored views that read one of some tables, or a view that does.
  func readers(of tables: [String]) -> Set<String> {
    closure(of: tables.flatMap(readers(of:)), readers(of:))
  }

  /// Views, and all that are reached from them.
  func closure(of names: [String], _ next: (String) -> [String]) -> Set<String> {
    var found: Set<String> = []
    var waiting = names
    while let name = waiting.popLast() {
      if found.insert(name).inserted { waiting += next(name) }
    }
    return found
  }
}
