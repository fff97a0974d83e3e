/// A derived view: one SELECT and how its result is kept.
public struct ViewDefinition: Sendable, Hashable {
  /// How a view is kept up to date.
  public enum Strategy: String, Sendable, Hashable, CaseIterable {
    /// A plain view with the reader's rights: always now.
    case live
    /// A table; the whole result is computed aside, and what differs is written.
    case full
    /// A table; the same for the groups whose sources have changed.
    case incremental
  }

  /// The view's name, `schema.name`, which is also its file's.
  public var name: String
  /// How it is kept up to date.
  public var strategy: Strategy
  /// What it shows, in words.
  public var description: String
  /// The SELECT; where ``strategy`` is incremental, with `{keys}` in the place of the groups to compute.
  public var template: SQLTemplate
  /// The columns that tell one group from another; where ``strategy`` is full, one row from another. Empty
  /// for one group, or one row, in all.
  public var key: [Marked<String>] = []
  /// The columns that tell one row from another; those of ``key`` unless the definition names others.
  public var unique: [Marked<String>] = []
  /// What of a changed row means which groups; of an incremental view only.
  public var sources: [ViewSource] = []
  /// How long the view may lag behind its sources before it counts as stale; nil for not at all.
  public var freshFor: Duration?
  /// The share of the groups, from 0 to 1, above which all of them are computed.
  public var rebuildShare = ViewDefinition.usualRebuildShare
  /// The indexes beside that of ``unique``, each by its columns.
  public var indexes: [[Marked<String>]] = []
  /// The column that says whose a row is; readers see their own rows only. Nil where grants are all there is.
  public var ownerColumn: Marked<String>?
  /// The roles that may read it.
  public var readers: [Marked<String>] = []
  /// The view's file, for errors.
  public var file: String

  /// The share of the groups above which a view is computed as a whole, unless its definition says another.
  public static let usualRebuildShare = 0.3

  /// The result is kept in a table.
  public var isStored: Bool { strategy != .live }
  /// The SELECT with a placeholder-free text in the place of `{keys}`.
  public func sql(keys: String) -> String { template.filled { _ in keys } }
  /// The SELECT of a view that has no placeholder.
  public var sql: String { sql(keys: "") }
  /// The line of the file that the SELECT begins on.
  public var line: Int { template.line }
  /// The place in the file of a character, counted from 1, of what ``sql(keys:)`` gives.
  public func place(of character: Int, keys: String) -> Mark { template.place(of: character) { _ in keys } }
  /// The part of the name before the dot.
  public var schema: String { String(name.prefix { $0 != "." }) }
  /// The part of the name after the dot.
  public var relation: String { String(name.drop { $0 != "." }.dropFirst()) }
}

/// A table that a view is computed from, and what a change of it means.
public struct ViewSource: Sendable, Hashable {
  /// What a change of a row means.
  public enum Change: Sendable, Hashable {
    /// Some groups: of each row, before and after, the columns `capture` are remembered; at refresh `keys`
    /// says the groups that they mean, as a SELECT from the table `changed`, which has those columns.
    case groups(capture: [Marked<String>], keys: EmbeddedSQL)
    /// Every group.
    case rebuild
  }

  /// The table, `schema.name`.
  public var name: Marked<String>
  /// What a change of a row means.
  public var change: Change
}
