import TestSupport
import Testing

/// A migrated database, and what the tests of real releases share: one with 2025D and 2025A loaded.
enum Loaded {
  static let latest = "rvu/RVU25D.zip"
  static let first = "rvu/rvu25a-updated-01_10_2025.zip"

  /// What small samples break: their rows are too few to have the shares and sums of the release before.
  static let unlikeTheLast = [
    "row-change-pprrvu", "row-change-oppscap", "share-of-status-code-pprrvu", "sum-of-work-rvu-pprrvu",
    "lost-keys-pprrvu", "lost-keys-oppscap",
  ]
  .flatMap { ["--accept", $0] }

  /// A new database with the schema: a copy of one that was migrated for all of them.
  static func migrated() throws -> (TestDatabase, Program) { try copy(of: empty) }

  /// A new database with the sample release: a copy of one into which it was loaded for all of them.
  static func sample() throws -> (TestDatabase, Program) { try copy(of: withSample) }

  /// The same with 2025A.
  static func january() throws -> (TestDatabase, Program) { try copy(of: withJanuary) }

  private static func copy(of other: Result<TestDatabase, any Error>) throws -> (TestDatabase, Program) {
    let database = try TestServer.shared.makeDatabase(from: other.get())
    return (database, Program(database: database.url))
  }

  private static let empty: Result<TestDatabase, any Error> = Result {
    let database = try TestServer.shared.makeDatabase()
    try Program(database: database.url).run("migrate", "up").succeeded()
    try LedgerGuard.install(in: database)
    return database
  }

  private static let withSample = Result { try migrated(with: Sample.path) }
  private static let withJanuary = Result { try migrated(with: SharedData.path(first)) }

  /// A new database in which a bundle is published.
  static func migrated(with bundle: String) throws -> TestDatabase {
    let (database, program) = try migrated()
    try program.run("run", "cms-rvu", bundle).succeeded()
    return database
  }

  /// A new database with the schema of another project, of these files.
  static func database(of files: [String: String]) throws -> TestDatabase {
    let scratch = try Scratch()
    for (name, text) in files { try scratch.write(name, text) }
    let database = try TestServer.shared.makeDatabase()
    try Program(database: database.url).run("migrate", "up", "--project", scratch.path).succeeded()
    return database
  }

  /// Puts the files of a zip into a folder that it makes.
  static func unzip(_ zip: String, _ pattern: String = "*", into folder: String) throws {
    try Shell.run("unzip", "-qj", zip, pattern, "-d", folder)
  }

  /// The database that holds 2025D and 2025A, loaded once; tests only read it.
  static let both: Result<(TestDatabase, Program), any Error> = Result {
    let (database, program) = try january()
    try program.run("run", "cms-rvu", SharedData.path(latest)).succeeded()
    return (database, program)
  }
}

/// The sample release of the project.
enum Sample {
  static let path = SharedData.project + "/Data/samples/RVU25D-sample.zip"
}
