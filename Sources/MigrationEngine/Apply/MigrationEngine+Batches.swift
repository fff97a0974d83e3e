import Host
import PostgreSQL
import Progress
import SQLText

/// Runs a statement over ranges of a key, each in a transaction of its own that also records the last key which is
/// done: killed at any moment, it goes on after that.
extension MigrationEngine {
  func runBatches(
    _ statement: SQLStatement, _ index: Int, _ mark: BatchMark, _ work: SectionWork, from begun: BatchState?
  )
    throws -> BatchOutcome
  {
    let key = try BatchKey(mark, of: work.section, on: connection)
    var state = try begun ?? BatchState(totalRows: BatchKey.rows(of: key.table, on: connection).number)
    do {
      let position = try position(of: key, mark, index, work)
      try runBatches(statement, index, mark, work, key, from: position, &state)
    } catch  where Interruption.shared.isRaised && state.batches > 0 {
      let count = state.batches == 1 ? "1 batch" : "\(state.batches) batches"
      throw Interrupted(
        "\(count) of \(key.table) stay\(state.batches == 1 ? "s" : "") done, "
          + "and 'rivulet migrate \(work.direction.rawValue)' goes on after that")
    } catch PostgreSQLError.server(var error) {
      // Its place is in a query for keys.
      error.position = nil
      throw work.failure(.server(error), statement: index, sent: statement.range)
    }
    return BatchOutcome(table: key.table, rows: state.changedRows, batches: state.batches)
  }

  /// Where the statement goes on, or what lies before it.
  private func position(of key: BatchKey, _ mark: BatchMark, _ index: Int, _ work: SectionWork) throws
    -> BatchPosition
  {
    var position =
      try journal.position(work, statement: index + 1) ?? BatchPosition(types: key.types)
    guard position.types == key.types else {
      throw work.section.unfit(
        mark.place,
        "the key of \(key.table) has another type or collation than when a part of the rows was done: then "
          + "\(position.types.joined(separator: ", ")), now \(key.types.joined(separator: ", "))",
        "change it back, and change it when the migration is through")
    }
    if position.end == nil { position.end = try key.greatest(on: connection) }
    return position
  }

  private func runBatches(
    _ statement: SQLStatement, _ index: Int, _ mark: BatchMark, _ work: SectionWork, _ key: BatchKey,
    from begun: BatchPosition, _ state: inout BatchState
  ) throws {
    var position = begun
    var size = BatchSize(mark.size)
    var lag = StandbyLag(connection, limit: mark.maxLag, tell: tell)
    let part = task?.part(key.table)
    part?.begin(atRow: state.rows, of: state.totalRows)
    defer { part?.end() }
    while true {
      try Interruption.shared.check()
      try lag.wait()
      let upper = try key.end(of: size.rows, of: position, on: connection)
      let range = key.range(after: position.last, upTo: upper ?? position.end)
      let filled = BatchPlace.filled(statement, mark, with: range.condition)
      var next = state
      next.batches += 1
      next.rows = upper == nil ? max(state.rows, state.totalRows ?? 0) : state.rows + size.rows
      position.last = upper
      let (changed, hasKeptWaiting) = try run(
        filled, statement, index, work, next, position: upper == nil ? nil : position)
      next.changedRows += changed
      state = next
      part?.note(bytes: nil, rows: state.rows)
      if upper == nil { return }
      if hasKeptWaiting && size.isFull {
        tell("other sessions waited for a batch of \(key.table): the next ones are smaller")
      }
      size.adapt(hasKeptWaiting: hasKeptWaiting)
      if let pause = mark.pause { try Interruption.shared.sleep(seconds: pause.seconds) }
    }
  }

  /// Runs one batch and records it; gives how many rows it has changed, and whether others have waited for it.
  private func run(
    _ filled: FilledText, _ statement: SQLStatement, _ index: Int, _ work: SectionWork, _ before: BatchState,
    position: BatchPosition?
  ) throws -> (changed: Int, hasKeptWaiting: Bool) {
    var retry = lockRetry
    (retry.others, retry.extent) = ([.deadlock, .serialization], "the batch")
    return try retry.run { wait in
      do {
        return try connection.transaction(settings: BatchKey.allRows) {
          try allow(wait, isLocal: true, before: index, of: work)
          let changed = try connection.execute(filled.text).affectedRows
          try observer?.didRun(statement, of: work, on: connection)
          let keepsWaiting = try keepsOthersWaiting()
          var state = before
          state.changedRows += changed
          try journal.record(
            work, statement: index + 1, checksum: work.checksum(statement), isDone: position == nil,
            batch: state, position: position)
          return (changed, keepsWaiting)
        }
      } catch let error as PostgreSQLError {
        throw work.failure(error, statement: index, sent: statement.range, range: filled)
      }
    }
  }

  /// Whether a session waits for what this transaction has locked.
  private func keepsOthersWaiting() throws -> Bool {
    try connection.query(
      """
      SELECT EXISTS (SELECT FROM (SELECT DISTINCT pid FROM pg_catalog.pg_locks WHERE NOT granted) AS waiting
        WHERE pg_catalog.pg_backend_pid() = ANY (pg_catalog.pg_blocking_pids(pid)))
      """)[0].value(0)
  }

  /// What a batch statement will do in this database, as far as it is known.
  func plannedBatches(_ statement: SQLStatement, _ mark: BatchMark, _ work: SectionWork) throws
    -> PlannedBatches
  {
    let name = try BatchFacts(of: mark, on: connection).table
    return PlannedBatches(
      statement: work.firstLine(of: statement), table: name ?? mark.table.description,
      rows: try name.map { try BatchKey.rows(of: $0, on: connection) } ?? .unknown, size: mark.size,
      deletesRows: statement.words.contains("DELETE"))
  }
}

extension BatchKey {
  /// How many rows a table has: counted where they are few, else by the server's statistics.
  static func rows(of table: String, on connection: Connection) throws -> DataLoss.Rows {
    try .counted(in: table, estimate: KnownRelations.sizes(connection)[table], on: connection)
  }
}

extension DataLoss.Rows {
  /// The number; nil where it is not known.
  fileprivate var number: Int? {
    switch self {
    case .counted(let rows), .about(let rows): rows
    case .moreThan, .unknown: nil
    }
  }
}
