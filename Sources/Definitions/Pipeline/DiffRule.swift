/// How two releases of a dataset are compared, beyond holding row against row.
public struct DiffRule: Sendable, Hashable {
  /// The queries that tell what a difference means for the dataset; each takes the parameters `from` and
  /// `to`.
  public var queries: [QueryDefinition]
  /// Key columns with the value that means every other: a release that has only this one is compared with
  /// each value of a release that distinguishes them.
  public var standsForAll: [String: String]
  /// Whether a run says how many rows of the main table are new, gone and changed against the release before.
  public var isReported: Bool

  /// A rule; left out, rows are held against rows and no more.
  public init(
    queries: [QueryDefinition] = [], standsForAll: [String: String] = [:], isReported: Bool = false
  ) {
    self.queries = queries
    self.standsForAll = standsForAll
    self.isReported = isReported
  }
}

/// What `diff` in `pipeline.yaml` says, before the queries that it names are looked up.
struct DiffOutline {
  var queries: [Marked<String>]
  var standsForAll: [String: String] = [:]
  var isReported: Bool

  init?(_ node: YAMLNode, sources: [SourceOutline], in file: DefinitionFile) {
    let keys = ["queries", "stands_for_all", "report"]
    guard let fields = Fields(node, of: "diff", keys: keys, in: file) else { return nil }
    queries = fields.texts("queries") ?? []
    isReported = fields.flag("report")
    reportRepeats(queries, called: "the query", in: file)
    let columns = sources.flatMap { $0.key.map(\.value) }
    for entry in fields.mapping("stands_for_all") ?? [] {
      if !columns.contains(entry.key) {
        file.report(
          "'\(entry.key)' is no key column of a source", at: entry.mark,
          hint: NearestName.hint(entry.key, among: columns, called: "there are"))
      }
      if let value = fields.text(entry.value, called: "'\(entry.key)'") {
        standsForAll[entry.key] = value.value
      }
    }
  }

  /// The rule, its queries looked up among those of the pipeline.
  ///
  /// `known`: the names of all query files, of which some may have been wrong.
  func rule(queries all: [QueryDefinition], known: [String], in file: DefinitionFile) -> DiffRule {
    let found = queries.compactMap { name -> QueryDefinition? in
      guard known.contains(name.value) else {
        file.report(
          "there is no queries/\(name.value).sql", at: name.mark,
          hint: NearestName.hint(name.value, among: known, called: "there are"))
        return nil
      }
      guard let query = all.first(where: { $0.name == name.value }) else { return nil }
      if !Self.comparesReleases(query) {
        file.report(
          "the query '\(name.value)' does not compare two releases", at: name.mark,
          hint: "it must take the parameters from and to, of type text, and need no other")
      }
      return query
    }
    return DiffRule(queries: found, standsForAll: standsForAll, isReported: isReported)
  }

  private static func comparesReleases(_ query: QueryDefinition) -> Bool {
    let names = ["from", "to"]
    return names.allSatisfy { query.parameter(named: $0)?.kind == .text }
      && query.parameters.allSatisfy { names.contains($0.name) || !$0.isRequired }
  }
}
