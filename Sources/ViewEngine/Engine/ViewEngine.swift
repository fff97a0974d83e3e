public import Definitions
public import PostgreSQL
public import Progress

/// Makes derived views from their definitions and keeps them in step with them.
///
/// A live view is a plain view with the reader's rights. A stored one is a table of its name; beside it, in
/// schema `rivulet`, are a plain view that holds its SELECT, so that the server knows what it depends on, and
/// queues into which triggers on its sources put what has changed.
public struct ViewEngine {
  /// The setting, in `rivulet.setting`, by which a project asks for changes of distributed tables to be captured on
  /// their shards: `shards`.
  public static let captureSetting = ShardedSource.setting

  let definitions: [ViewDefinition]
  /// How far the refresh at work has come.
  public let progress = WorkProgress(of: "views")
  /// Those of some names that are not among them.
  let reading: (Set<String>) throws -> [ViewDefinition]

  /// The views of a project.
  public init(_ definitions: [ViewDefinition]) { self.init(definitions) { _ in [] } }

  /// Some views of a project, to be refreshed and nothing else: others would count as defined no more. What
  /// they read is asked for by name.
  public init(_ definitions: [ViewDefinition], reading: @escaping (Set<String>) throws -> [ViewDefinition]) {
    self.definitions = definitions
    self.reading = reading
  }

