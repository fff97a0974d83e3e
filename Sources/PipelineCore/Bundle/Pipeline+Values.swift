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
