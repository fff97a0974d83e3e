import Catalog
import PostgreSQL
import TestSupport
import Testing

@testable import ViewEngine

/// What a refresh asks first is what the whole query would say, and is enough where nothing has changed.
@Suite("The tables that were noted under a source")
struct NotedTablesTests {
  private func connection(_ schema: String) throws -> (Connection, RegisteredView) {
    let connection = try TestServer.shared.makeDatabase().connect()
    try Catalog.prepare(connection)
    try connection.execute(
      """
      SET search_path = public;
      CREATE SCHEMA IF NOT EXISTS \(schema);
      CREATE TABLE \(schema).visit (id int, day date) PARTITION BY LIST (id);
      CREATE TABLE \(schema).visit_1 PARTITION OF \(schema).visit FOR VALUES IN (1);
      CREATE TABLE \(schema).visit_2 PARTITION OF \(schema).visit FOR VALUES IN (2) PARTITION BY LIST (day);
      CREATE TABLE \(schema).visit_2_1 PARTITION OF \(schema).visit_2 DEFAULT;
      CREATE TABLE \(schema).other (id int);
      INSERT INTO rivulet.view (name, definition_hash, strategy) VALUES ('\(schema).base', '', 'incremental');
      INSERT INTO rivulet.view_source (view, source, position, change, capture) VALUES
        ('\(schema).base', '\(schema).visit', 1, 'rebuild', '{}'), ('\(schema).base', '\(schema).other', 2, 'rebuild', '{}');
      INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('p', 'published', '', '');
      INSERT INTO rivulet.release (pipeline, release, revision, state, run) VALUES ('p', '9', 1, 'published', 1);
      INSERT INTO rivulet.release_table VALUES ('p', '9', 1, '\(schema).visit', '\(schema).visit_9', 0);
      """)
    let found = try #require(try RegisteredView.find("\(schema).base", on: connection))
    for capture in found.captures { try capture.watch(on: connection) }
    try connection.query(CapturedTables.note, [.text(found.name)])
    return (connection, try #require(try RegisteredView.find(found.name, on: connection)))
  }

  private func areThere(_ view: RegisteredView, _ connection: Connection) throws -> Bool {
    let noted = NotedTables(captures: view.captures)
    let answers = try connection.answers(to: "SELECT \(noted.roots); \(noted.queries)")
    return try noted.areThere(roots: answers[0][0].value(0), triggers: answers[1], children: answers[2])
  }

  @Test(
    "are there with those of releases besides, in the schema that names are looked up in as well",
    arguments: ["app", "public"])
  func same(schema: String) throws {
    let (connection, view) = try connection(schema)
    #expect(view.captures.map(\.partitions.count) == [3, 0])
    #expect(try areThere(view, connection))
    try connection.execute("CREATE TABLE \(schema).visit_9 PARTITION OF \(schema).visit FOR VALUES IN (9)")
    #expect(try areThere(view, connection))
  }

  @Test(
    "are not, as far as this tells, where one came, went, or is not watched",
    arguments: [
      "CREATE TABLE app.visit_3 PARTITION OF app.visit FOR VALUES IN (3)", "DROP TABLE app.visit_1",
      "CREATE TABLE app.visit_2_2 PARTITION OF app.visit_2 FOR VALUES IN ('2026-01-01')",
      "CREATE TABLE app.heir () INHERITS (app.other)", "ALTER TABLE app.visit DETACH PARTITION app.visit_2",
      "DROP TRIGGER rivulet_1_2_truncate ON app.other", "ALTER TABLE app.visit_2_1 DISABLE TRIGGER ALL",
      "ALTER TABLE app.visit_1 ENABLE REPLICA TRIGGER rivulet_1_1_insert",
      "ALTER TABLE app.other RENAME TO another", "DROP TABLE app.visit",
      // The table of a release, under a name that has to be quoted.
      """
      UPDATE rivulet.release_table SET partition = 'app.Visit_9';
      CREATE TABLE app."Visit_9" PARTITION OF app.visit FOR VALUES IN (9)
      """,
    ])
  func changed(change: String) throws {
    let (connection, view) = try connection("app")
    try connection.execute(change)
    #expect(try !areThere(view, connection))
  }
}
