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
    var lower = try journal.lastKey(work, statement: index + 1)
    var size = BatchSize(mark.size)
    var lag = StandbyLag(connection, limit: mark.maxLag, tell: tell)
    let part = task?.part(key.table)
    part?.begin(atRow: state.rows, of: state.totalRows)
    defer { part?.end() }
    repeat {
      try Interruption.shared.check()
      try lag.wait()
      let upper = try key.end(of: size.rows, after: lower, on: connection)
      let range = BatchRange(lower: lower.map(key.literals), upper: upper.map(key.literals))
      let filled = BatchPlace.filled(statement, mark, with: range.condition)
      state.batches += 1
      state.rows = upper == nil ? max(state.rows, state.totalRows ?? 0) : state.rows + size.rows
      let (changed, hasKeptWaiting) = try run(filled, statement, index, work, state, lastKey: upper)
      state.changedRows += changed
      part?.note(bytes: nil, rows: state.rows)
      if hasKeptWaiting && size.isFull {
        tell("other sessions waited for a batch of \(key.table): the next ones are smaller")
      }
      size.adapt(hasKeptWaiting: hasKeptWaiting)
      lower = upper
      if let pause = mark.pause, upper != nil { try Interruption.shared.sleep(seconds: pause.seconds) }
    } while lower != nil
    return BatchOutcome(table: key.table, rows: state.changedRows, batches: state.batches)
  }

  /// Runs one batch and records it; gives how many rows it has changed, and whether others have waited for it.
  private func run(
    _ filled: FilledText, _ statement: SQLStatement, _ index: Int, _ work: SectionWork, _ before: BatchState,
    lastKey: [String]?
  ) throws -> (changed: Int, hasKeptWaiting: Bool) {
    var retry = lockRetry
    (retry.others, retry.extent) = ([.deadlock, .serialization], "the batch")
    return try retry.run { wait in
      do {
        return try connection.transaction {
          try allow(wait, isLocal: true, before: index, of: work)
          let changed = try connection.execute(filled.text).affectedRows
          try observer?.didRun(statement, of: work, on: connection)
          let keepsWaiting = try keepsOthersWaiting()
          var state = before
          state.changedRows += changed
          try journal.record(
            work, statement: index + 1, checksum: work.checksum(statement), isDone: lastKey == nil,
            batch: state, lastKey: lastKey)
          return (changed, keepsWaiting)
        }
      } catch let error as PostgreSQLError {
        throw work.failure(error, statement: index, isAlone: true, range: filled)
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
    let name = try connection.query(
      """
      SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE c.oid = to_regclass($1)
      """, [.text(mark.table.quoted)]
    ).first?[0]
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
