package import Definitions

/// An entry, and what its beginning tells.
package struct HeadedEntry: Sendable {
  package private(set) var entry: BundleEntry
  private var shared: Shared<SourceHead>
  package var head: SourceHead {
    get { shared.value }
    set { shared = Shared(newValue) }
  }
  /// Whether the entry's malformed records that do not say what they are count for this source, of all that
  /// read it.
  package var ownsMalformed = true
  /// The kinds of records that other sources take from the entry.
  package var kindsOfOthers: Set<String> = []
  /// Those of them that sources before this one take.
  package var kindsOfEarlier: Set<String> = []

  package var source: Source { entry.source }

  /// The columns of the table that the file says something about: not those that its header lacks.
  package var broughtColumns: [String] {
    zip(head.layout.columns, head.fields).filter { $0.isStored && ($1 != nil || $0.place == nil) }.map(
      \.0.name)
  }

  /// Those that are staged: of a source with SQL of its own all of them, which that may name.
  package var stagedColumns: [String] {
    source.change == nil ? broughtColumns : head.layout.columns.filter(\.isStored).map(\.name)
  }

  package init(
    entry: BundleEntry, head: SourceHead, ownsMalformed: Bool = true, kindsOfOthers: Set<String> = [],
    kindsOfEarlier: Set<String> = []
  ) {
    self.entry = entry
    shared = Shared(head)
    self.ownsMalformed = ownsMalformed
    self.kindsOfOthers = kindsOfOthers
    self.kindsOfEarlier = kindsOfEarlier
  }

  /// Another entry with the same head, which both share.
  package func sharingHead(with entry: BundleEntry) -> HeadedEntry {
    var other = self
    other.entry = entry
    return other
  }
}
