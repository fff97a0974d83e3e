/// Which migrations of a folder a database has, and how.
public struct MigrationStatus: Sendable {
  /// Versioned ones in order of version, then repeatable ones in order of name.
  public let applied: [AppliedMigration]
  /// Versioned ones not applied yet, in order of version.
  public let pending: [Migration]
  /// Repeatable ones that are new or have changed, in order of name.
  public let pendingRepeatables: [Migration]
  /// Repeatable ones that run in every `up` and are not pending, in order of name.
  let recurring: [Migration]
  /// Those of datasets that the database does not use, and that it does not have, in order of version.
  public let unused: [Migration]
  /// Why files of the folder cannot be run.
  public let complaints: [MigrationError]
  private let order: VersionOrder
  private let reach: Reach

  /// `rows`: what the history has, in the order in which it was applied.
  init(folder: MigrationFolder, applied rows: [AppliedMigration], partial: [JournalEntry] = []) {
    let order = folder.order
    self.order = order
    complaints = folder.complaints
    let begun = partial.filter { entry in !rows.contains { entry.isAbout($0) } }.map(\.asApplied)
    var reach = Reach()
    // Of thousands of rows only their places are sorted.
    var rows = rows + begun
    var versioned: [(key: VersionKey, place: Int)] = []
    var repeatable: [AppliedMigration] = []
    // Of the folder's versioned ones.
    var isKnown = folder.migrations.map { _ in false }
    var isUnderWay = isKnown
    for place in rows.indices {
      let isVersioned = rows[place].kind == .versioned
      let key = order.key(rows[place].version)
      let own = isVersioned ? folder.place(key) : nil
      let file =
        isVersioned
        ? own.map { folder.migrations[$0] } : folder.repeatables.first { $0.name == rows[place].name }
      let isLate = isVersioned && reach.isBeyond(key, of: file?.datasets ?? [])
      if let entry = partial.first(where: { $0.isAbout(rows[place]) }) {
        (rows[place].state, rows[place].batch) = (.partial, entry.isDone ? nil : entry.batch)
      } else if let file {
        rows[place].state = file.checksum != rows[place].checksum ? .changed : isLate ? .late : .applied
      } else {
        rows[place].state = .missing
      }
      guard isVersioned else {
        repeatable.append(rows[place])
        continue
      }
      versioned.append((key, place))
      if rows[place].isBegun {
        if let own { isUnderWay[own] = true }
      } else {
        if let own { isKnown[own] = true }
        reach.extend(to: key, using: rows[place].datasets)
      }
    }
    applied =
      versioned.sorted { $0.key < $1.key }.map { rows[$0.place] } + repeatable.sorted { $0.name < $1.name }
    let open = folder.migrations.indices.filter { !isKnown[$0] }
    let isUsed = { (place: Int) in folder.uses(folder.migrations[place]) || isUnderWay[place] }
    pending = open.filter(isUsed).map { folder.migrations[$0] }
    unused = open.filter { !isUsed($0) }.map { folder.migrations[$0] }
    self.reach = reach
    let isDone = { (file: Migration) in
      repeatable.contains { $0.name == file.name && $0.checksum == file.checksum && $0.state != .partial }
    }
    let repeatables = folder.repeatables.filter(folder.uses)
    pendingRepeatables = repeatables.filter { !isDone($0) }
    recurring = repeatables.filter { isDone($0) && $0.up.options.isRunAlways }
  }

  /// Versioned migrations that are applied as a whole, in order of version.
  var done: [AppliedMigration] {
    applied.filter { $0.kind == .versioned && !$0.isBegun }
  }

  /// Pending migrations whose version is lower than one that was applied when their datasets were used.
  public var late: [Migration] {
    pending.filter { !$0.isContract && reach.isBeyond(order.key($0.version), of: $0.datasets) }
  }

  /// The second half that waits for `migrate contract`, the first one being applied; nil where none does.
  public var awaiting: Migration? { pending.first.flatMap { $0.isContract ? $0 : nil } }

  /// Whether a migration is on its way up, and not through.
  func isBegun(_ migration: Migration) -> Bool {
    applied.contains { $0.isBegun && order.isSame($0.version, migration.version) }
  }

  /// Whether everything is applied, and as the files say, which can all be run. A second half may wait.
  public var isInStep: Bool {
    pending.dropFirst(awaiting == nil ? 0 : 1).isEmpty && pendingRepeatables.isEmpty && complaints.isEmpty
      && applied.allSatisfy { $0.state == .applied || $0.state == .late }
  }

  /// Nothing keeps `up` from going on. A repeatable file may be edited and may go.
  ///
  /// - Throws: `MigrationError.changed`, `.missing`, `.underWay` and `.late`.
  func requireAgreement(allowingLate: Bool) throws(MigrationError) {
    let changed = applied.filter { $0.state == .changed && $0.kind == .versioned }
    if !changed.isEmpty { throw .changed(changed.map(\.label)) }
    let missing = applied.filter { row in
      row.kind == .versioned
        && (row.state == .missing
          || row.isBegun && !pending.contains { order.isSame($0.version, row.version) })
    }
    if !missing.isEmpty { throw .missing(missing.map(\.label)) }
    // On its way back, and not through.
    if let begun = applied.first(where: { $0.state == .partial && !$0.isBegun && $0.kind == .versioned }) {
      throw .underWay(begun.label, .down)
    }
    // What was begun may be ended, even where it is late.
    let begun = Set(applied.filter(\.isBegun).map(\.version))
    let late = late.filter { !begun.contains($0.version) }
    if !allowingLate && !late.isEmpty { throw .late(late.map(\.label)) }
  }
}
