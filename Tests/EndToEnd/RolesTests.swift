import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The roles that `rivulet roles` makes, with what each may and may not, as the server has it.
@Suite("The roles of a database")
struct RolesTests {
  let database: TestDatabase
  /// The program as the tests' superuser.
  let program: Program
  let administration: Connection
  /// What the names of the roles begin with: roles are the server's.
  var prefix: String { database.name }

  /// A migrated database whose roles are made, with a login for each.
  init() throws {
    (database, program) = try Loaded.migrated()
    administration = try database.connect()
    try program.run("roles", "--apply", "--prefix", prefix).succeeded()
    for role in ["owner", "loader", "reader"] {
      try administration.execute(
        """
        CREATE ROLE \(login(role)) LOGIN IN ROLE \(prefix)_\(role);
        ALTER ROLE \(login(role)) SET role TO \(prefix)_\(role)
        """)
    }
    try administration.execute("CREATE ROLE \(login("nobody")) LOGIN")
  }

  func login(_ role: String) -> String { "\(role)_\(database.name)" }

  /// The program as somebody who has a role and nothing else.
  func program(as role: String) -> Program { Program(database: database.url(as: login(role))) }

  func connection(as role: String) throws -> Connection {
    try Connection(to: ConnectionTarget(database.url(as: login(role))))
  }

  /// Expects the server to refuse statements for want of a right.
  func expectRefused(
    _ statements: [String], as role: String, at place: SourceLocation = #_sourceLocation
  ) throws {
    let connection = try connection(as: role)
    for statement in statements {
      var state: String?
      do { _ = try connection.execute(statement) } catch { state = error.sqlState }
      #expect(state == "42501", "\(role): \(statement)", sourceLocation: place)
    }
  }

  /// Expects nothing to be lacking of the roles, nor too much.
  func expectInOrder(at place: SourceLocation = #_sourceLocation) throws {
    let check = try program.run("roles", "--check", "--prefix", prefix)
    #expect(check.status == 0, "\(check.output)", sourceLocation: place)
  }

