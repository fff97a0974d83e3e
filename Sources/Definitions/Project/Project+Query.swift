import Host

extension Project {
  /// Reads a query and nothing else: who asks one does not wait for every definition to be read.
  /// - Returns: nil where no pipeline whose dataset is used has it, or several do.
  /// - Throws: ``DefinitionErrors``, every mistake found in its file.
  public func query(named name: String) throws(DefinitionErrors) -> QueryDefinition? {
    let owners = try pipelineNames.filter { owner in
      (try? Files.list(Path.join(folder, "Pipelines/\(owner)/queries")))?.contains("\(name).sql") ?? false
    }
    guard owners.count == 1 else { return nil }
    let place = "Pipelines/\(owners[0])/queries/\(name).sql"
    let file = DefinitionFile(place)
    let query = file.bytes(at: Path.join(folder, place)).flatMap {
      QueryDefinition($0, named: name, in: file)
    }
    try file.check()
    return query
  }
}
