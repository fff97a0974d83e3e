public import Definitions
public import PostgreSQL
import Values

/// Makes derived views from their definitions and keeps them in step with them.
///
/// A live view is a plain view with the reader's rights. A stored one is a table of its name; beside it, in schema
/// `rivulet`, stands a plain view that holds its SELECT, so that the server knows what it depends on, and queues into which
/// triggers on its sources put what has changed.
public struct ViewEngine {
  let definitions: [ViewDefinition]

  /// The views of a project.
  public init(_ definitions: [ViewDefinition]) { self.definitions = definitions }

  /// Brings the views of the database in step with the definitions: makes what is new or has changed, with what stands on
  /// it, and drops what is defined no more. Views whose tables are not there (yet, or any more) are left out and given
  /// back with the reason.
  ///
  /// What is made in the place of another is filled in the same transaction; what is new, right afterwards.
  ///
  /// Throws ``ViewProblem`` where a definition is wrong; nothing is changed then.
  @discardableResult
  public func synchronise(on connection: Connection) throws -> [ViewProblem] {
    let known = try ViewRegister(on: connection)
    let wanted = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, ViewEngine.hash($0)) })
    let gone = known.names.filter { known.hash(of: $0) != wanted[$0] }
    let missing = definitions.filter { known.hash(of: $0.name) == nil }
    if gone.isEmpty && missing.isEmpty { return [] }
    let problems = try connection.transaction {
      let removed = try ViewRemoval(gone, on: connection).run()
      return try make(on: connection, filling: Set(removed))
    }
    for refresh in try refresh(RefreshRequest(.named(try unfilled(on: connection))), on: connection) {
      if let error = refresh.error { throw error }
    }
    return problems
  }

  /// Drops every view that was made; true when there was one. To be called in a transaction.
  public func drop(on connection: Connection) throws -> Bool {
    let known = try ViewRegister(on: connection)
    return try !ViewRemoval(known.names, on: connection).run().isEmpty
  }

  /// Makes every view that is not there and can be made, each after those it stands on, and fills it; gives back those
  /// that cannot, for want of what they read. To be called in a transaction.
  public func make(on connection: Connection) throws -> [ViewProblem] {
    try make(on: connection, filling: Set(definitions.map(\.name)))
  }

  private func make(on connection: Connection, filling filled: Set<String>) throws -> [ViewProblem] {
    let known = try ViewRegister(on: connection)
    var waiting = definitions.filter { known.hash(of: $0.name) == nil }
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
      // As long as something could be made, what stands on it may now be possible.
      if next.isEmpty || next.count == waiting.count { return problems }
      waiting = next
    }
  }

  private func make(_ view: ViewDefinition, isFilled: Bool, on connection: Connection) throws {
    guard view.isStored else {
      return try LiveView(view: view, connection: connection).make(hash: Self.hash(view))
    }
    let stored = StoredView(view: view, connection: connection)
    try stored.make(hash: Self.hash(view))
    if isFilled { try stored.fill() }
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
