package import Definitions

extension Pipeline {
  /// Whether values of any source may be shown.
  package var showsValues: Bool { sources.allSatisfy(showsValues) }

  /// Whether values of a source may be shown. Where any column is sensitive none may: the fields of a broken
  /// record may have shifted.
  package func showsValues(of source: Source) -> Bool {
    layout(of: source)?.versions.allSatisfy { $0.everyColumn.allSatisfy { !$0.isSensitive } } ?? false
  }
}

extension LoadPlan {
  /// Whether values of a source may be shown. Where one of its entries is read by another source too, none may
  /// that must not be shown of that one: they are in the same records. Of a replay, whose entries are what was
  /// exported, nobody knows which these were.
  package func showsValues(of source: Source, in pipeline: Pipeline) -> Bool {
    if isReplay { return pipeline.showsValues }
    let all = entries + others
    let own = Set(all.filter { $0.source.name == source.name }.map(\.entry.entry))
    let readers = Set(all.filter { own.contains($0.entry.entry) }.map(\.source.name))
    return pipeline.sources.allSatisfy {
      $0.name != source.name && !readers.contains($0.name) || pipeline.showsValues(of: $0)
    }
  }
}
