import PostgreSQL
import TestSupport
import Testing

/// What the server refuses to each of the roles.
extension RolesTests {
  @Test("keep a loader from altering, dropping or giving away anything, also by the functions that it has")
  func forbidden() throws {
    let loader = program(as: "loader")
    try loader.run("run", "cms-rvu", Sample.path).succeeded()
    let published = try #require(
      try database.value("SELECT partition FROM rivulet.release_table WHERE target = 'cms.rvu'"))
    let stage = "SELECT rivulet.stage_table"
    let none = "'{}', '{}', '{}', '{}', NULL"
    try expectRefused(
      [
        "DROP TABLE cms.rvu", "DROP TABLE \(published)", "DROP SCHEMA mart CASCADE",
        "DROP VIEW mart.visit_total",
        "ALTER TABLE cms.rvu ADD x int", "ALTER TABLE cms.rvu DETACH PARTITION \(published)",
        "ALTER TABLE doula.client DISABLE ROW LEVEL SECURITY", "TRUNCATE cms.rvu", "TRUNCATE rivulet.run",
        "CREATE TABLE cms.mine (a int)", "CREATE TABLE rivulet.mine (a int)", "CREATE SCHEMA mine",
        "CREATE FUNCTION mart.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE INDEX ON \(published) (hcpcs)", "CREATE POLICY mine ON doula.client USING (true)",
        "CREATE TRIGGER mine BEFORE INSERT ON cms.rvu EXECUTE FUNCTION rivulet.wake()",
        "ALTER TABLE rivulet.view_mark DISABLE TRIGGER ALL", "COMMENT ON TABLE doula.client IS 'mine'",
        "DELETE FROM rivulet.migration", "UPDATE rivulet.catalog_version SET version = 1",
        // What an owner would drop, or run, on the word of these rows.
        "INSERT INTO rivulet.view (name, definition_hash, strategy) VALUES ('doula.client', '', 'full')",
        "UPDATE rivulet.view SET name = 'doula.client'", "DELETE FROM rivulet.view",
        "DELETE FROM rivulet.view_source",
        "INSERT INTO rivulet.view_setting VALUES ('mart.rvu_by_status', 1, 'DROP TABLE doula.client')",
        "SET ROLE \(prefix)_owner", "ALTER ROLE \(prefix)_loader SUPERUSER", "CREATE ROLE mine",
        "ALTER DEFAULT PRIVILEGES FOR ROLE \(prefix)_owner GRANT SELECT ON TABLES TO PUBLIC",
        "CREATE OR REPLACE FUNCTION rivulet.today() RETURNS date LANGUAGE sql AS 'SELECT now()::date'",
        "COPY cms.rvu TO PROGRAM 'cat'", "COPY cms.rvu TO '/tmp/mine'",
        // What is published, or was not staged by a run, is not for the functions.
        "SELECT rivulet.drop_staged('{\(published)}')", "SELECT rivulet.drop_staged('{doula.client}')",
        "SELECT rivulet.owner_drop_staged('{doula.client}')", "SELECT rivulet.drop_staged('{cms.rvu}')",
        "SELECT rivulet.drop_staged('{rivulet.migration}')",
        "SELECT rivulet.move_staged('x', '{}', '{}', '{doula.client}', '{cms.rvu}', false)",
        "SELECT rivulet.move_staged('x', '{doula.client}', '{cms.rvu}', '{}', '{}', false)",
        "SELECT rivulet.alter_staged('\(published)', 'default', '{hcpcs}', 'x')",
        "SELECT rivulet.alter_staged('doula.client', 'key', '{id}', NULL)",
        "\(stage)('\(published)', 'cms.rvu', 1, 'x', \(none))",
        "\(stage)('cms.gpci', 'cms.rvu', 1, 'x', \(none))",
        "\(stage)('cms.mine', 'doula.client', 1, NULL, \(none))",
        "\(stage)('rivulet.mine', 'rivulet.run', 1, NULL, \(none))",
        "\(stage)('pg_catalog.mine', 'pg_catalog.pg_authid', 1, NULL, \(none))",
      ], as: "loader")
    // A table of its own with the mark of a run, which could have triggers, is not taken for one.
    let connection = try connection(as: "loader")
    try connection.execute(
      "CREATE TEMP TABLE mine (LIKE cms.rvu); COMMENT ON TABLE mine IS 'rivulet: staged by run 1'")
    let mine = try #require(
      try connection.query("SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'mine'::regclass")[0][
        0])
    #expect(throws: PostgreSQLError.self) {
      try connection.execute(
        "SELECT rivulet.move_staged('x', '{}', '{}', '{\(mine).mine}', '{cms.rvu}', false)")
    }
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "400")
  }

  @Test("show a reader what is published, and neither ledger nor records nor what is protected row by row")
  func reading() throws {
    let loader = program(as: "loader")
    try loader.run("run", "cms-rvu", Sample.path).succeeded()
    try loader.run("run", "doula", "\(SharedData.project)/Data/samples/doula-sample.zip").succeeded()
    let published = try #require(
      try database.value("SELECT partition FROM rivulet.release_table WHERE target = 'cms.rvu'"))
    let reader = program(as: "reader")
    try reader.run("query", "price", "--hcpcs", "99213", "--locality", "01112-05").succeeded()
    try reader.run("query", "mart.rvu_by_status").succeeded()
    let connection = try connection(as: "reader")
    #expect(try connection.lines("SELECT count(*) FROM cms.rvu") == ["400"])
    let ledger = try database.rows(
      """
      SELECT relname FROM pg_class WHERE relnamespace = 'rivulet'::regnamespace AND relkind = 'r'
        AND relname NOT IN ('release', 'dataset', 'setting')
      """)
    try #require(ledger.count > 20)
    try expectRefused(
      ledger.map { "SELECT FROM rivulet.\($0)" }
        + [
          "SELECT FROM \(published)", "SELECT FROM doula.client", "SELECT FROM api.clients",
          "SELECT FROM mart.client_pregnancy", "SELECT FROM mart.client_status_count",
          "SELECT FROM mart.review_status_count", "SELECT doula.client_cabinet('x')", "DELETE FROM cms.rvu",
          "CREATE TEMP TABLE mine (a int)", "SELECT rivulet.drop_staged('{}')",
          "CREATE TABLE cms.mine (a int)",
        ], as: "reader")
    // Nor does a release that was hidden, or a view that was made again, open anything.
    try loader.run("releases", "rollback", "cms-rvu").succeeded()
    try expectRefused(["SELECT FROM \(published)"], as: "reader")
    #expect(try connection.lines("SELECT count(*) FROM cms.rvu") == ["0"])
  }

  @Test("leave PUBLIC nothing, and to the clients of the systems what they had")
  func everybody() throws {
    let program = program(as: "loader")
    try program.run("run", "rvutrack", "\(SharedData.project)/Data/samples/rvutrack-sample.zip").succeeded()
    try expectRefused(
      [
        "SELECT FROM rivulet.release", "SELECT rivulet.today()", "SELECT FROM cms.rvu", "SELECT auth.uid()",
        "SELECT FROM mart.rvu_by_period", "CREATE TEMP TABLE mine (a int)", "CREATE SCHEMA mine",
      ], as: "nobody")
    let user = try #require(try database.value("SELECT user_id FROM rvutrack.visit LIMIT 1"))
    try administration.execute("SET ROLE authenticated; SET request.jwt.claim.sub = '\(user)'")
    let visits = try administration.lines("SELECT count(*) > 0, count(DISTINCT user_id) FROM rvutrack.visit")
    #expect(visits == ["t|1"])
    #expect(try administration.lines("SELECT count(*) > 0 FROM mart.rvu_by_period") == ["t"])
    #expect(try administration.lines("SELECT count(*) > 0 FROM api.visits") == ["t"])
    try administration.execute("SET ROLE anon")
    #expect(try administration.lines("SELECT doula.client_cabinet('unknown') IS NULL") == ["t"])
  }
}
