import PostgreSQL

/// A session that runs ``RandomChanges`` and takes it as given that others are in its way.
struct RandomSession {
  /// What became of its transactions.
  struct Tally: Sendable {
    var committed = 0
    var rolledBack = 0
    var held = 0
    /// Statements that another session's transaction stood in the way of.
    var conflicts = 0
  }

  private(set) var tally = Tally()
  var changes: RandomChanges
  private let connection: Connection
  private var isHeld = false

  /// A session that waits for another one's locks for so long, as PostgreSQL writes it.
  init(
    _ connection: Connection, seed: UInt64, of family: RandomChanges.Family? = nil, lockTimeout: String
  ) throws {
    self.connection = connection
    changes = RandomChanges(seed: seed, of: family)
    try connection.execute("SET lock_timeout = '\(lockTimeout)'; SET deadlock_timeout = '50ms'")
  }

  /// Runs one transaction, again where others stood in its way; three times at most.
  mutating func run() throws {
    let transaction = changes.transaction()
    for _ in 0..<3 where try attempt(transaction) {
      if try end(byCommit: transaction.commits) { return }
    }
  }

  /// Begins a transaction and leaves it open.
  mutating func hold() throws {
    let isWild = changes.isWild
    // What locks whole tables would keep everybody waiting.
    changes.isWild = false
    defer { changes.isWild = isWild }
    isHeld = try attempt(changes.transaction())
    if isHeld { tally.held += 1 }
  }

  /// Ends what ``hold()`` left open.
  mutating func release() throws {
    guard isHeld else { return }
    isHeld = false
    try end(byCommit: changes.commitsHeld())
  }

  /// Ends the transaction at work; false where another session stood in the way.
  @discardableResult
  private mutating func end(byCommit commits: Bool) throws -> Bool {
    do {
      try connection.execute(commits ? "COMMIT" : "ROLLBACK")
      if commits { tally.committed += 1 } else { tally.rolledBack += 1 }
      return true
    } catch {
      try forgive(error)
      return false
    }
  }

  /// Runs a transaction up to its end; false, with nothing left of it, where another session stood in the
  /// way.
  private mutating func attempt(_ transaction: RandomChanges.Transaction) throws -> Bool {
    do {
      try connection.execute("BEGIN ISOLATION LEVEL \(transaction.isolation)")
      for step in transaction.steps { try run(step) }
      return true
    } catch {
      try forgive(error)
      return false
    }
  }

  private func run(_ step: RandomChanges.Step) throws {
    switch step {
    case .sql(let sql): try connection.execute(sql)
    case .copy(let table, let columns, let lines):
      let text = Array((lines.joined(separator: "\n") + "\n").utf8)
      try connection.copy(into: table, columns: columns) { try $0.raw(text.span) }
    }
  }

  private mutating func forgive(_ error: any Error) throws {
    guard let state = (error as? PostgreSQLError)?.sqlState, RandomSession.isConflict(state) else {
      throw error
    }
    try connection.execute("ROLLBACK")
    tally.conflicts += 1
  }

  /// Keys that are there or gone by now, a row that moved, locks, and tables that another session has
  /// dropped.
  static func isConflict(_ state: String) -> Bool {
    state.hasPrefix("23") || state.hasPrefix("40")
      || ["55P03", "42P01", "21000", "XX000", "42809", "55006"].contains(state)
  }
}
