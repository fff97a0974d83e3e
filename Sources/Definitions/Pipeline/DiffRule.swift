/// How two releases of a dataset are compared, beyond holding row against row.
public struct DiffRule: Sendable, Hashable {
  /// The queries that tell what a difference means for the dataset; each takes the parameters `from` and
  /// `to`.
  public var queries: [QueryDefinition] = []
  /// Key columns with the value that means every other: a release that has only this one is compared with
  /// each value of a release that distinguishes them.
  public var standsForAll: [String: String] = [:]
  /// Whether a run says how many rows of the main table are new, gone and changed against the release before.
  public var isReported = false

  /// Rows are held against rows and no more.
  public init() {}
}

extension DiffRule {
  /// Reads the key `diff`.
  ///
  /// - `columns`: the key columns of the sources.
  /// - `queries`: those of the pipeline.
  init?(_ node: YAMLNode, columns: [String], queries: [QueryDefinition], in folder: PipelineFolder) {
    let file = folder.file
    let keys = ["queries", "stands_for_all", "report"]
    guard let fields = Fields(node, of: "diff", keys: keys, in: file) else { return nil }
    isReported = fields.flag("report")
    let names = fields.texts("queries") ?? []
    reportRepeats(names, called: "the query", in: file)
    for entry in fields.mapping("stands_for_all") ?? [] where !columns.contains(entry.key) {
      file.report(
        "'\(entry.key)' is no key column of a source", at: entry.mark,
        hint: NearestName.hint(entry.key, among: columns, called: "there are"))
    }
    standsForAll = fields.textMapping("stands_for_all")
    for name in names where folder.has(name, in: "queries", kind: "sql") {
      // One that is wrong was reported with its file.
      guard let query = queries.first(where: { $0.name == name.value }) else { continue }
      if !Self.comparesReleases(query) {
        file.report(
          "the query '\(name.value)' does not compare two releases", at: name.mark,
          hint: "it must take the parameters from and to, of type text, and need no other")
      }
      self.queries.append(query)
    }
  }

  private static func comparesReleases(_ query: QueryDefinition) -> Bool {
    let names = ["from", "to"]
    return names.allSatisfy { query.parameter(named: $0)?.kind == .text }
      && query.parameters.allSatisfy { names.contains($0.name) || !$0.isRequired }
  }
}
