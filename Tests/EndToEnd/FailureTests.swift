import Foundation
import TestSupport
import Testing

/// What goes wrong is said with the promised exit code, and leaves nothing behind.
@Suite("A command that cannot be done")
struct FailureTests {
  private static let ledger = """
    SELECT (SELECT count(*) FROM rivulet.run) + (SELECT count(*) FROM rivulet.source_file)
      + (SELECT count(*) FROM rivulet.release) + (SELECT count(*) FROM cms.rvu)
    """

  @Test("says a missing file with 6, wrong words with 2, and leaves no row")
  func exitCodes() throws {
    let (database, program) = try Loaded.migrated()
    let cases: [(arguments: [String], status: Int32, says: String)] = [
      (["run", "cms-rvu", "/nowhere/RVU25D.zip"], 6, "/nowhere/RVU25D.zip"),
      (["run", "cms-rvu", "x.zip", "--bogus"], 2, "unknown option '--bogus'"),
      (["run", "cms-rvu"], 2, "SOURCE is missing"),
      (["run", "cms-rvv", "/nowhere"], 2, "did you mean 'cms-rvu'?"),
      (["rnu"], 2, "did you mean 'run'?"),
      (["migrate", "up", "--to", "9999"], 2, "there is no migration 9999"),
      (["migrate", "up", "--steps", "0"], 2, "--steps takes a whole number"),
      (["query", "price", "--hcpcs", "99213"], 2, "needs --locality or --zip"),
      (
        ["query", "price", "--hcpcs", "99213", "--zip", "99501", "--locality", "02102-01"], 2,
        "--locality and --zip exclude each other"
      ),
      (
        ["query", "price", "--hcpcs", "99213", "--locality", "02102-01", "--plus-four", "1234"], 2,
        "--plus-four belongs to --zip, which is not given"
      ),
      (["query", "price", "--hcpcs", "99213", "--locality", "1-1", "--date", "soon"], 2, "--date"),
      (["query", "pryce"], 2, "did you mean 'price'?"),
      (["runs", "show", "77"], 2, "there is no run 77"),
      (["releases", "pin", "cms-rvu", "2031A"], 2, "no release '2031A'"),
      (["releases", "publish", "cms-rvu", "2031A"], 2, "no release '2031A'"),
      (["releases", "rollback", "cms-rvu"], 1, "nothing of cms-rvu is published"),
    ]
    for (arguments, status, says) in cases {
      let outcome = try program.run(arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(arguments): \(outcome.output)")
    }
    #expect(try database.value(Self.ledger) == "0")
  }

  @Test(
    "says a publisher's zip of another dataset with 3, what was found and what was looked for",
    .needs("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip"))
  func otherDataset() throws {
    let (database, program) = try Loaded.migrated()
    try program.run(
      "run", "cms-rvu", SharedData.path("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip")
    ).failed(3, saying: "HCPC2018_CONTR_ANWEB_disc.txt", "PPRRVU* (csv, txt, xlsx)")
    #expect(try database.value(Self.ledger) == "0")
  }

  @Test("says a database that cannot be reached with 1, with libpq's reason and without the password")
  func unreachable() throws {
    let program = Program(database: "postgresql://somebody:s3cret@127.0.0.1:1/nowhere?connect_timeout=2")
    for arguments in [["migrate", "status"], ["run", "cms-rvu", Sample.path], ["releases", "list"]] {
      let outcome = try program.run(arguments).failed(1, saying: "Connection refused")
      #expect(!outcome.errors.contains("s3cret"))
    }
  }

  @Test("does not choose a database by itself where nobody sits at a terminal")
  func noDatabase() throws {
    let outcome = try Program().run("migrate", "status")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("no database is named"))
  }

  @Test("says where the schema is missing, with 5")
  func noSchema() throws {
    let database = try TestServer.shared.makeDatabase()
    try Program(database: database.url).run("run", "cms-rvu", Sample.path).failed(
      5, saying: "rivulet migrate up")
  }
}

/// The sample release of the project.
enum Sample {
  static let path = SharedData.project + "/Data/samples/RVU25D-sample.zip"
}
