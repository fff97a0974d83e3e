import Host

/// One migration of 20,000 INSERTs, such as a script of codes: applied against psql's one transaction of the same
/// statements, and looked at by the lint.
enum BenchStatements {
  private static let count = 20_000
  private static let details: KeyValuePairs = ["statements": count]
  private static let table = "bench_code"

  private static let script =
    "CREATE TABLE \(table) (code int NOT NULL, description text);\n"
    + (1...count).map { "INSERT INTO \(table) (code, description) VALUES (\($0), 'code number \($0)');\n" }
    .joined()

  static func up(in workbench: Workbench) throws -> Runs {
    let folder = try writeFolder(workbench)
    return try workbench.compare(
      details,
      ours: { _ in
        try workbench.runAlone(expecting: [table: count]) {
          try workbench.rivulet(["migrate", "up", "--dir", folder])
        }
      },
      yardstick: { _ in
        try workbench.runAlone(expecting: [table: count]) {
          try workbench.psql(script, ["--single-transaction"])
        }
      })
  }

  static func lint(in workbench: Workbench) throws -> Runs {
    let folder = try writeFolder(workbench)
    return try workbench.compare(
      details, ours: { _ in try workbench.rivulet(["migrate", "lint", "--dir", folder]) })
  }

  private static func writeFolder(_ workbench: Workbench) throws -> String {
    let folder = workbench.path("statements")
    try Files.makeDirectory(folder)
    try Files.write(
      "-- rivulet:up\n\(script)-- rivulet:down\nDROP TABLE \(table);\n",
      to: Path.join(folder, "0001_codes.sql"))
    return folder
  }
}
