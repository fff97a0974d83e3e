import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("The command cluster where there is no Citus")
struct ClusterlessCommandTests {
  @Test("says what is declared, and that the server has none; moves nothing, and fails")
  func clusterless() throws {
    let (database, program) = try Loaded.migrated()
    let tables = "SELECT string_agg(oid::text, ' ' ORDER BY oid) FROM pg_class WHERE relname LIKE 'provider%'"
    let before = try database.value(tables)
    let status = try program.run("cluster", "status", "--format", "json").failed(
      1, saying: "this server has no Citus, so all tables are on it; the migrations say of ")
    #expect(try status.at("error/code", "error/kind") == "1 cluster")
    #expect(
      try status.at("declared/0/table", "declared/0/place") == "directory.provider distributed by source_id")
    try program.run("cluster", "status", "--check").failed(1)
      .showing("directory.provider_name")
    for verb in ["distribute", "undistribute"] {
      for words in [[], ["--dry-run"], ["directory.provider"]] {
        try program.run(["cluster", verb] + words).failed(1, saying: "has no Citus")
      }
    }
    // A table that is moved is made again, or has others beside it.
    #expect(try database.value(tables) == before)
  }
}

extension Program.Outcome {
  /// Expects words on standard output.
  fileprivate func showing(_ words: String, at place: SourceLocation = #_sourceLocation) {
    #expect(output.contains(words), "'\(words)': \(output)", sourceLocation: place)
  }
}

/// On a coordinator with workers.
@Suite("The command cluster", .serialized, .needsCitus)
struct ClusterCommandTests {
  private let program: Program
  private let connection: Connection

  /// A migrated database with three revisions of a release: one that was replaced, one published, one staged.
  init() throws {
    let database = try CitusServer.shared.makeDatabase()
    (program, connection) = (Program(database: database.url), try database.connect())
    try program.run("migrate", "up").succeeded()
    let sample = try Samples.make("nppes", rows: 300)
    for options in [[], ["--force"], ["--force", "--no-publish"]] {
      try program.run(["run", "nppes", sample, "--accept", "known-taxonomies"] + options).succeeded()
    }
  }

  private func value(_ query: String) throws -> String? { try connection.query(query)[0][0] }

  /// The rows of a table that readers see, by number and content.
  private func rows(_ table: String = "provider_address") throws -> String? {
    try value(
      "SELECT concat(count(*), ' ', sum(hashtext(concat_ws('|', source_id, slot, line_1, city))::bigint)) "
        + "FROM directory.\(table)")
  }

  /// What is said of tables and views, and who may read them.
  private func properties() throws -> String? {
    try value(
      """
      SELECT md5(string_agg(concat_ws('|', c.relname, c.relacl, c.reloptions, a.attname, a.attstorage,
        (SELECT o FROM unnest(a.attoptions) o WHERE starts_with(o, 'n_distinct=')),
        obj_description(c.oid, 'pg_class'), col_description(c.oid, a.attnum),
        CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END), '/' ORDER BY c.relname, a.attnum))
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE c.relnamespace IN ('directory'::regnamespace, 'mart'::regnamespace)
      """)
  }

  private var distributed: String? {
    get throws {
      try value("SELECT count(*) FROM pg_dist_partition WHERE logicalrelid::text LIKE 'directory.provider%'")
    }
  }

