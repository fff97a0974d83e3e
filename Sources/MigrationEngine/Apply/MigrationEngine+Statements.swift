import PostgreSQL
import Progress
import SQLText

/// Runs a section statement by statement, for what PostgreSQL refuses in a transaction. A journal says how
/// far it has come, so that the next try goes on where this one stops.
extension MigrationEngine {
  /// Runs what is not done yet, and gives what ran in batches; settings it leaves behind are the session's until
  /// they are reset.
  func runStatements(of work: SectionWork) throws -> [BatchOutcome] {
    var outcomes: [BatchOutcome] = []
    let entries = try journal.entries(work.kind, work.version, work.direction)
    try work.requireMeaning()
    try work.requireSame(entries)
    try prepareSession(work.section.options)
    let done = Set(entries.filter(\.isDone).map(\.statement))
    try work.requireKept(done)
    for piece in work.pieces.pieces {
      guard let last = piece.statements.last else { continue }
      task?.step(StepState("statement", last + 1, of: work.script.statements.count))
      // A setting is for the statements after it and lasts no longer than the session.
      let open = piece.statements.filter { index in
        work.script.statements[index].isSetting || !done.contains(index + 1)
      }
      if piece.isTransaction {
        if !open.isEmpty { try runTogether(open, piece.modes, work) }
      } else if let index = open.first {
        let statement = work.script.statements[index]
        let entry = entries.first { $0.statement == index + 1 }
        if let mark = work.batch(of: statement) {
          outcomes.append(try runBatches(statement, index, mark, work, from: entry?.batch))
        } else {
          try run(statement, index, work, wasBegun: entry != nil)
        }
      }
    }
    return outcomes
  }

  private func prepareSession(_ options: Migration.Options) throws(PostgreSQLError) {
    try connection.execute(try path.setting("", options.schema ?? options.runIn))
    if let timeout = options.statementTimeout {
      try connection.execute("SET statement_timeout = \(Quote.literal(timeout))")
    }
  }

  private func run(_ statement: SQLStatement, _ index: Int, _ work: SectionWork, wasBegun: Bool) throws {
    do {
      // One that was begun and not ended ran alone.
      if statement.isRefusedInTransaction || wasBegun {
        return try runAlone(statement, index, work, wasBegun: wasBegun)
      }
      do {
        try runInTransaction(statement, index, work)
      } catch let error as PostgreSQLError
        where error.isRefusalInTransaction && statement.mayRefuseTransaction
      {
        // What only the server knows: a partitioned table's REINDEX, a procedure that commits.
        try runAlone(statement, index, work, wasBegun: false)
      }
    } catch let error as PostgreSQLError {
      throw work.failure(error, statement: index, sent: statement.range)
    }
  }

  private func runInTransaction(_ statement: SQLStatement, _ index: Int, _ work: SectionWork) throws {
    try lockRetry.run { wait in
      try connection.transaction {
        try allow(wait, isLocal: true, before: index, of: work)
        try work.run(statement, on: connection)
        try observer?.didRun(statement, of: work, on: connection)
        try record(index, work, isDone: true)
      }
    }
  }

  /// Runs what the script has in a transaction of its own.
  private func runTogether(_ statements: [Int], _ modes: String, _ work: SectionWork) throws {
    do {
      try lockRetry.run { wait in
        try connection.transaction { try runAll(statements, modes, work, wait) }
      }
    } catch PostgreSQLError.server(let error) {
      // What only the commit finds.
      throw work.failureAtCommit(error)
    }
  }

  private func runAll(_ statements: [Int], _ modes: String, _ work: SectionWork, _ wait: TimeSpan) throws {
    if !modes.isEmpty { try connection.execute("SET TRANSACTION \(modes)") }
    for index in statements {
      let statement = work.script.statements[index]
      do {
        try allow(wait, isLocal: true, before: index, of: work)
        try work.run(statement, on: connection)
      } catch {
        throw work.failure(error, statement: index, sent: statement.range)
      }
      try observer?.didRun(statement, of: work, on: connection)
    }
    // As the last of it: they are written as ourselves.
    for index in statements { try record(index, work, isDone: true) }
  }

