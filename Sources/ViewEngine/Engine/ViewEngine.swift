public import Definitions
public import PostgreSQL
import Values

/// Makes derived views from their definitions and keeps them in step with them.
///
/// A live view is a plain view with the reader's rights. A stored one is a table of its name; beside it, in
/// schema `rivulet`, are a plain view that holds its SELECT, so that the server knows what it depends on, and
/// queues into which triggers on its sources put what has changed.
public struct ViewEngine {
  let definitions: [ViewDefinition]
  private let reading: (Set<String>) throws -> [ViewDefinition]

  /// The views of a project.
  public init(_ definitions: [ViewDefinition]) { self.init(definitions) { _ in [] } }

  /// Some views of a project, to be refreshed and nothing else: others would count as defined no more. What
  /// they read is asked for by name.
  public init(_ definitions: [ViewDefinition], reading: @escaping (Set<String>) throws -> [ViewDefinition]) {
    self.definitions = definitions
    self.reading = reading
  }

  /// The views that are known, and those of some names that were not.
  func definitions(with names: Set<String>) throws -> [ViewDefinition] {
    let unread = names.subtracting(definitions.map(\.name))
    return unread.isEmpty ? definitions : try definitions + reading(unread)
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
    let known = try ViewRegister(on: connection)
    let wanted = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, ViewEngine.hash($0)) })
    let gone = known.names.filter { name in
      known.hash(of: name) != wanted[name]
        && !(wanted[name].map { known.isUntied(name, definedAs: $0) } ?? false)
    }
    let missing = definitions.filter { known.hash(of: $0.name) == nil }
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
    let done = try refresh(RefreshRequest(.named(try unfilled(on: connection))), on: connection)
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
    let known = try ViewRegister(on: connection)
    return try !ViewRemoval(known.names, on: connection).dropPlainViews().isEmpty
  }

  /// Makes again what ``release(on:)`` has dropped, as far as it can be made. Stored views whose sources were
  /// altered since, in the transaction at work, are computed again, and so are those that read them; others
  /// keep their rows.
  /// - Throws: ``ViewProblem`` where a view cannot be computed; ``ViewLoss``; `PostgreSQLError`.
  @discardableResult
  public func restore(on connection: Connection) throws -> [ViewProblem] {
    let registered = try RegisteredView.all(on: connection)
    let graph = ViewGraph(registered)
    let altered = try graph.readers(of: AlteredTables(of: Array(registered.values), on: connection).names)
    let removed = try ViewRemoval(altered.sorted(), on: connection).run()
    return try make(on: connection, filling: Set(removed))
  }

  /// Makes every view that is not there and can be made, each after those it reads, and fills those that are
  /// named; returns those that cannot be made, for want of what they read. To be called in a transaction.
  func make(on connection: Connection, filling filled: Set<String>) throws -> [ViewProblem] {
    try retie(on: connection)
    let known = try ViewRegister(on: connection)
    // What cannot be tied to its sources as it was is made again.
    let removed = try ViewRemoval(known.names.filter { known.hash(of: $0) == nil }, on: connection).run()
    let filled = filled.union(removed)
    var waiting = definitions.filter { !known.names.contains($0.name) || removed.contains($0.name) }
    while true {
      var problems: [ViewProblem] = []
      var next: [ViewDefinition] = []
      for view in waiting {
        do {
          try connection.transaction { try make(view, isFilled: filled.contains(view.name), on: connection) }
        } catch let problem as ViewProblem where problem.isMissing {
          problems.append(problem)
          next.append(view)
        }
      }
      // As long as something could be made, what reads it may now be possible.
      if next.isEmpty || next.count == waiting.count { return problems }
      waiting = next
    }
  }

  /// Makes the plain views of stored ones again whose tables are there and were made from the same
  /// definitions.
  private func retie(on connection: Connection) throws {
    let known = try ViewRegister(on: connection)
    for view in definitions where view.isStored && known.isUntied(view.name, definedAs: Self.hash(view)) {
      guard let registered = try RegisteredView.find(view.name, on: connection) else { continue }
      do {
        try connection.transaction {
          let checked = try CheckedView(view, twin: registered.twin, on: connection)
          try StoredView(view: view, connection: connection).requireColumns(of: checked)
        }
      } catch is ViewProblem {
        continue
      }
    }
  }

  private func make(_ view: ViewDefinition, isFilled: Bool, on connection: Connection) throws {
    guard view.isStored else {
      return try LiveView(view: view, connection: connection).make(hash: Self.hash(view))
    }
    try StoredView(view: view, connection: connection).make(hash: Self.hash(view))
    guard isFilled, let registered = try RegisteredView.find(view.name, on: connection) else { return }
    try RefreshTransaction(view: view, registered: registered, connection: connection).fill()
  }

  private func unfilled(on connection: Connection) throws -> [String] {
    try connection.query(
      "SELECT name FROM rivulet.view WHERE strategy <> 'live' AND refreshed_at IS NULL"
    ).rows.map { try $0.value(0) }
  }

  static func hash(_ view: ViewDefinition) -> String {
    var texts = [view.strategy.rawValue, view.description, view.sql(keys: "{keys}")]
    if !view.readers.isEmpty { texts.append("grants \(view.readers.map(\.value))") }
    if view.isStored {
      texts += [
        "key \(view.key.map(\.value)) unique \(view.unique.map(\.value))",
        "indexes \(view.indexes.map { $0.map(\.value) }) owner \(view.ownerColumn?.value ?? "")",
        "fresh_for \(view.freshFor.map { "\($0)" } ?? "")",
      ]
      texts += view.sources.map { source in
        switch source.change {
        case .rebuild: "\(source.name.value) rebuild"
        case .groups(let capture, let keys): "\(source.name.value) \(capture.map(\.value)) \(keys.sql)"
        }
      }
    }
    return SHA256.hex(of: texts.joined(separator: "\n"))
  }
}