  /// Brings the views of the database in step with the definitions: makes what is new or has changed, with
  /// what reads it, and drops what is defined no more. Views whose tables are not there (yet, or any more)
  /// are left out and returned with the reason.
  ///
  /// What is made in the place of another is filled in the same transaction; what is new, or could not be
  /// filled before, right afterwards.
  ///
  /// - Throws: ``ViewProblem`` where a definition is wrong, ``ViewLoss`` where a view cannot be made again
  ///   without a loss; nothing is changed then. The error of a view that cannot be filled, or
  ///   ``UnfilledViews`` where several cannot; they are made then, and empty. `PostgreSQLError`.
  @discardableResult
  public func synchronise(on connection: Connection) throws -> [ViewProblem] {
    let known = try RegisteredView.all(on: connection)
    let wanted = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, $0.digest) })
    let gone = known.values.filter { $0.state == .broken || $0.hash != wanted[$0.name] }.map(\.name).sorted()
    let missing = definitions.filter { known[$0.name]?.state != .whole }
    var problems: [ViewProblem] = []
    if !gone.isEmpty || !missing.isEmpty {
      problems = try connection.transaction(settings: "SET LOCAL lock_timeout = '10s'") {
        let removed = try ViewRemoval(gone, on: connection).run()
        return try make(on: connection, filling: Set(removed))
      }
    }
    try forget(on: connection)
    try fill(on: connection)
    return problems
  }

  /// Forgets what was kept of views that are defined no more: another one of the same name is not theirs.
  private func forget(on connection: Connection) throws {
    for table in ["view_grant", "view_setting"] {
      try connection.query(
        "DELETE FROM rivulet.\(table) WHERE view <> ALL ($1)", [.textArray(definitions.map(\.name))])
    }
  }

  /// Fills what was made and has never been filled, since now or since an earlier attempt that failed.
  private func fill(on connection: Connection) throws {
    let unfilled: [String] = try connection.query(
      "SELECT name FROM rivulet.view WHERE strategy <> 'live' AND refreshed_at IS NULL"
    ).rows.map { try $0.value(0) }
    let done = try refresh(RefreshRequest(.named(unfilled)), on: connection)
    let failures = done.filter { $0.outcome == .failed }.compactMap { refresh in
      refresh.error.map { UnfilledViews.Failure(view: refresh.view, error: $0) }
    }
    guard let first = failures.first else { return }
    throw failures.count == 1 ? first.error : UnfilledViews(first: first, others: Array(failures.dropFirst()))
  }

  /// Drops what a migration cannot alter tables under: plain views, and of stored ones what ties them to
  /// their sources, but not their rows. True when there was anything. To be called in a transaction.
  /// - Throws: ``ViewLoss`` where a plain view cannot be made again without a loss; `PostgreSQLError`.
  public func release(on connection: Connection) throws -> Bool {
    let known = try RegisteredView.all(on: connection).keys.sorted()
    return try !ViewRemoval(known, on: connection).dropPlainViews().isEmpty
  }

  /// Drops the stored views that are computed from some tables, and what reads them; ``synchronise(on:)`` makes them
  /// again, as these are by then. To be called in a transaction.
  /// - Throws: ``ViewLoss`` where one cannot be made again without a loss; `PostgreSQLError`.
  public func remove(reading tables: [String], on connection: Connection) throws {
    let readers = ViewGraph(try RegisteredView.all(on: connection)).readers(of: tables)
    try ViewRemoval(readers.sorted(), on: connection).run()
  }

  /// Makes again what ``release(on:)`` has dropped, as far as it can be made. Stored views whose sources were
  /// altered since, in the transaction at work, are computed again, and so are those that read them; others
  /// keep their rows.
  /// - Throws: ``ViewProblem`` where a view cannot be computed; ``ViewLoss``; `PostgreSQLError`.
  @discardableResult
  public func restore(on connection: Connection) throws -> [ViewProblem] {
    let registered = try RegisteredView.all(on: connection)
    let sources = Set(registered.values.flatMap(\.sources).map(\.name)).sorted()
    // What changes a table's form takes it for itself, and no trigger sees what became of its rows.
    let altered: [String] = try connection.query(
      """
      SELECT n FROM unnest($1::text[]) n WHERE rivulet.relation(n) IS NULL OR EXISTS (
        SELECT FROM pg_locks l WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation'
          AND l.relation = rivulet.relation(n) AND l.mode = 'AccessExclusiveLock')
      """, [.textArray(sources)]
    ).rows.map { try $0.value(0) }
    let readers = ViewGraph(registered).readers(of: altered).sorted()
    return try make(on: connection, filling: Set(try ViewRemoval(readers, on: connection).run()))
  }

  /// Makes every view that is not there and can be made, each after those it reads, and fills those that are
  /// named; returns those that cannot be made, for want of what they read. To be called in a transaction.
  func make(on connection: Connection, filling filled: Set<String>) throws -> [ViewProblem] {
    try retie(on: connection)
    let known = try RegisteredView.all(on: connection)
    // What cannot be tied to its sources as it was is made again.
    let broken = known.values.filter { $0.state != .whole }.map(\.name).sorted()
    let removed = try ViewRemoval(broken, on: connection).run()
    let filled = filled.union(removed)
    let waiting = definitions.filter { known[$0.name] == nil || removed.contains($0.name) }
    return try inTurns(waiting, on: connection, leavingOut: \.isMissing) { view in
      try make(view, isFilled: filled.contains(view.name), on: connection)
    }
  }

  /// Does something for each of some views, whatever their order: for those that are left out again, as long as
  /// something could be done that they may wait for. Gives what is wrong with those that are left in the end.
  func inTurns(
    _ views: [ViewDefinition], on connection: Connection, leavingOut isLeftOut: (ViewProblem) -> Bool,
    _ body: (ViewDefinition) throws -> Void
  ) throws -> [ViewProblem] {
    var waiting = views
    while true {
      var problems: [ViewProblem] = []
      for view in waiting {
        do {
          try connection.transaction { try body(view) }
        } catch let problem as ViewProblem where isLeftOut(problem) {
          problems.append(problem)
        }
      }
      if problems.isEmpty || problems.count == waiting.count { return problems }
      waiting = waiting.filter { view in problems.contains { $0.view == view.name } }
    }
  }

  /// Makes the plain views of stored ones again whose tables are there and were made from the same
  /// definitions.
  private func retie(on connection: Connection) throws {
    let known = try RegisteredView.all(on: connection)
    for view in definitions {
      guard let registered = known[view.name], registered.state == .untied,
        registered.hash == view.digest
      else { continue }
      do {
        try connection.transaction {
          let checked = try CheckedView(view, twin: registered.twin, on: connection)
          try MadeView(view: view, connection: connection).requireColumns(of: checked)
          try StoredSums.known(of: registered, view, on: connection)?.requireAsMade(checked)
        }
      } catch is ViewProblem {
        continue
      }
    }
  }

  private func make(_ view: ViewDefinition, isFilled: Bool, on connection: Connection) throws {
    try MadeView(view: view, connection: connection).make()
    guard isFilled, view.isStored, let registered = try RegisteredView.find(view.name, on: connection) else {
      return
    }
    try RefreshTransaction(view: view, registered: registered, connection: connection).fill()
  }
}
