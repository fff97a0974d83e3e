import PostgreSQL

/// Reads the schema of a database again and again while it is changed a little at a time, in time that goes with
/// the change and not with the schema.
///
/// Where rows were only added to the catalogs since the last ``settle()``, what is there from before is as it was,
/// so that only the objects are read that have new rows. Else all of it is read.
final class SnapshotTracker {
  /// What was read at one moment.
  private struct Reading {
    var snapshot: SchemaSnapshot
    var names: [CatalogAddress: SchemaObject.Name]
    var members: Set<CatalogAddress>
    var count: CatalogCount?
  }

  private let target: ConnectionTarget
  private let makers: Set<String>
  /// Of its own, so that what was prepared lasts whatever a migration does with its session.
  private var session: Session
  private var settled: Reading?
  private var last: Reading?
  /// How often all of the schema was read.
  private(set) var wholeReadings = 0

  /// A tracker of the schema that a connection is for.
  init(_ connection: Connection) throws {
    target = connection.target
    makers = [try connection.query("SELECT current_user")[0].value(0)]
    session = try Session(target)
  }

  /// The schema as it is now: the same as ``SchemaSnapshot/read(from:leavingOut:makers:)`` gives.
  func read() throws -> SchemaSnapshot {
    // A migration may end all other sessions.
    if session.connection.isLost { session = try Session(target) }
    let connection = session.connection
    let reading = try CatalogReader.atOneMoment(on: connection, makers: makers, leavingOut: []) {
      let count = try session.canCount ? CatalogCount(count()) : nil
      return try count.flatMap(addition) ?? whole(count)
    }
    last = reading
    return reading.snapshot
  }

  /// From now on, what was read last is what is there from before.
  func settle() {
    settled = last
    settled?.count = last?.count?.settled()
  }

  private func count() throws -> ResultSet {
    let horizon = settled?.count.map { "\($0.horizon)" } ?? ""
    return try session.connection.execute(
      "SET LOCAL rivulet.horizon = \(Quote.literal(horizon)); EXECUTE rivulet_count")
  }

  private func whole(_ count: CatalogCount?) throws -> Reading {
    let members = try CatalogReader.extensionMembers(session.connection)
    let draft = try SnapshotDraft(CatalogReader(connection: session.connection, members: members))
    wholeReadings += 1
    return Reading(
      snapshot: SchemaSnapshot(objects: draft.objects), names: draft.names, members: members, count: count)
  }

  /// What is there from before and what was added to it; nil where that is not all.
  private func addition(_ count: CatalogCount) throws -> Reading? {
    guard var reading = settled, let before = reading.count, let added = count.additions(to: before) else {
      return nil
    }
    reading.count = count
    if added.isEmpty { return reading }
    let connection = session.connection
    if !reading.members.allSatisfy(\.isChildless) {
      reading.members = try CatalogReader.extensionMembers(connection)
    }
    let few = try session.prepared.choose(
      try CatalogReader.family(of: added, on: connection), on: connection)
    let draft = try SnapshotDraft(CatalogReader(connection: connection, members: reading.members, few: few))
    for address in few.addresses {
      if let name = reading.names.removeValue(forKey: address) { reading.snapshot.objects[name] = nil }
    }
    reading.snapshot.objects.merge(draft.objects) { $1 }
    reading.names.merge(draft.names) { $1 }
    return reading
  }

  private struct Session {
    let connection: Connection
    let canCount: Bool
    let prepared: PreparedQueries

    init(_ target: ConnectionTarget) throws {
      connection = try Connection(to: target)
      let query = try CatalogCount.query(on: connection)
      canCount = query != nil
      if let query { try connection.execute("PREPARE rivulet_count AS \(query)") }
      prepared = try PreparedQueries(
        ObjectKind.all.map(\.named) + SnapshotDraft.partQueries.map { CatalogReader.statement($0) },
        on: connection)
    }
  }
}

extension CatalogAddress {
  /// Whether nothing can go with it into an extension, as an index goes with its table.
  fileprivate var isChildless: Bool { !["1259", "2606", "1247"].contains(catalog) }
}
