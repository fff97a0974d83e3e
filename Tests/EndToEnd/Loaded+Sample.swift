import TestSupport
import Testing

extension Loaded {
  /// A new database with the schema in which the sample release is published: a copy of one that loaded it.
  static func sample() throws -> (TestDatabase, Program) {
    let database = try TestServer.shared.makeDatabase(from: published.get())
    return (database, Program(database: database.url))
  }

  /// The database to be copied, to which nobody stays connected.
  private static let published = Result { try migrated(with: Sample.path) }

  /// A new database in which a bundle is published.
  static func migrated(with bundle: String) throws -> TestDatabase {
    let (database, program) = try migrated()
    try program.run("run", "cms-rvu", bundle).succeeded()
    return database
  }
}
