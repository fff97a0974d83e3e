import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// That a snapshot misses nothing: by PostgreSQL's own list of its catalogs, and by `pg_dump`.
@Suite("Complete snapshots") struct SchemaCompletenessTests {
  /// Catalogs that say nothing of a schema, or of what is knowingly left out.
  private static let leftOut: Set<String> = [
    // Of the whole cluster.
    "pg_authid", "pg_auth_members", "pg_database", "pg_db_role_setting", "pg_parameter_acl", "pg_shdepend",
    "pg_shdescription", "pg_shseclabel", "pg_replication_origin",
    // Connection strings hold passwords.
    "pg_subscription", "pg_subscription_rel",
    // Data, and what the server counts of it.
    "pg_largeobject", "pg_largeobject_metadata", "pg_statistic", "pg_statistic_ext_data",
    // Said by pg_get_partkeydef.
    "pg_partitioned_table",
  ]

  @Test("every catalog that PostgreSQL has is read, or known to be left out")
  func everyCatalog() throws {
    let parts = PartQuery.attached + [PartQuery.columns, PartQuery.unwritten, PartQuery.owners]
    let queries = (ObjectKind.readings.map(\.statement) + parts).joined(separator: " ")
    let words = Set(queries.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    let catalogs = try TestServer.shared.makeDatabase().connect().query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r'")
    for name in catalogs.rows.compactMap({ $0[0] }) {
      #expect(words.contains(name) != SchemaCompletenessTests.leftOut.contains(name), "\(name)")
    }
  }

  /// Changes whose result no dump writes down.
  static let notDumped: Set<String> = [
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'i'::regclass",
    // The default version is made again.
    "ALTER EXTENSION pg_trgm UPDATE TO '1.4'",
    // Taken for an extension's, since the handler comes with PostgreSQL.
    "CREATE LANGUAGE l HANDLER plpgsql_call_handler; CREATE OR REPLACE TRUSTED LANGUAGE trusted HANDLER plpgsql_call_handler",
  ]

  @Test(
    "what pg_dump writes makes a schema that is the same, after every change there is a case for",
    arguments: SchemaSnapshotTests.changes.filter { !notDumped.contains($0.done) })
  func dumped(_ change: SchemaSnapshotTests.Change) throws {
    let database = try TestServer.shared.makeDatabase()
    let connection = try database.connect()
    try connection.execute(SchemaSnapshotTests.roles)
    try connection.execute(change.given)
    try connection.execute(change.done)
    let copy = try TestServer.shared.makeDatabase()
    let script = "pg_dump --schema-only \"$1\" | psql -qX -v ON_ERROR_STOP=1 -d \"$2\" -o /dev/null"
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-o", "pipefail", "-c", script, "bash", database.url, copy.url]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = try SchemaSnapshot.read(from: connection).differences(
      to: SchemaSnapshot.read(from: copy.connect())
    )
    .map { $0.line(.drift) }
    #expect(lines == [])
  }
}
