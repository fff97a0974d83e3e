import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// The whole story of migrations on each major version of PostgreSQL that is later than Debian's.
@Suite("Migrations on later servers") struct ServerVersionTests {
  private static func isThere(_ major: Int) -> ConditionTrait {
    .enabled(if: InstalledServer(major) != nil, "PostgreSQL \(major) is missing: run '.ci/setup'")
  }

  @Test("PostgreSQL 16", isThere(16)) func on16() async throws { try await aside { try everything(16) } }
  @Test("PostgreSQL 17", isThere(17)) func on17() async throws { try await aside { try everything(17) } }
  @Test("PostgreSQL 18", isThere(18)) func on18() async throws { try await aside { try everything(18) } }

  private func everything(_ major: Int) throws {
    let installed = try #require(InstalledServer(major))
    try story(installed)
    try folders(installed)
    try replayed(installed)
  }

  /// Up, plan, verify, dump, drift and down, with all that the version has brought.
  private func story(_ installed: InstalledServer) throws {
    let major = installed.major
    try installed.whileRunning { cluster, state in
      let server = ["RIVULET_PG_BIN": installed.programs, "RIVULET_STATE_DIR": state]
      let database = try cluster.makeDatabase()
      let program = Program(database: database.url, environment: server)
      let connection = try database.connect()
      #expect(connection.serverVersion / 10_000 == major)

      // This project's own migrations first.
      try program.run("migrate", "up").succeeded()
      try program.run("migrate", "status", "--drift").succeeded()
      try program.run("migrate", "verify").succeeded()
      try program.run("migrate", "down", "--to", "0").succeeded()
      try connection.execute("DROP SCHEMA rivulet CASCADE")

      let scratch = try Scratch()
      let folder = ["--dir", scratch.path]
      try scratch.write(
        "0001_news.sql",
        "-- rivulet:up\n\(ServerNovelties.sql(upTo: major))\n-- rivulet:down\n\(ServerNovelties.removal(upTo: major))\n"
      )
      try program.run(["migrate", "verify"] + folder).succeeded()
      try program.run(["migrate", "up"] + folder).succeeded()
      try program.run(["migrate", "status", "--drift"] + folder).succeeded()

      let dump = try SchemaDump(of: connection)
      #expect(dump.unsupported == [])
      let copy = try cluster.makeDatabase().connect()
      for piece in dump.pieces { try copy.execute(piece) }
      try expectSame(connection, copy, dump)

      try scratch.write(
        "0002_more.sql",
        "-- rivulet:up\nALTER TABLE news.plain ADD c int;\n-- rivulet:down\nALTER TABLE news.plain DROP c;\n")
      let plan = try program.run(["migrate", "plan"] + folder).succeeded()
      #expect(plan.output.contains("ACCESS EXCLUSIVE on news.plain"))
      if let other = InstalledServer(major == 16 ? 17 : 16) {
        let elsewhere = Program(database: database.url, environment: ["RIVULET_PG_BIN": other.programs])
        let refused = try elsewhere.run(["migrate", "plan"] + folder).failed(1)
        #expect(refused.errors.contains("name the bin folder of PostgreSQL \(major) in RIVULET_PG_BIN"))
      }
      try connection.execute("ALTER TABLE news.plain ALTER a DROP NOT NULL")
      let drift = try program.run(["migrate", "status", "--drift"] + folder).failed(5)
      #expect(drift.output.contains("table news.plain: column a: was integer NOT NULL, now integer\n"))
      try connection.execute("ALTER TABLE news.plain ALTER a SET NOT NULL")
      try program.run(["migrate", "up"] + folder).succeeded()
      try program.run(["migrate", "down", "--to", "0"] + folder).succeeded()
      #expect(try connection.query("SELECT to_regnamespace('news')")[0][0] == nil)
    }
  }

  /// Several folders of several tools in one database, one of them in several schemas.
  private func folders(_ installed: InstalledServer) throws {
    try installed.whileRunning { cluster, state in
      let server = ["RIVULET_PG_BIN": installed.programs, "RIVULET_STATE_DIR": state]
      try FolderProject(cluster.makeDatabase(), environment: server).tell()
    }
  }

  /// A dump makes again what there is a case for.
  private func replayed(_ installed: InstalledServer) throws {
    let changes = SchemaSnapshotTests.changes.filter { !SchemaCompletenessTests.notDumped.contains($0.done) }
    let cases = changes.map { ($0.given, $0.done) } + DumpReplayTests.schemas.map { ("", $0.sql) }
    try installed.whileRunning { cluster, _ in
      var count = 0
      for (given, done) in cases {
        let (database, other) = (try cluster.makeDatabase(), try cluster.makeDatabase())
        let (connection, copy) = (try database.connect(), try other.connect())
        do {
          try connection.execute(SchemaSnapshotTests.roles + given)
          try connection.execute(done)
        } catch PostgreSQLError.server {
          // Not every version can have it, and these servers are built without ICU.
          continue
        }
        count += 1
        let dump = try SchemaDump(of: connection)
        for piece in dump.pieces { try copy.execute(piece) }
        try expectSame(connection, copy, dump, "\(done)")
        try database.drop()
        try other.drop()
      }
      #expect(count > cases.count * 3 / 4)
    }
  }

  private func expectSame(
    _ connection: Connection, _ copy: Connection, _ dump: SchemaDump, _ comment: Comment = ""
  ) throws {
    let lines = try SchemaSnapshot.read(from: connection).differences(to: SchemaSnapshot.read(from: copy))
    // Their passwords are in no dump.
    #expect(lines.map { $0.line(.drift) }.filter { !$0.hasPrefix("user mapping ") } == [], comment)
    #expect(try SchemaDump(of: copy).sql == dump.sql, comment)
  }
}
