import Glibc
import Host
import PostgreSQL

/// The whole run of one or many releases, from the start of the program to its end, against `psql \copy` of
/// the same rows, cleaned, into keyed tables.
///
/// Each run of either side has a database of its own, a copy of a migrated one without releases, so that
/// nothing has to be rolled back between the runs. Both sides' tables are there, with their keys, before
/// their time begins: the tool's partitioned ones, and for the yardstick plain ones with the same columns,
/// checks and keys.
enum Loading {
  static let template = "bench_template"
  static let tables = ["rvu", "gpci", "locality_county", "anesthesia_cf", "opps_cap"]

  /// Measures bundles, a release each.
  static func measure(_ sources: [String], in workbench: Workbench) throws -> Runs {
    let files = tables.map { (table: $0, file: workbench.path("\($0).csv")) }
    defer { for (_, file) in files { unlink(file) } }
    func load() throws -> ProgramRun { try workbench.rivulet(["run", "cms-rvu", "--no-refresh"] + sources) }
    return try workbench.withDatabase(template) {
      try prepareTemplate("plain", in: workbench)
      // The rows of all releases as the tool has published them.
      let rows = try workbench.withDatabase(from: template) {
        _ = try load()
        try workbench.psql(
          files.map { "\\copy (SELECT * FROM cms.\($0)) TO '\($1)' (FORMAT csv)\n" }.joined())
        return try tables.map { try workbench.rows(of: "cms.\($0)") }
      }
      func side(_ schema: String, _ body: () throws -> ProgramRun) throws -> ProgramRun {
        let expected = zip(tables, rows).map { (key: "\(schema).\($0)", value: $1) }
        return try workbench.runAlone(from: template, expecting: expected, body)
      }
      let copies = files.map { "\\copy plain.\($0) FROM '\($1)' (FORMAT csv)\n" }.joined()
      return try workbench.compare(
        ["rows of cms.rvu": rows[0], "rows in all": rows.reduce(0, +)],
        ours: { _ in try side("cms", load) },
        yardstick: { _ in try side("plain") { try workbench.psql(copies) } })
    }
  }

  /// The schema that a user has before the first release, and beside it the same keyed tables in another one.
  static func prepareTemplate(_ schema: String, in workbench: Workbench) throws {
    try workbench.rivulet(["migrate", "up"], on: template)
    let connection = try workbench.connect(to: template)
    try connection.execute("CREATE SCHEMA \(schema)")
    for table in tables {
      try connection.execute(
        """
        CREATE TABLE \(schema).\(table)
          (LIKE cms.\(table) INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES INCLUDING STORAGE)
        """)
    }
  }
}

/// A million records of NPPES in tables with their keys and indexes, from the start of the program to its end,
/// against `psql \copy` of the file as it is into one table of texts without a key.
enum ProviderLoading {
  private static let records = 1_000_000
  private static let template = "bench_providers"

  static func measure(in workbench: Workbench) throws -> Runs {
    let file = try ProviderFile(in: workbench, records: records)
    defer { unlink(file.path) }
    return try workbench.withDatabase(template) {
      try workbench.rivulet(["migrate", "up"], on: template)
      let columns = (1...file.columns).map { "c\($0) text" }.joined(separator: ", ")
      try workbench.connect(to: template).execute("CREATE TABLE raw (\(columns))")
      func side(_ table: String, _ body: () throws -> ProgramRun) throws -> ProgramRun {
        try workbench.runAlone(from: template, expecting: [(key: table, value: records)], body)
      }
      return try workbench.compare(
        ["records": records],
        ours: { _ in
          try side("directory.provider") {
            try workbench.rivulet(["run", "nppes", "--no-refresh", file.path])
          }
        },
        yardstick: { _ in
          try side("raw") { try workbench.psql("\\copy raw FROM '\(file.path)' (FORMAT csv, HEADER)\n") }
        })
    }
  }
}

/// `releases rollback`, from the start of the program to its end, on a database with two revisions of a
/// release, against a command that only starts, connects and looks.
///
/// What the ratio leaves over one is what moving the tables of a release takes, whatever their size.
enum Rollback {
  static func measure(in workbench: Workbench) throws -> Runs {
    try workbench.withTwoRevisions { release in
      let rows = try workbench.rows(of: "cms.rvu")
      /// Moves the tables, without the refresh of the views that follows it.
      func move(_ command: [String], to revision: Int) throws -> ProgramRun {
        let run = try workbench.rivulet(["releases"] + command + ["--no-refresh"])
        try workbench.check([
          "rivulet.current_release WHERE revision = \(revision)": 1, "cms.rvu": rows,
        ])
        return run
      }
      return try workbench.compare(
        ["rows of cms.rvu": rows],
        ours: { _ in
          let run = try move(["rollback", "cms-rvu"], to: 1)
          _ = try move(["publish", "cms-rvu", release], to: 2)
          return run
        }, yardstick: { _ in try workbench.rivulet(["releases", "list", "cms-rvu"]) })
    }
  }
}

extension Workbench {
  /// Runs `body` with a database that has two revisions of a release, by its name: the second is published.
  func withTwoRevisions<Value>(_ body: (String) throws -> Value) throws -> Value {
    let source = try bundle.file()
    return try withDatabase {
      try rivulet(["migrate", "up"])
      try rivulet(["run", "cms-rvu", source])
      try rivulet(["run", "cms-rvu", source, "--force"])
      let current = try connect(to: Workbench.own).query("SELECT release FROM rivulet.current_release")
      return try body(try current[0].value(0))
    }
  }
}