  @Test(
    "moves tables with their releases back and over again, with all that is said of them, for readers unchanged"
  )
  func moves() throws {
    try connection.execute("COMMENT ON COLUMN directory.provider_active.npi IS 'of mine'")
    let (before, said) = (try rows(), try properties())
    #expect(try distributed == "20")
    try program.run("cluster", "status", "--check").succeeded(showing: "7 of 7 declared tables are where")
    let back = try program.run("cluster", "undistribute", "--format", "json").succeeded(
      saying: "directory.provider_address: local, ")
    #expect(
      try back.at("tables/0/table", "tables/1/table", "tables/5/table")
        == "facts.procedure directory.provider_identifier directory.provider")
    #expect(try back.at("tables/0/moved/1") == "facts.visit")
    #expect(try distributed == "0")
    #expect(try rows() == before)
    #expect(try properties() == said)
    #expect(try value("SELECT reltuples > 0 FROM pg_class WHERE relname = 'provider_nppes_2025_11_2'") == "t")
    try program.run("refresh", "--check").succeeded()
    try program.run("migrate", "status", "--check").succeeded()
    let status = try program.run("cluster", "status", "--check", "--format", "json").failed(5)
    #expect(
      try status.at("misplaced/0/table", "misplaced/0/declared", "misplaced/0/found", "misplaced/0/hint")
        == "directory.provider distributed by source_id local rivulet cluster distribute directory.provider")
    // As it is locally: what was staged can be published, and rolled back.
    try program.run("releases", "publish", "nppes", "nppes-2025-11", "--revision", "3").succeeded()
    try program.run("releases", "rollback", "nppes", "--yes").succeeded()
    #expect(try rows() == before)

    // Attaching has taken off what staged tables have of settings.
    let published = try properties()
    let over = try program.run("cluster", "distribute", "--format", "json").succeeded()
    #expect(try over.at("tables/0/table", "tables/0/moved/0") == "directory.provider directory.provider")
    #expect(try over.at("tables/*/seconds").split(separator: " ").count == 7)
    #expect(try distributed == "20")
    #expect(try rows() == before)
    #expect(try properties() == published)
    // No rows are left behind on the coordinator.
    #expect(try value("SELECT pg_relation_size('directory.provider_nppes_2025_11_2')") == "0")
    let placed = try program.run("cluster", "status", "--check", "--format", "json").succeeded()
    let shape = [
      "key", "colocation", "shards", "partitions", "unattached", "rows", "bytes", "skew/largest_node",
    ]
    for key in shape { #expect(try placed.at("tables/0/" + key) != "(nothing)", "\(key)") }
    #expect(try placed.at("tables/0/partitions", "tables/0/unattached") == "1 2")
    #expect(try placed.at("nodes/*/role") == "coordinator worker worker")
    try program.run("releases", "publish", "nppes", "nppes-2025-11", "--revision", "3").succeeded()
    try program.run("releases", "rollback", "nppes", "--yes").succeeded()
    try program.run("releases", "publish", "nppes", "nppes-2025-11", "--revision", "1").succeeded()
    try program.run("refresh", "--check").succeeded()
    try program.run("cluster", "distribute").succeeded(showing: "all tables are where they should be")
  }

  @Test("moves facts that refer to each other with their rows, merges and stored views")
  func facts() throws {
    try program.run("run", "hospital-facts", "\(SharedData.project)/Data/samples/hospital-facts-sample.zip")
      .succeeded()
    let known = """
      SELECT count(*) FROM rivulet.merge WHERE target LIKE 'facts.%' AND storage = pg_relation_filenode(rivulet.relation(target))
      """
    let content = """
      SELECT concat_ws(' ', (SELECT sum(hashtext(v::text)::bigint) FROM mart.procedure_monthly v),
        (SELECT sum(hashtext(v::text)::bigint) FROM mart.user_activity v), (SELECT count(*) FROM facts.visit),
        (SELECT sum(units) FROM facts.procedure))
      """
    let (merges, before) = (try value(known), try value(content))
    #expect(merges != "0")
    let back = try program.run(
      "cluster", "undistribute", "facts.visit", "facts.procedure", "--format", "json"
    )
    .succeeded()
    #expect(try back.at("tables/*/table", "tables/0/moved/1") == "facts.procedure facts.visit")
    #expect(try value(known) == merges && value(content) == before)
    // Where a view could not be made again nothing is moved.
    let keys = "UPDATE rivulet.view SET key_columns = $1 WHERE name = 'mart.procedure_monthly'"
    try connection.query(keys, [.textArray(["month"])])
    try program.run("cluster", "distribute").failed(
      5, saying: "mart.procedure_monthly is computed from it: its key or capture does not hold user_id")
    #expect(try value(content) == before)
    try connection.query(keys, [.textArray(["user_id", "month"])])
    try program.run("cluster", "distribute").succeeded()
    #expect(try value(known) == merges && value(content) == before)
    #expect(try value("SELECT pg_relation_size('facts.visit') + pg_relation_size('facts.procedure')") == "0")
    try program.run("refresh", "--check").succeeded()
  }

  @Test("goes on where it was killed, and is exact at any moment", arguments: ["undistribute", "distribute"])
  func killed(_ verb: String) throws {
    if verb == "distribute" { try program.run("cluster", "undistribute").succeeded() }
    let (before, said) = (try rows(), try properties())
    let started = try program.start(["cluster", verb])
    let first = verb == "distribute" ? "directory.provider_name: dist" : "directory.provider_taxonomy: local"
    #expect(try started.says(first))
    started.signal(SIGKILL)
    _ = try started.wait()
    // The server rolls back what was at work.
    let deadline = Date.now + 120
    while try value(Self.others) != "0" {
      try #require(Date.now < deadline, "the session of the program that was killed stays")
      try connection.execute("SELECT pg_sleep(0.1)")
    }
    #expect(try rows() == before)
    try program.run("cluster", verb, "--dry-run").failed(5)
    let rest = try program.run("cluster", verb, "--format", "json").succeeded()
    #expect(try rest.at("tables/*/table").split(separator: " ").count < (verb == "distribute" ? 6 : 4))
    #expect(
      try value("SELECT count(*) FROM rivulet.view WHERE strategy <> 'live' AND refreshed_at IS NULL") == "0")
    #expect(try distributed == (verb == "distribute" ? "20" : "0"))
    #expect(try rows() == before)
    #expect(try properties() == said)
  }

  private static let others = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'rivulet%'
      AND backend_type = 'client backend' AND pid <> pg_backend_pid()
    """

  @Test("moves nothing while something is in the way: a load, a policy, what would be lost")
  func inTheWay() throws {
    try program.run("cluster", "distribute", "directory.nothing").failed(
      2, saying: "no migration says where table 'directory.nothing' goes")
    #expect(try connection.acquireLock("rivulet run nppes"))
    try program.run("cluster", "undistribute").failed(4)
    try connection.releaseLock("rivulet run nppes")
    // A function goes with the table that its body reads.
    try connection.execute(
      "CREATE FUNCTION mart.mine() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM directory.provider; END")
    try program.run("cluster", "undistribute", "directory.provider").failed(5, saying: "mart.mine")
    try program.run("migrate", "down", "--to", "0059", "--yes").failed(2, saying: "0060", "mart.mine")
    #expect(try distributed == "20")
    try connection.execute("DROP FUNCTION mart.mine()")
    try program.run("cluster", "undistribute").failed(5, saying: "pending: nothing was moved")
    try program.run("migrate", "up").succeeded()
    try program.run("cluster", "undistribute").succeeded()
    try connection.execute(
      "ALTER TABLE directory.provider_name ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON directory.provider_name USING (true)"
    )
    let plan = try program.run("cluster", "distribute", "--dry-run", "--format", "json").failed(5)
    #expect(try plan.at("tables/1/in_the_way/0").hasPrefix("its policy own would be asked"))
    #expect(try plan.at("tables/0/in_the_way", "tables/2/in_the_way") == "[] []")
    try program.run("cluster", "distribute").failed(
      5, saying: "directory.provider_name cannot be moved: its policy own")
    #expect(try distributed == "0")
    try program.run("cluster", "distribute", "directory.provider").succeeded()
    #expect(try distributed == "4")
  }
}
