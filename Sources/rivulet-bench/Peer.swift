import Host

/// What others load the same releases with: a script of `Benchmarks/peers`, which is given the connection and
/// the zip files, fills the tables that are there, and checks what its users would.
struct Peer {
  /// As its users call it.
  let name: String
  /// The script without its ending.
  private let script: String
  /// What is asked for its version.
  private let origin: Origin

  /// Where a peer comes from.
  private enum Origin {
    /// Packages of Python, as pip calls them: the peer itself, and what its script needs beside it.
    case packages([String])
    /// A program, as a Debian package of the same name brings it.
    case program(String)
  }

  /// All that can be measured, in the order in which they are.
  static let all = [
    Peer(name: "psycopg", script: "with_psycopg", origin: .packages(["psycopg"])),
    Peer(name: "DuckDB", script: "with_duckdb", origin: .packages(["duckdb", "duckdb-ext-postgres"])),
    Peer(
      name: "polars, ADBC", script: "with_polars", origin: .packages(["polars", "adbc-driver-postgresql"])),
    Peer(
      name: "dlt, polars", script: "with_dlt",
      origin: .packages(["dlt", "polars", "pyarrow", "adbc-driver-postgresql", "psycopg", "psycopg2-binary"])),
    Peer(name: "pgloader", script: "with_pgloader", origin: .program("pgloader")),
  ]

  /// What links records, and loads nothing.
  static let splink = Peer(
    name: "Splink", script: "with_splink", origin: .packages(["splink", "duckdb", "pyarrow"]))

  /// Its version.
  /// - Throws: ``BenchError/missing(_:)`` where it, or what its script needs, is not installed.
  func version(in workbench: Workbench) throws -> String {
    switch origin {
    case .packages(let packages):
      let ask = "import sys, importlib.metadata as m; print(*(m.version(p) for p in sys.argv[1:]))"
      guard let run = try? workbench.run([Self.python(in: workbench), "-c", ask] + packages) else {
        throw BenchError.missing(
          "Python lacks one of \(packages.joined(separator: ", ")); 'make bench-peers' installs them")
      }
      return String(run.output.prefix { !$0.isWhitespace })
    case .program(let program):
      guard let run = try? workbench.run([program, "--version"]) else {
        throw BenchError.missing("there is no program '\(program)' (apt-get install \(program))")
      }
      // pgloader version "3.6.7~devel"
      return run.output.split(separator: "\"").dropFirst().first.map { String($0) } ?? "unknown"
    }
  }

  /// Loads releases into the tables of the schema `peer` of the database that a run has for its own.
  func load(_ sources: [String], in workbench: Workbench) throws -> ProgramRun {
    let file = Path.join(workbench.project, "Benchmarks/peers/\(script).py")
    return try workbench.run(
      [Self.python(in: workbench), file, workbench.specification(of: Workbench.own)] + sources)
  }

  /// What its script prints for the arguments.
  func answer(to arguments: [String], in workbench: Workbench) throws -> String {
    let file = Path.join(workbench.project, "Benchmarks/peers/\(script).py")
    return try workbench.run([Self.python(in: workbench), file] + arguments).output
  }

  /// The one of the environment that `make bench-peers` makes, or else the system's.
  private static func python(in workbench: Workbench) -> String {
    let own = Path.join(workbench.project, ".build/peers/bin/python")
    return Files.isExecutable(own) ? own : "python3"
  }
}
