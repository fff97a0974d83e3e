import PostgreSQL

extension Workbench {
  /// A database of the server as libpq's keywords name it.
  func specification(of database: String) -> String {
    // The last of two settings of the same keyword counts.
    target.specification + " dbname=" + database
  }

  /// Connects to a database of the server; the first one when nil.
  func connect(to database: String? = nil) throws -> Connection {
    try Connection(to: try database.map { try ConnectionTarget(specification(of: $0)) } ?? target)
  }

  /// Makes a database, runs `body` and drops the database.
  ///
  /// As a database in use is: its system caches are on the disk and the server has nothing left to write.
  func withDatabase<Value>(
    _ name: String, from template: String? = nil, _ body: () throws -> Value
  ) throws -> Value {
    let server = try connect()
    let source = template.map { " TEMPLATE \(Quote.identifier($0))" } ?? ""
    try server.execute("CREATE DATABASE \(Quote.identifier(name))\(source)")
    defer { _ = try? server.execute("DROP DATABASE \(Quote.identifier(name)) WITH (FORCE)") }
    try connect(to: name).execute("CHECKPOINT")
    return try body()
  }

  /// The number of rows of some tables.
  func rows(of tables: [String], in database: String) throws -> [Int] {
    let connection = try connect(to: database)
    return try tables.map { table in
      try connection.query("SELECT count(*) FROM \(Quote.qualified(table))")[0].value(0)
    }
  }
}
