import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What publishing does to the shards of what is published.
@Suite("A publication on a cluster of Citus", .needsCitus)
struct CitusPublicationTests {
  /// A shard of a table of a release: the file that it is in, and what was read and written of it.
  private struct Shard: Equatable, CustomStringConvertible {
    let file: String
    let scans: Int
    let rowsRead: Int
    let fetches: Int
    let rowsWritten: Int

    var description: String {
      "file \(file), \(scans) scans of \(rowsRead) rows, \(fetches) by indexes, \(rowsWritten) written"
    }
  }

  private static let counts = """
    SELECT s.relname, pg_relation_filenode(s.relid)::text, seq_scan, seq_tup_read, coalesce(idx_scan, 0),
      n_tup_ins + n_tup_upd + n_tup_del
    FROM pg_stat_all_tables s WHERE schemaname = 'directory' AND relname ~ '^provider.*_nppes_2025_10_[12]_[0-9]+$'
    """

  /// The program's sessions on a worker whose counts may not be there: they are when one is over, or has been idle for
  /// ten seconds. Those of the cluster's daemons stay.
  private static let sessions = """
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
      AND application_name LIKE 'citus_internal gpid=%' AND application_name NOT LIKE '%gpid=99999999%'
      AND query !~ 'waiting_pid|pg_prepared_xacts'
      AND NOT (state = 'idle' AND state_change < now() - interval '12 s')
    """

  /// The shards of both revisions on all workers, by name, when the program has left.
  private func shards(of database: TestDatabase) throws -> [String: Shard] {
    var found: [String: Shard] = [:]
    for node in try CitusServer.shared.nodes().dropFirst() {
      let connection = try Connection(to: try node.database(database.name))
      let deadline = Date.now + 120
      while try !connection.query(Self.sessions).rows.isEmpty {
        try #require(Date.now < deadline, "the program's sessions stay at work")
        usleep(100_000)
      }
      // Else the worker shows none of its shards.
      try connection.execute("SET citus.override_table_visibility = off")
      for row in try connection.query(Self.counts).rows {
        found[try row.value(0)] = Shard(
          file: try row.value(1), scans: try row.value(2), rowsRead: try row.value(3),
          fetches: try row.value(4),
          rowsWritten: try row.value(5))
      }
    }
    return found
  }

  @Test("neither copies nor reads the rows that it attaches, as they are known to be of the release")
  func attaching() throws {
    let database = try CitusServer.shared.makeDatabase()
    let program = Program(database: database.url)
    try program.run("migrate", "up").succeeded()
    for rows in [300, 310] {
      let month = try Samples.make("nppes", rows: rows, release: "nppes-2025-10")
      try program.run("run", "nppes", month, "--force", "--no-refresh", "--accept", "row-change-locations")
        .succeeded()
    }
    let before = try shards(of: database)
    // Five tables of two revisions.
    #expect(Set(before.keys.map { $0.replacing(/_[0-9]+$/, with: "") }).count == 10)
    #expect(before.values.reduce(0) { $0 + $1.rowsWritten } > 4_000)
    for words in [["rollback", "nppes"], ["publish", "nppes", "nppes-2025-10"], ["rollback", "nppes"]] {
      try program.run(["releases"] + words).succeeded()
    }
    let after = try shards(of: database)
    for (name, shard) in before { #expect(after[name] == shard, "\(name)") }
    #expect(after.count == before.count)

    // What proves it is a constraint: without it, each of the rows is read.
    try database.connect().execute(
      "ALTER TABLE directory.provider_nppes_2025_10_2 DROP CONSTRAINT rivulet_release")
    try program.run("releases", "publish", "nppes", "nppes-2025-10").succeeded()
    let read = try shards(of: database).reduce(0) { $0 + $1.value.rowsRead - (after[$1.key]?.rowsRead ?? 0) }
    #expect(read == 310)
  }
}