  private func record(_ index: Int, _ work: SectionWork, isDone: Bool) throws {
    let checksum = work.checksum(work.script.statements[index])
    try journal.record(work, statement: index + 1, checksum: checksum, isDone: isDone)
  }

  /// How long the statement may wait for a lock, unless the section has set that itself.
  func allow(_ wait: TimeSpan, isLocal: Bool, before index: Int, of work: SectionWork)
    throws(PostgreSQLError)
  {
    guard !work.setsLockTimeout(before: index) else { return }
    let timeout = Quote.literal(work.section.options.wait(wait).text)
    try connection.execute("SET \(isLocal ? "LOCAL " : "")lock_timeout = \(timeout)")
  }

  /// Runs what no transaction can hold, and records before that it begins and after that it is done.
  private func runAlone(_ statement: SQLStatement, _ index: Int, _ work: SectionWork, wasBegun: Bool) throws {
    let recovery = StatementRecovery(connection: connection, statement: statement)
    try record(index, work, isDone: false)
    if try !(wasBegun && recovery.isDone()) {
      if wasBegun { try retryingLocks(statement, index, work) { try recovery.clean() } }
      let before = try recovery.invalidIndexes()
      do {
        try retryingLocks(statement, index, work) {
          do {
            try connection.execute(statement.text)
          } catch {
            // Before another try, which its own leftover would keep from succeeding.
            if connection.isUsable { try? recovery.clean(sparing: before) }
            throw error
          }
        }
      } catch {
        if connection.isUsable { cleanUp(after: index, work, recovery, before) }
        throw error
      }
      try observer?.didRun(statement, of: work, on: connection)
    }
    try record(index, work, isDone: true)
  }

  private func retryingLocks(
    _ statement: SQLStatement, _ index: Int, _ work: SectionWork, _ body: () throws -> Void
  ) throws {
    try retry(for: statement).run { wait in
      try allow(wait, isLocal: false, before: index, of: work)
      try body()
    }
  }

  /// What blocks neither readers nor writers while it waits may wait as long as all tries together.
  private func retry(for statement: SQLStatement) -> LockRetry {
    guard statement.words.contains("CONCURRENTLY"), lockRetry.total > 0 else { return lockRetry }
    return LockRetry(
      timeout: TimeSpan(seconds: lockRetry.total), total: lockRetry.total, watch: watch,
      report: lockRetry.report)
  }

  /// After a failure: what the statement has left behind is no use to anybody, and it is not under way any
  /// more.
  ///
  /// The failure is what the user has to hear of; what cannot be cleaned now stays recorded, and the next try
  /// sees to it.
  private func cleanUp(
    after index: Int, _ work: SectionWork, _ recovery: StatementRecovery, _ before: Set<String>
  ) {
    do {
      try recovery.clean(sparing: before)
      if try recovery.isHalfDone() { return }
      try journal.forget(work, statement: index + 1)
    } catch {
      tell("an invalid index may be left, since the table is in use; the next try drops it")
    }
  }
}

extension PostgreSQLError {
  /// The statement cannot run in a transaction (25001), or ends one that is not its own (2D000).
  var isRefusalInTransaction: Bool { sqlState == "25001" || sqlState == "2D000" }
}

extension SectionWork {
  /// Whether a statement before this one sets `lock_timeout`.
  fileprivate func setsLockTimeout(before index: Int) -> Bool {
    script.statements.prefix(index).contains { $0.isSetting && $0.words.prefix(3).contains("LOCK_TIMEOUT") }
  }
}

extension SQLStatement {
  /// Whether only the server knows if a transaction can hold it.
  var mayRefuseTransaction: Bool {
    ["CALL", "DO", "REINDEX", "CLUSTER", "ALTER"].contains(keyword)
  }
}
