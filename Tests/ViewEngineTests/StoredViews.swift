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
  /// The text of the file of each, by its name.
  private var texts: [String: String] = [:]

  /// The catalog, the schemas `app` and `mart`, the sources and no view.
  ///
  /// `database`: an empty one; one of the server of all tests when nil.
  init(_ sources: String, in database: TestDatabase? = nil) throws {
    self.database = try database ?? TestServer.shared.makeDatabase()
    connection = try self.database.connect()
    try Catalog.prepare(connection)
    try connection.execute("INSERT INTO rivulet.setting VALUES ('time_zone', 'UTC')")
    try connection.execute("CREATE SCHEMA app; CREATE SCHEMA mart; \(sources)")
  }

  /// Views that a database has already.
  init(_ definitions: [ViewDefinition], in database: TestDatabase, by connection: Connection) {
    (self.definitions, self.database, self.connection) = (definitions, database, connection)
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

  /// Defines a view that is computed as a whole, or another under its name.
  mutating func define(_ name: String, fullBy key: String, _ select: String) throws {
    try define(name, "strategy: full\ndescription: Rows\nkey: [\(key)]", select)
  }

  /// Defines an incremental view, or another under its name. Where nothing else is said, the columns of its key
  /// are its source's, and captured; `more` is lines of the header.
  mutating func define(
    _ name: String, by key: String, of source: String = "app.item", capture: String? = nil,
    keys: String? = nil, with more: String = "", _ select: String
  ) throws {
    let header = """
      strategy: incremental
      description: Rows by key
      key: [\(key)]
      rebuild_share: 100%
      sources:
        \(source): {capture: [\(capture ?? key)], keys: '\(keys ?? "SELECT \(key) FROM changed")'}
      \(more)
      """
    try define(name, header, select)
  }

  /// Defines a view of the amounts of each owner in a source, or another under its name.
  mutating func defineByOwner(_ name: String, of source: String, _ amount: String = "sum(amount)") throws {
    try define(
      name, by: "owner", of: source,
      "SELECT k.owner, \(amount)::int AS amount FROM {keys} k JOIN \(source) s USING (owner) GROUP BY 1")
  }

  /// Defines a view or another under its name by the whole of its file.
  mutating func define(_ name: String, text: String) throws {
    let view = try Self.read(name, text)
    definitions.removeAll { $0.name == name }
    definitions.append(view)
    texts[name] = text
  }

  /// Writes a project with these views, for the program.
  func writeProject(to folder: Scratch) throws {
    try folder.write("rivulet.yaml", "project: test\ntime_zone: UTC\n")
    try folder.write(
      "Pipelines/test/pipeline.yaml",
      """
      pipeline: test
      release:
        from: [{in: archive-name, pattern: 'test(\\d{4})', name: '$1'}]
        effective: [{pattern: '(\\d{4})', from: '$1-01-01'}]
      sources:
        - {name: tests, entries: '*', formats: [csv], layouts: tests, target: app.test, key: [id]}
      publish: release

      """)
    try folder.write(
      "Pipelines/test/layouts/tests.yaml",
      """
      layout: tests
      versions:
        - version: '2020'
          columns:
            - {name: id, csv: ID, type: text}

      """)
    for (name, text) in texts { try folder.write("Pipelines/test/views/\(name).sql", text) }
  }

  /// Takes a definition away.
  mutating func forget(_ name: String) {
    definitions.removeAll { $0.name == name }
    texts[name] = nil
  }

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

  /// Expects a stored view to equal its SELECT run now.
  ///
  /// `keys` is every group, an expression for `FROM`; nil for what the sources' own rows mean by the
  /// definition.
  func expectExact(
    _ name: String, keys: String? = nil, _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try differences(of: name, keys: keys) == [], comment, sourceLocation: location)
  }

  /// Refreshes, and expects so much of a stored view to be computed and the view to equal its SELECT.
  func expectExact(
    _ name: String, keys: String? = nil, refreshed kind: ViewRefresh.Kind, _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try refresh(of: name).kind == kind, comment, sourceLocation: location)
    try expectExact(name, keys: keys, comment, at: location)
  }

  /// Expects a stored view to equal its SELECT after each of some changes and an incremental refresh.
  func expectExact(
    _ name: String, keys: String? = nil, afterEach changes: [String],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for change in changes {
      try connection.execute(change)
      try expectExact(name, keys: keys, refreshed: .incremental, "\(change)", at: location)
    }
  }

  /// The rows in which a stored view differs from its SELECT run now, as text and each as often as it does.
  func differences(of name: String, keys: String? = nil) throws -> [String] {
    let view = try #require(definitions.first { $0.name == name })
    let comparison = Self.comparison(of: view, keys: keys ?? Self.groups(of: view))
    return try connection.execute(comparison).rows.map { "\(name) \($0[0] ?? "")" }
  }

  /// What the own rows of a view's sources mean by its definition, an expression for `FROM`.
  static func groups(of view: ViewDefinition) -> String {
    if view.key.isEmpty { return "(SELECT)" }
    let columns = view.key.map(\.value).joined(separator: ", ")
    let parts = view.sources.compactMap { source in
      guard case .groups(let capture, let keys) = source.change else { return nil as String? }
      let captured = capture.map { Quote.identifier($0.value) }.joined(separator: ", ")
      let rows = "WITH changed AS (SELECT \(captured) FROM \(source.name.value)) \(keys.sql)"
      return "SELECT * FROM (\(rows)\n) found(\(columns))"
    }
    return "(SELECT DISTINCT * FROM (\(parts.joined(separator: " UNION "))) own)"
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
