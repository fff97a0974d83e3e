import PostgreSQL
import SQLText
import TestSupport
import Testing

@testable import MigrationEngine

/// What the lint believes is there, held against the catalog of a server that ran the same statements.
@Suite("The lint's model of the schema")
struct SchemaModelTests {
  private static let changes = """
    CREATE SCHEMA s;
    CREATE TABLE s.a (
      id bigserial PRIMARY KEY, "Name" character varying (20) NOT NULL DEFAULT 'x', at timestamp (3) with time zone,
      t time without time zone, d double precision CHECK (d > 0), n decimal(5, 2), c char, list int[] NOT NULL,
      words text ARRAY, b bit varying(4), kind "char", i interval day to second, o oid,
      CONSTRAINT a_list CHECK (list <> '{}'), UNIQUE (n)
    );
    CREATE TABLE s.b (LIKE s.a, x int);
    ALTER TABLE s.a ADD more int DEFAULT (1 + 2) NOT NULL, ADD COLUMN even int REFERENCES s.a ON DELETE SET NULL NOT NULL,
      DROP COLUMN t, ALTER COLUMN n TYPE numeric(7, 2), ALTER d SET NOT NULL;
    ALTER TABLE s.a RENAME COLUMN at TO "at time";
    ALTER TABLE s.a ALTER list DROP NOT NULL;
    ALTER TABLE s.a RENAME TO c;
    CREATE SCHEMA other;
    ALTER TABLE s.c SET SCHEMA other;
    CREATE TABLE s.p (k int NOT NULL, v text DEFAULT NULL) PARTITION BY RANGE (k);
    CREATE TABLE s.p1 PARTITION OF s.p FOR VALUES FROM (1) TO (2);
    SET search_path TO other;
    CREATE TABLE found (a smallint GENERATED ALWAYS AS IDENTITY, b text COLLATE "C" NOT NULL, PRIMARY KEY (a, b));
    CREATE TABLE gone (a int);
    DROP TABLE IF EXISTS gone, nowhere;
    """

  /// `schema.table.column type null` of each column that the model knows.
  private func believed(_ sections: [Migration.Section]) throws -> Set<String> {
    var model = SchemaModel()
    for section in sections {
      model.searchPath = nil
      for statement in try section.script().statements { model.replay(statement, SchemaStatement(statement)) }
    }
    return Set(
      model.tables.flatMap { table, content in
        content.columns.map { name, column in
          let type = column.type.map { ($0.isArray ? "_" : "") + $0.name.filter { $0 != "\"" } } ?? "?"
          return "\(table).\(name) \(type) \(column.isNotNull)"
        }
      })
  }

  /// The same of the columns that a server has.
  private func real(_ database: TestDatabase) throws -> Set<String> {
    let rows = try database.connect().query(
      """
      SELECT format('%s.%s.%s %s %s', n.nspname, c.relname, a.attname, t.typname,
        CASE WHEN a.attnotnull THEN 'true' ELSE 'false' END)
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
        AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'rivulet')
      """)
    return Set(rows.rows.compactMap { $0[0] })
  }

  @Test("has each column with the type that the server gives it")
  func columns() throws {
    let database = try TestServer.shared.makeDatabase()
    try database.connect().execute(SchemaModelTests.changes)
    let believed = try believed([Migration.Section(sql: SchemaModelTests.changes, file: "changes.sql")])
    // What LIKE takes over is not known, and that is no mistake.
    #expect(try real(database).subtracting(believed).filter { !$0.hasPrefix("s.b.") } == [])
    #expect(try believed.subtracting(real(database)) == [])
  }

  @Test("has each column of the project's own migrations, but those that a loop in a block adds, or LIKE")
  func ownMigrations() throws {
    let folder = try MigrationFolder(SharedData.project + "/Migrations")
    let database = try TestServer.shared.makeDatabase()
    try MigrationEngine(connection: try database.connect(), folder: folder).up(.natural) { _, _ in }
    let believed = try believed(folder.migrations.map(\.up))
    #expect(try believed.subtracting(real(database)) == [])
    let missed = try real(database).subtracting(believed).map { $0.prefix { $0 != " " } }
    let (alike, looped) = (
      missed.filter { $0.contains("_history.") }, missed.filter { !$0.contains("_history.") }
    )
    #expect(alike.count == 78 && alike.allSatisfy { $0.hasPrefix("directory.provider_") })
    #expect(looped.count == 8)
    #expect(looped.allSatisfy { $0.hasPrefix("cms.rvu.") || $0 == "cms.anesthesia_cf.qp_conversion_factor" })
  }
}
