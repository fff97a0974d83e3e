import Host

/// Which of a project's datasets are used: those that `datasets:` in `rivulet.yaml` names, by their pipelines.
enum Datasets {
  /// The names that are written, sorted.
  ///
  /// Reports names of no pipeline, names that come again, and datasets without one that they need.
  static func chosen(
    _ written: [Marked<String>], of names: [String], in folder: String, file: DefinitionFile
  ) -> [String] {
    var chosen: Set<String> = []
    for name in written where !chosen.insert(name.value).inserted {
      file.report("the dataset '\(name.value)' is named twice", at: name.mark)
    }
    for name in written {
      guard names.contains(name.value) else {
        file.report("there is no dataset '\(name.value)'", of: name, among: names, called: "there are")
        continue
      }
      let path = "Pipelines/\(name.value)"
      let missing = PipelineFolder(Path.join(folder, path), shownAs: path).needs()
        .filter { !chosen.contains($0) }
      if missing.isEmpty { continue }
      let list = missing.map { "'\($0)'" }.joined(separator: " and ")
      file.report(
        "the dataset '\(name.value)' needs \(list)", at: name.mark,
        hint: "name \(missing.count == 1 ? "it" : "them") under 'datasets', too")
    }
    return chosen.sorted()
  }

  /// A dataset with all that it needs, and what these need, sorted.
  static func closure(of name: String, in pipelines: [Pipeline]) -> [String] {
    var found: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += pipelines.first { $0.name == next }?.needs ?? []
    }
    return found.sorted()
  }

  /// A mistake for each dataset that one of some pipelines needs and that is none of the project's.
  static func unknownNeeds(of pipelines: [Pipeline], among names: [String]) -> [DefinitionError] {
    pipelines.flatMap { pipeline in
      pipeline.needs.filter { !names.contains($0) || $0 == pipeline.name }.map { need in
        DefinitionError(
          file: "Pipelines/\(pipeline.name)/pipeline.yaml",
          message: need == pipeline.name
            ? "the dataset '\(need)' needs itself" : "there is no dataset '\(need)', which this one needs",
          hint: NearestName.hint(need, among: names.filter { $0 != pipeline.name }, called: "there are"))
      }
    }
  }

  /// A mistake for each query of some pipelines that answers from the current release of none of the project's.
  static func unknownCurrents(of pipelines: [Pipeline], among names: [String]) -> [DefinitionError] {
    pipelines.flatMap(\.queries).compactMap { query in
      guard let current = query.current, !names.contains(current.pipeline) else { return nil }
      return DefinitionError(
        file: query.file,
        message: "there is no pipeline '\(current.pipeline)', whose release 'current' names",
        hint: NearestName.hint(current.pipeline, among: names, called: "there are"))
    }
  }
}
