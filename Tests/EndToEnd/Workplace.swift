import Foundation
import TestSupport
import Testing

/// Where a test works: a folder, a database with the tables of a project, and the program on them.
protocol Workplace {
  /// The folder, in which the sources lie; and the project, where it is not our own.
  var scratch: Scratch { get }
  var database: TestDatabase { get }
  var program: Program { get }
  /// What names the project to a command; nothing for our own.
  var project: [String] { get }
}

extension Workplace {
  var project: [String] { ["--project", scratch.path] }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { name.hasPrefix("/") ? name : scratch.path + "/" + name }

  /// Runs any command in the project.
  func command(_ words: String..., options: [String] = []) throws -> Program.Outcome {
    try program.run(words + options + project)
  }

  /// Loads files and folders, by their names in the folder.
  func load(_ pipeline: String, _ sources: String..., options: [String] = []) throws -> Program.Outcome {
    try program.run(["run", pipeline] + sources.map(path) + options + project)
  }

  /// The first column of the first row.
  func value(_ sql: String) throws -> String? { try database.value(sql) }

  /// Rows in a line each: `1|Ann`, nulls as a dash.
  func rows(_ sql: String) throws -> [String] { try database.rows(sql) }

  /// The text of a file in the folder.
  func text(of name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// Puts one text in the place of another that a file in the folder has.
  func edit(_ name: String, _ text: String, to other: String) throws {
    let whole = try self.text(of: name)
    try #require(whole.contains(text), "\(name): \(whole.prefix(2_000))")
    try scratch.write(name, whole.replacing(text, with: other))
  }
}

/// A workplace of our own project.
struct Desk: Workplace {
  let scratch: Scratch
  let database: TestDatabase
  let program: Program
  let project: [String] = []

  /// With tables that are empty, or what a database holds that is copied.
  init(with loaded: (TestDatabase, Program)? = nil) throws {
    scratch = try Scratch()
    (database, program) = try loaded ?? Loaded.migrated()
  }
}

/// A workplace of a project of its own.
struct OwnProject: Workplace {
  let scratch: Scratch
  let database: TestDatabase
  let program: Program

  /// A project of these files, and a database without a table or a copy of one that has them.
  init(_ files: [String: String], on other: TestDatabase? = nil) throws {
    scratch = try Scratch()
    for (name, text) in files { try scratch.write(name, text) }
    database = try TestServer.shared.makeDatabase(from: other)
    program = Program(database: database.url)
  }

  /// A project with some pipelines of ours, without their views and checks, and a database with our tables.
  init(of pipelines: [String]) throws {
    scratch = try Scratch()
    (database, program) = try Loaded.migrated()
    let layouts = try pipelines.flatMap { name in
      try FileManager.default.contentsOfDirectory(
        atPath: "\(SharedData.project)/Pipelines/\(name)/layouts"
      ).map { "Pipelines/\(name)/layouts/\($0)" } + ["Pipelines/\(name)/pipeline.yaml"]
    }
    for file in ["rivulet.yaml", "Data/lists/state.yaml", "Data/lists/nppes-sex.yaml"] + layouts {
      try scratch.write(
        file, try String(contentsOfFile: SharedData.project + "/" + file, encoding: .utf8))
    }
  }
}

// MARK: Definitions

extension OwnProject {
  /// The definition of a layout by its columns: `name: code, csv: CODE, type: text`.
  static func layout(_ name: String, _ columns: String..., children: String = "") -> String {
    layout(name, columns: columns, children: children)
  }

  /// The same of any number of columns.
  static func layout(_ name: String, columns: [String], children: String = "") -> String {
    let list = columns.map { "      - {\($0)}\n" }.joined()
    return "layout: \(name)\nversions:\n  - version: '2020'\n    columns:\n\(list)\(children)"
  }

  /// A table of releases.
  static func table(_ name: String, _ columns: String, key: String, more: String = "") -> String {
    """
    CREATE TABLE \(name) (release text, \(columns), source_file_id bigint NOT NULL, source_line bigint NOT NULL,
      PRIMARY KEY (release, \(key))\(more)) PARTITION BY LIST (release);

    """
  }

  /// The migration that makes schemas with what is in them.
  static func migration(_ schemas: String..., making tables: String) -> String {
    "-- rivulet:up\n" + schemas.map { "CREATE SCHEMA \($0);\n" }.joined() + tables
      + "\n-- rivulet:down\nDROP SCHEMA \(schemas.joined(separator: ", ")) CASCADE;\n"
  }

  /// The definition of a stored view by its key: of what has changed in a table, else as a whole.
  static func view(by key: String, of table: String? = nil, _ sql: String) -> String {
    let sources = table.map { "sources:\n  \($0): {capture: [\(key)], keys: SELECT \(key) FROM changed}\n" }
    return """
      /* rivulet view
      strategy: \(table == nil ? "full" : "incremental")
      description: Rows by \(key)
      key: [\(key)]
      \(sources ?? "")*/
      \(sql)

      """
  }
}
