import Testing

/// The walls between modules, and between the folders of one.
@Suite("The package's graph")
struct PackageGraphTests {
  @Test("Every target declares exactly the modules that it imports")
  func dependencies() throws {
    let targets = try PackageGraph.targets.get()
    let own = Set(targets.map(\.name))
    for target in targets {
      let files = try target.files()
      guard !files.isEmpty else { continue }
      let imports = files.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
      let wrong = PackageGraph.mismatches(
        target.name, declared: target.dependencies, imports: imports, own: own)
      #expect(wrong == [])
    }
  }

  @Test("Every module imports only what the table of modules allows")
  func imports() throws {
    for target in try PackageGraph.targets.get() where target.path.hasPrefix("Sources/") {
      let files = try target.files()
      guard !files.isEmpty else { continue }
      for file in files {
        #expect(House.forbidden(file.imports, in: target.name) == [], "\(target.path)/\(file.path)")
      }
    }
  }

  @Test("Folders of one module refer to each other one way only")
  func folders() throws {
    for target in try PackageGraph.targets.get() where target.path.hasPrefix("Sources/") {
      let graph = FolderGraph(try target.files())
      #expect(graph.cycles == [], "\(target.name): \(examples(of: graph))")
    }
  }

  /// One use between each two folders of a circle.
  private func examples(of graph: FolderGraph) -> String {
    graph.uses.filter { use, _ in
      graph.cycles.contains { $0.contains(use.from) && $0.contains(use.to) }
    }.map { "\n  \($0.from) -> \($0.to): \($1[0])" }.sorted().joined()
  }
}