  @Test("let a loader do all that loading is, and leave everything with the owner")
  func loading() throws {
    let loader = program(as: "loader")
    try loader.run("run", "cms-rvu", Sample.path).succeeded()
    for system in ["rvutrack", "clara", "oncall", "doula", "ccc"] {
      let path = "\(SharedData.project)/Data/samples/\(system)-sample.zip"
      try loader.run("run", system, path).succeeded()
      try loader.run("run", system, path, "--force").succeeded()
    }
    try loader.run("run", "cms-rvu", Sample.path, "--force", "--no-publish").succeeded()
    try loader.run("releases", "publish", "cms-rvu", "2025D", "--revision", "2").succeeded()
    try loader.run("releases", "rollback", "cms-rvu").succeeded()
    try loader.run("releases", "pin", "cms-rvu", "2025D").succeeded()
    try loader.run("releases", "drop", "cms-rvu", "2025D", "--revision", "2", "--yes").succeeded()
    for words in [
      ["refresh"], ["refresh", "--full"], ["views", "list"], ["runs", "list"], ["rejects", "list", "1"],
      ["releases", "list"], ["migrate", "status"], ["nightly"], ["refresh", "--check"],
      ["query", "price", "--hcpcs", "99213", "--locality", "01112-05"], ["query", "mart.rvu_by_status"],
    ] {
      try loader.run(words).succeeded()
    }
    // It is advised of nothing that a loader is not to have.
    try loader.run("doctor", "rights").succeeded().withholding("GRANT")
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "400")
    let owners = try database.rows(
      """
      SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class
      WHERE relnamespace IN ('cms'::regnamespace, 'rivulet'::regnamespace, 'mart'::regnamespace)
      """)
    #expect(owners == ["\(prefix)_owner"])
    try expectInOrder()
  }

  @Test("let a loader correct rejected records of a release, and remove what is too old")
  func replayed() throws {
    let scratch = try Scratch()
    try Loaded.unzip(Sample.path, into: scratch.path + "/rvu25d")
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/rvu25d")
    let name = try #require(files.first { $0.hasPrefix("PPRRVU") })
    let whole = try String(contentsOfFile: "\(scratch.path)/rvu25d/\(name)", encoding: .utf8)
    let (right, wrong) = (",Sample service 243,A,,2.39,", ",Sample service 243,A,,2.39x,")
    try #require(whole.contains(right))
    try scratch.write("rvu25d/\(name)", whole.replacing(right, with: wrong))
    let loader = program(as: "loader")
    try loader.run("run", "cms-rvu", scratch.path + "/rvu25d", "--max-rejects", "5%").succeeded()
    let fixed = scratch.path + "/fixed.csv"
    try loader.run("rejects", "export", "1", "-o", fixed).succeeded()
    let text = try String(contentsOfFile: fixed, encoding: .utf8)
    try scratch.write("fixed.csv", text.replacing(wrong, with: right))
    try loader.run("rejects", "replay", "1", fixed).succeeded()
    #expect(try database.value("SELECT count(*) FROM cms.rvu WHERE hcpcs = '99213'") == "1")
    try expectRefused(
      [
        "SELECT FROM rivulet.reject", "SELECT FROM rivulet.reject_reason",
        "SELECT FROM rivulet.reject_header",
      ],
      as: "reader")
    try expectInOrder()
  }

  @Test("keep an owner from dropping what a loader names as the table of a release")
  func named() throws {
    let loader = try connection(as: "loader")
    try program(as: "loader").run("run", "cms-rvu", Sample.path, "--no-publish").succeeded()
    let forged = "UPDATE rivulet.release_table SET partition = 'doula.client'"
    for (change, words) in [
      (
        " WHERE revision = 1 AND target = 'cms.gpci'",
        ["releases", "drop", "cms-rvu", "2025D", "--revision", "1"]
      ),
      (
        ", target = 'cms.gone' WHERE revision = 1 AND target = 'cms.gpci'",
        ["migrate", "down", "--to", "0056"]
      ),
    ] {
      try loader.execute(forged + change)
      try program(as: "owner").run(words + ["--yes"]).failed(1, saying: "42501", "doula.client")
      #expect(try database.value("SELECT count(*) FROM doula.client") == "0")
    }
  }

  @Test("let an owner revert and apply migrations, after which what is lacking is named, and then given")
  func migrating() throws {
    let owner = program(as: "owner")
    try program(as: "loader").run("run", "cms-rvu", Sample.path).succeeded()
    try owner.run("migrate", "down", "--to", "0056", "--yes").succeeded()
    let up = try owner.run("migrate", "up").succeeded()
    let isLacking = try program.run("roles", "--check", "--prefix", prefix).status == 5
    let warning = "run 'rivulet roles --prefix \(prefix) --apply' as a superuser"
    #expect(isLacking && up.errors.contains(warning), "\(up.errors)")
    let owners = try database.rows(
      """
      SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class
      WHERE relnamespace IN ('directory'::regnamespace, 'rivulet'::regnamespace, 'mart'::regnamespace)
      """)
    #expect(owners == ["\(prefix)_owner"])
    // The stored views that were made again are the loader's to refresh at once, but for those over a schema that was
    // made again, too.
    try program(as: "loader").run("refresh", "mart.rvu_by_status", "mart.call_daily").succeeded()
    try program(as: "loader").run("refresh", "mart.procedure_monthly").failed(1, saying: "schema facts")
    try administration.execute(
      """
      GRANT SELECT ON rivulet.reject TO \(prefix)_reader; GRANT SELECT ON cms.rvu TO PUBLIC;
      REVOKE INSERT ON cms.gpci FROM \(prefix)_loader
      """)
    try program.run("roles", "--check", "--prefix", prefix).failed(5)
    let lacking = try program.run("roles", "--prefix", prefix).succeeded(
      showing: "REVOKE SELECT ON TABLE rivulet.reject FROM \(prefix)_reader;",
      "REVOKE SELECT ON TABLE cms.rvu FROM PUBLIC;", "GRANT INSERT ON TABLE cms.gpci TO \(prefix)_loader;")
    // What is printed is for psql as it is.
    try administration.execute(lacking.output)
    try expectInOrder()
    try program.run("migrate", "status", "--drift").succeeded()
    try administration.execute("GRANT SELECT ON cms.rvu TO PUBLIC")
    #expect(try program.run("migrate", "status", "--drift").failed(5).output.contains("cms.rvu"))
  }
}
