import MigrationEngine
import PostgreSQL
import TestSupport
import Testing

@testable import Catalog

/// The program's own schema as older programs have left it.
@Suite("A database that an older program has worked on")
struct OlderCatalogTests {
  private let own: OwnMigrations

  init() throws { own = try OwnMigrations() }

  @Test("is read, and goes on, with the migrations that were applied by then", arguments: 1..<Catalog.version)
  func migrations(version: Int) throws {
    try own.writeThree()
    #expect(try own.up(.steps(2)) == ["0001", "0002"])
    let connection = try own.database.connect()
    try connection.execute(
      """
      CREATE TABLE kept AS SELECT kind, version, name, checksum, up_sql, down_sql, seconds
      FROM rivulet.migration ORDER BY position;
      DROP SCHEMA rivulet CASCADE
      """)
    try Catalog.prepare(connection, upTo: version)
    try connection.execute(
      """
      INSERT INTO rivulet.migration (kind, version, name, checksum, up_sql, down_sql, seconds) SELECT * FROM kept;
      DROP TABLE kept
      """)
    #expect(try Catalog.installedVersion(connection) == version)
    #expect(try own.states() == "0001:applied 0002:applied")
    #expect(try own.up() == ["0003"])
    #expect(try Catalog.installedVersion(connection) == Catalog.version)
    #expect(try own.down(.version("0")) == ["0003", "0002", "0001"])
    #expect(try own.tables() == nil)
  }

  @Test("keeps its ledger, and what it refused", arguments: 1..<Catalog.version)
  func ledger(version: Int) throws {
    let connection = try own.database.connect()
    try Catalog.prepare(connection, upTo: version)
    try connection.execute(
      """
      INSERT INTO rivulet.run (pipeline, release, state, definition_hash, program_version)
      VALUES ('p', 'r', 'published', 'h', '0.1');
      INSERT INTO rivulet.run_stage (run, stage, seconds, records) VALUES (1, 'stage', 1.5, 3);
      INSERT INTO rivulet.source_file (run, source, file, file_sha256) VALUES (1, 's', 'f', 'x');
      INSERT INTO rivulet.gate_result (run, rule, severity, passed, found) VALUES (1, 'rule', 'warn', true, 2);
      INSERT INTO rivulet.reject (source_file_id, line, byte_offset, rule, raw)
      VALUES (1, 7, 70, 'required', 'a'), (1, 7, 70, 'required', 'b');
      INSERT INTO rivulet.release (pipeline, release, revision, state, run) VALUES ('p', 'r', 1, 'published', 1)
      """)
    try Catalog.prepare(connection)
    #expect(try Catalog.installedVersion(connection) == Catalog.version)
    let kept = """
      SELECT concat_ws(' ', u.state, s.seconds, f.file, g.is_accepted, (SELECT count(*) FROM rivulet.reject), r.state,
        (SELECT count(*) FROM rivulet.run_lineage(1)))
      FROM rivulet.run u JOIN rivulet.run_stage s USING (run) JOIN rivulet.source_file f USING (run)
      JOIN rivulet.gate_result g USING (run) JOIN rivulet.release r USING (run)
      """
    #expect(try own.database.value(kept) == "published 1.5 f f 2 published 1")
  }
}
