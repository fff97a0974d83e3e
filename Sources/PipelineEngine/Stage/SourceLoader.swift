import Definitions
import Host
import PipelineCore
import PostgreSQL
import Progress
import Records
import Store
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
  let progress: PartProgress
  /// Where the connections for the children go.
  let target: ConnectionTarget
  /// Whether the tables get their keys, and what is refused is kept; those that only serve a comparison do
  /// not, and what their cells hold is recorded.
  var isIndexed = true
  /// How many records the run may refuse.
  var rejectLimit = RejectLimit.count(0)
  /// Whether values may be shown: no column of the layout is sensitive.
  var showsValues = false
  /// What the tables begin with, by target: those of the release that is corrected.
  var base: [String: String] = [:]
  /// How many records the release that is corrected has numbered; nil where a release is loaded from its
  /// beginning.
  var recordsOfBase: Int?

  /// How many records were numbered already in what the rows are merged into.
  var recordsNumbered = 0

  /// Looked at now and then: whether anybody still wants the rows.
  var cancellation = CancellationFlag()

  /// Records come without those that stood above them.
  var isReplay: Bool { recordsOfBase != nil }

  /// The size of what is loaded, as far as it is known.
  var size: Int { entries.reduce(0) { $0 + ($1.headed.entry.entry.size ?? 0) } }

  /// The bytes of entries; nil where they are not known of all.
  static func size(of entries: [HeadedEntry]) -> Int? {
    let sizes = entries.compactMap(\.entry.entry.size)
    return sizes.count == entries.count ? sizes.reduce(0, +) : nil
  }

  func load(on connection: Connection) throws -> LoadOutcome {
    progress.begin()
    // A COPY keeps its connection busy, so that each child has one of its own.
    let branches = try children.map { ChildLoad($0, on: try StagingWorkers.connect(target)) }
    let quarantine =
      isIndexed
      ? Quarantine(of: entries.map(\.sourceFileID), limit: rejectLimit, isFirst: true) {
        try StagingWorkers.connect(target)
      }
      : nil
    var outcome = LoadOutcome(source: source, began: Machine.seconds)
    for child in entries.flatMap(\.headed.head.layout.children) {
      let known = outcome.slots[child.target] ?? 0
      outcome.slots[child.target] =
        child.each.isEmpty ? .some(known.map { max(child.slots.count, $0) }) : .some(nil)
    }
    let tables = [table] + children
    let keys = [source.key] + children.map(rowKey)
    let isIndexed = isIndexed
    let connections = [connection] + branches.map(\.connection)
    // Should one fail after others have committed: a table that nobody asks for is found by its mark.
    let duplicates = try connections.cancelledWhenInterrupted {
      try Connection.transactions(on: connections) {
        try fill(branches, and: connection, &outcome, quarantine)
        // Before the rows: none may be visible without those that were refused beside them being kept.
        outcome.keptRejects = quarantine?.kept ?? 0
        try quarantine?.finish(outcome.reasons, headers: outcome.headers)
        if isIndexed { progress.enter("keys", asking: connections.map(\.process)) }
      } ending: { place, connection in
        guard isIndexed else { return 0 }
        // Tables get their keys side by side: what the server would do for one of them with several
        // processes, it would take from the others.
        if tables.count > 1 { try connection.execute("SET LOCAL max_parallel_maintenance_workers = 0") }
        return try tables[place].index(key: keys[place], on: connection)
      }
    }
    progress.end()
    if isIndexed {
      outcome.duplicateKeys = Dictionary(zip(tables.map(\.target.name), duplicates)) { first, _ in first }
    }
    return outcome
  }

  /// Makes the tables and puts the rows into them.
  private func fill(
    _ branches: [ChildLoad], and connection: Connection, _ outcome: inout LoadOutcome,
    _ quarantine: Quarantine?
  ) throws {
    outcome.copied = try begin(table, on: connection)
    for child in branches { _ = try begin(child.table, on: child.connection) }
    var leftOut = LeftOutValues()
    let copy = SourceCopy(loader: self, connection: connection, branches: branches)
    var place = 0
    while place < entries.count {
      let first = outcome.reports.count
      let load = entryLoad(place, outcome, quarantine)
      let columns = load.columns
      let rows = try copy.run(load) { load in
        load.conclude(&outcome)
        leftOut.add(load.unread, of: entries[place].headed.head)
        place += 1
        guard isOfSeveral, place < entries.count else { return nil }
        let next = entryLoad(place, outcome, quarantine)
        return next.columns == columns ? next : nil
      }
      for (table, rows) in zip([table] + children, rows) {
        let own = outcome.reports[first...].reduce(0) { $0 + ($1.targets[table.target.name] ?? 0) }
        guard own == rows else {
          throw PostgreSQLError.unexpectedAnswer("COPY took \(rows) rows of \(own) for \(table.target.name)")
        }
      }
    }
    if let warning = leftOut.warning {
      // The first of its entries that had any.
      let place = outcome.reports.firstIndex { $0.loaded > 0 } ?? 0
      outcome.reports[place].warnings.append(warning)
    }
  }

  /// Whether rows of several entries come together.
  private var isOfSeveral: Bool { entries.count >= SourceCopy.several }

  private func entryLoad(_ place: Int, _ outcome: LoadOutcome, _ quarantine: Quarantine?) -> EntryLoad {
    // Corrected records are numbered on, over all entries.
    let numbered = recordsOfBase ?? (recordsNumbered > 0 ? recordsNumbered : nil)
    let before = numbered.map { outcome.reports.reduce($0) { $0 + $1.read } } ?? 0
    progress.beginPiece()
    return EntryLoad(
      entries[place].headed, entries[place].sourceFileID, of: self, to: quarantine, after: before,
      isOfSeveral: isOfSeveral)
  }

  private func rowKey(of child: StagedTable) -> [String] {
    let children = entries.flatMap(\.headed.head.layout.children)
    return children.first { $0.target == child.target.name }?.rowKey(ofRecord: source.key)
      ?? source.key + ["slot"]
  }

  /// Makes a table, with the rows of the release that is corrected; gives how many.
  private func begin(_ table: StagedTable, on connection: Connection) throws -> Int {
    try table.create(on: connection)
    guard let partition = base[table.target.name] else { return 0 }
    return try table.copy(from: partition, on: connection)
  }
}
