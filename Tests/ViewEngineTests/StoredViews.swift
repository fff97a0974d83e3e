import Catalog
import Foundation
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

@testable import Definitions

/// A database of a test's own with sources, and views over them that are defined by files as a user writes
/// them.
struct StoredViews {
  let database: TestDatabase
  /// The connection that makes and refreshes.
  let connection: Connection
  private(set) var definitions: [ViewDefinition] = []

  /// The catalog, the sources and no view.
  init(_ sources: String) throws {
    database = try TestServer.shared.makeDatabase()
    connection = try database.connect()
    try Catalog.prepare(connection)
    try connection.execute("INSERT INTO rivulet.setting VALUES ('time_zone', 'UTC')")
    try connection.execute(sources)
  }

  var engine: ViewEngine { ViewEngine(definitions) }

  /// Reads a definition; throws every mistake that is found in its text.
  static func read(_ name: String, _ text: String) throws -> ViewDefinition {
    let file = DefinitionFile("Pipelines/test/views/\(name).sql")
    let view = ViewDefinition(Array(text.utf8), named: name, in: file)
    try file.check()
    return try #require(view)
  }

  /// Defines a view or another under its name; `header` and `select` without the comment's first and last
  /// line.
  mutating func define(_ name: String, _ header: String, _ select: String) throws {
    try define(name, text: "/* rivulet view\n\(header)\n*/\n\(select)\n")
  }

  /// Defines a view of the amounts of each owner in a source, or another under its name.
  mutating func defineByOwner(_ name: String, of source: String, _ amount: String = "sum(amount)") throws {
    try define(
      name,
      """
      strategy: incremental
      description: Amounts by owner
      key: [owner]
      sources:
        \(source): {capture: [owner], keys: SELECT owner FROM changed}
      """, "SELECT k.owner, \(amount)::int AS amount FROM {keys} k JOIN \(source) s USING (owner) GROUP BY 1")
  }

  /// Defines a view or another under its name by the whole of its file.
  mutating func define(_ name: String, text: String) throws {
    let view = try Self.read(name, text)
    definitions.removeAll { $0.name == name }
    definitions.append(view)
  }

  /// Takes a definition away.
  mutating func forget(_ name: String) { definitions.removeAll { $0.name == name } }

  /// Makes what is defined, and fills it.
  func make() throws {
    let problems = try engine.synchronise(on: connection)
    try #require(problems.isEmpty, "\(problems)")
    try refresh()
  }

  /// Refreshes; fails where a view could not be.
  @discardableResult
  func refresh(_ request: RefreshRequest = RefreshRequest()) throws -> [ViewRefresh] {
    let refreshed = try engine.refresh(request, on: connection)
    for view in refreshed {
      try #require(!view.hasFailed, "\(view.view) \(view.outcome): \(String(describing: view.error))")
    }
    return refreshed
  }

  /// What the last refresh did to one view.
  func refresh(of name: String, _ request: RefreshRequest = RefreshRequest()) throws -> ViewRefresh {
    try #require(try refresh(request).first { $0.view == name })
  }

  /// The first column of the first row.
  func value(_ sql: String) throws -> String? { try connection.execute(sql).first?[0] }

  /// How many rows wait in the queues of a view, counted in the queues themselves.
  func pending(_ view: String) throws -> Int {
    let queues = try connection.query(
      "SELECT queue FROM rivulet.view_source WHERE view = $1 AND queue IS NOT NULL", [.text(view)])
    return try queues.rows.reduce(0) {
      try $0 + connection.execute("SELECT count(*) FROM \($1[0] ?? "")")[0].value(0, Int.self)
    }
  }

  /// The rows in which a stored view differs from its SELECT run now, as text and each as often as it does.
  ///
  /// `keys` is every group, as the test itself would ask for them: an expression for `FROM`.
  func differences(of name: String, keys: String = "", on other: Connection? = nil) throws -> [String] {
    let view = try #require(definitions.first { $0.name == name })
    return try (other ?? connection).execute(Self.comparison(of: view, keys: keys)).rows.map {
      "\(name) \($0[0] ?? "")"
    }
  }

  /// Gives each differing row as `missing (..)` or `too much (..)`, and all of it as text so that 1.0 is not
  /// 1.00.
  private static func comparison(of view: ViewDefinition, keys: String) -> String {
    let name = Quote.qualified(view.name)
    return """
      WITH fresh AS MATERIALIZED (SELECT f::text AS line FROM (
      \(view.sql(keys: keys))
      ) f), stored AS MATERIALIZED (SELECT s::text AS line FROM \(name) s)
      SELECT 'missing ' || line FROM (SELECT line FROM fresh EXCEPT ALL SELECT line FROM stored) a
      UNION ALL SELECT 'too much ' || line FROM (SELECT line FROM stored EXCEPT ALL SELECT line FROM fresh) b
      """
  }
}
