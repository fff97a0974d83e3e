import PostgreSQL

/// Reads the schema of a database again and again while it is changed a little at a time, in time that goes with
/// the change and not with the schema.
///
/// Where rows of the catalogs were only added since the last ``settle()``, or changed in what nobody else is
/// described by, the objects are read that have such rows, and what goes with them. Else all of it is read. Where the log of the server can
/// tell which pages of the catalogs were written, only these are looked at for it; else all rows are counted.
final class SnapshotTracker {
  /// What was read at one moment.
  private struct Reading {
    var snapshot: SchemaSnapshot
    /// The names of the objects, or of those alone that were read since the schema was settled.
    var names: [CatalogAddress: SchemaObject.Name] = [:]
    /// What was read again since then; nil where all was read.
    var read: Set<CatalogAddress>? = []
    var members: Set<CatalogAddress>
  }

  private let target: ConnectionTarget
  private let makers: Set<String>
  private let log: CatalogLog?
  /// Of its own, so that what was prepared lasts whatever a migration does with its session.
  private var session: Session
  private var settledReading: Reading?
  private var settledNames: [CatalogAddress: SchemaObject.Name] = [:]
  /// The rows of the catalogs then.
  private var settledCount: CatalogCount?
  private var last: Reading?
  /// The rows of the catalogs at the last reading; nil where they were not counted.
  private var count: CatalogCount?
  /// What has to be counted next time whatever the log says; nil for everything.
  private var unsure: Set<CatalogArea>?
  /// How often all of the schema was read.
  private(set) var wholeReadings = 0
  /// How often all rows of the catalogs were counted.
  private(set) var wholeCounts = 0

  /// A tracker of the schema that a connection is for; `server` is another database of its server where that is
  /// our own, so that its log may be read.
  init(_ connection: Connection, ofOwn server: ConnectionTarget? = nil) throws {
    target = connection.target
    makers = [try connection.query("SELECT current_user")[0].value(0)]
    log = try server.flatMap { try CatalogLog($0, of: connection) }
    session = try Session(target, makers, byPage: log != nil)
  }

  /// The schema as it was read before the last ``settle()``; empty where nothing was.
  var settled: SchemaSnapshot { settledReading?.snapshot ?? SchemaSnapshot(objects: [:]) }

  /// The schema as it is now: the same as ``SchemaSnapshot/read(from:leavingOut:makers:)`` gives.
  @discardableResult
  func read() throws -> SchemaSnapshot {
    // A migration may end all other sessions.
    if session.connection.isLost { session = try Session(target, makers, byPage: log != nil) }
    let connection = session.connection
    // What fails on the way leaves nothing to go on from.
    let before = count
    (count, last) = (nil, nil)
    let written = try log?.written(to: before?.files ?? [:])
    let reading = try connection.transaction(settings: CatalogReader.moment) {
      count = try counted(before, written)
      return try count.flatMap(change) ?? whole()
    }
    last = reading
    return reading.snapshot
  }

  /// From now on, what was read last is what is there from before.
  func settle() {
    count = count?.settled()
    settledCount = count
    if let last, let read = last.read {
      for address in read { settledNames[address] = nil }
      settledNames.merge(last.names) { $1 }
    } else {
      settledNames = last?.names ?? [:]
    }
    settledReading = last.map { Reading(snapshot: $0.snapshot, members: $0.members) }
    settledReading?.snapshot.becomeOrigin()
  }

  private func counted(_ before: CatalogCount?, _ written: CatalogLog.Written?) throws -> CatalogCount? {
    guard let counter = session.counter else { return nil }
    var areas: Set<CatalogArea>?
    if before != nil, let unsure, let written = written?.areas {
      areas = written.union(unsure).union(counter.shared.map { CatalogArea(catalog: $0) })
    }
    let count = try counter.count(since: settledCount?.horizon, areas, of: before)
    // What open transactions have in catalogs that were rewritten the log was not asked for.
    let isWhole = areas == nil || count.files != before?.files
    if isWhole { wholeCounts += 1 }
    unsure = written?.isQuiet == true ? [] : isWhole ? nil : areas
    return count
  }

  private func whole() throws -> Reading {
    let members = try CatalogReader.extensionMembers(session.connection)
    let draft = try SnapshotDraft(CatalogReader(connection: session.connection, members: members))
    wholeReadings += 1
    return Reading(
      snapshot: SchemaSnapshot(objects: draft.objects), names: draft.names, read: nil, members: members)
  }

  /// What is there from before with what was added or changed for itself; nil where that is not all.
  private func change(_ count: CatalogCount) throws -> Reading? {
    guard var reading = settledReading, let changed = settledCount.flatMap(count.changes) else { return nil }
    if changed.isEmpty { return reading }
    let connection = session.connection
    if !reading.members.allSatisfy(\.isChildless) {
      reading.members = try CatalogReader.extensionMembers(connection)
    }
    try session.plan(for: count.size)
    let few = session.prepared.few(try CatalogReader.family(of: changed, on: connection))
    let draft = try SnapshotDraft(CatalogReader(connection: connection, members: reading.members, few: few))
    let names = few.addresses.compactMap { settledNames[$0] }
    reading.snapshot = reading.snapshot.replacing(names, by: draft.objects)
    (reading.names, reading.read) = (draft.names, few.addresses)
    return reading
  }

  private struct Session {
    let connection: Connection
    /// nil where the role may not read all catalogs.
    let counter: CatalogCounter?
    let prepared: PreparedQueries
    /// Whether the server is our own, so that statistics may be written.
    private let isOwn: Bool
    private var plannedRows = 0

    init(_ target: ConnectionTarget, _ makers: Set<String>, byPage: Bool) throws {
      connection = try Connection(to: target, settings: CatalogReader.settings("", makers: makers))
      isOwn = byPage
      counter = try CatalogCounter(connection, byPage: byPage)
      prepared = try PreparedQueries(
        ObjectKind.readings.map(\.statement) + SnapshotDraft.partQueries.map { CatalogReader.statement($0) },
        on: connection)
      try CatalogReader.prepareFamily(on: connection)
    }

    /// Has the queries planned again where the catalogs have become larger: in small ones, and in those of
    /// which it knows the size of long ago, the planner reads all of a catalog for a few rows.
    mutating func plan(for rows: Int) throws {
      guard 4 * rows > 5 * plannedRows else { return }
      plannedRows = rows
      if isOwn { try counter?.analyze() }
      try connection.execute("DISCARD PLANS")
    }
  }
}

extension CatalogAddress {
  /// Whether nothing can go with it into an extension, as an index goes with its table.
  fileprivate var isChildless: Bool { !["1259", "2606", "1247"].contains(catalog) }
}
