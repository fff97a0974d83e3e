import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A migrated database of the five systems, which exports are loaded into and views are asked of.
///
/// Rows and people are written in its SQL as in ``People/identified(_:)``.
struct SystemDatabase {
  let database: TestDatabase
  let program: Program
  let scratch: Scratch
  /// The owner's session, in UTC.
  let connection: Connection

  init() throws {
    (database, program) = try Loaded.migrated()
    scratch = try Scratch()
    connection = try database.connect()
    try connection.execute("SET timezone = 'UTC'")
  }

  func execute(_ sql: String) throws { try connection.execute(People.identified(sql)) }

  /// The rows of a query as lines, `|` between columns and `-` for null.
  func rows(_ sql: String) throws -> [String] { try connection.lines(People.identified(sql)) }

  /// Compares the rows of a query.
  func expect(_ sql: String, _ rows: String..., at place: SourceLocation = #_sourceLocation) throws {
    #expect(try self.rows(sql) == rows, "\(sql)", sourceLocation: place)
  }

  /// Brings the stored views up to date.
  func refresh(_ options: String...) throws { try program.run(["refresh"] + options).succeeded() }

  /// Loads an export, with all of what the program says of it.
  @discardableResult
  func load(_ export: SystemExport, as format: String = "ndjson", _ options: String...) throws
    -> Program.Outcome
  {
    let folder = try export.write(to: scratch, UUID().uuidString, as: format)
    return try program.run(["run", export.system, folder, "--no-refresh"] + options)
  }

  /// Loads a folder with one file of a system, as it is written.
  ///
  /// `folder`: one that may have other files already.
  func load(
    _ system: String, _ file: String, _ text: String, into folder: String = UUID().uuidString,
    _ options: String...
  ) throws -> Program.Outcome {
    try scratch.write("\(folder)/\(file)", People.identified(text))
    return try program.run(["run", system, scratch.path + "/" + folder, "--no-refresh"] + options)
  }

  /// All rows of a system's tables, without where they come from.
  func content(of system: String) throws -> [String: [String]] {
    let tables = try rows(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '\(system)'::regnamespace")
    return try tables.reduce(into: [:]) { content, table in
      content[table] = try rows(
        "SELECT (to_jsonb(t) - ARRAY['source_file_id', 'source_line'])::text FROM \(system).\(table) t ORDER BY 1"
      )
    }
  }
}
