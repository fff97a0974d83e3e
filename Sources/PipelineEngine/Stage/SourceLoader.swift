import Definitions
import Host
import PostgreSQL
import Records
import Values

/// Loads the entries of one source into its staged table, and what repeats in their records into those of its
/// children, in one transaction a table: rows first, then keys.
struct SourceLoader: Sendable {
  let source: Source
  /// With the number that the rows of each carry.
  let entries: [(headed: HeadedEntry, sourceFileID: Int)]
  let table: StagedTable
  /// In the order of the layout's children.
  let children: [StagedTable]
  let lists: [String: CodeList]
  let progress: Progress
  /// Where the connections for the children go.
  let target: ConnectionTarget
  /// Whether the tables get their keys; those that only serve a comparison do not, and what their cells hold is noted.
  var isIndexed = true

  /// The size of what is loaded, as far as it is known.
  var size: Int { entries.reduce(0) { $0 + ($1.headed.entry.entry.size ?? 0) } }

  /// What came of it.
  struct Outcome: Sendable {
    let source: Source
    /// By entry.
    var reports: [SourceReport] = []
    /// With the numbers of their entries.
    var rejects: [(sourceFileID: Int, rejects: [Reject])] = []
    /// Whether all refused records are in `rejects`.
    var areRejectsKept = true
    /// What is wrong with the first few refused records, as `line 12, work_rvu: ...`.
    var examples: [String] = []
    /// How many groups of rows share a key, by table; such a table is without its keys.
    var duplicateKeys: [String: Int] = [:]
    /// How many rows a record may bring, by child table.
    var slots: [String: Int] = [:]

    /// The rows that were loaded.
    var loaded: Int { reports.reduce(0) { $0 + $1.loaded } }
  }

  func load(on connection: Connection) throws -> Outcome {
    // A COPY keeps its connection busy, so that each child has one of its own.
    let branches = try children.map { ChildLoad($0, on: try StagingWorkers.connect(target)) }
    var outcome = Outcome(source: source)
    for child in entries.flatMap(\.headed.head.layout.children) {
      outcome.slots[child.target] = max(child.slots.count, outcome.slots[child.target] ?? 0)
    }
    // Should one fail after others have committed: a table that nobody asks for is found by its mark.
    try SourceLoader.transactions(on: branches.map(\.connection) + [connection]) {
      try table.create(on: connection)
      for child in branches { try child.table.create(on: child.connection) }
      for (headed, id) in entries {
        var load = EntryLoad(headed, id, of: self)
        try load.run(on: connection, branches)
        load.conclude(&outcome)
      }
      guard isIndexed else { return }
      outcome.duplicateKeys[table.target.name] = try table.index(key: source.key, on: connection)
      for child in branches {
        outcome.duplicateKeys[child.table.target.name] = try child.table.index(
          key: source.key + ["slot"], on: child.connection)
      }
    }
    return outcome
  }

  /// Does something in a transaction on each of some connections.
  private static func transactions(on connections: [Connection], _ body: () throws -> Void) throws {
    guard let first = connections.first else { return try body() }
    try first.cancelledWhenInterrupted {
      try first.transaction { try transactions(on: Array(connections.dropFirst()), body) }
    }
  }
}
