import Definitions
import Glibc
import Host
import PostgreSQL

/// Where a measurement takes place: a scratch folder and a server of its own, both gone afterwards.
final class Workbench {
  let options: BenchOptions
  /// The project whose pipelines and migrations are used.
  let project: String
  /// Everything that is written is in here.
  let folder: String
  /// The server's first database, by keywords.
  private let target: ConnectionTarget
  /// The client program of the server's own version.
  private let psql: String
  /// Databases that are done with.
  private var used: [String] = []

  private init(
    _ options: BenchOptions, project: String, folder: String, cluster: EmbeddedCluster
  ) throws {
    self.options = options
    self.project = project
    self.folder = folder
    target = try cluster.ensureRunning()
    psql = try cluster.shellCommand()[0]
    // What it does for the databases of the runs before would be counted against those after them.
    let server = try connect()
    for statement in ["ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"] {
      try server.execute(statement)
    }
  }

  /// Runs `body` in a new workbench and clears it away, however `body` ends.
  static func whileOpen<Value>(
    _ options: BenchOptions, _ body: (Workbench) throws -> Value
  ) throws -> Value {
    guard Files.isExecutable(options.rivulet) else {
      throw BenchError.usage("there is no program '\(options.rivulet)': build it, or name it with --rivulet")
    }
    guard let project = Project.folder(above: ".") ?? Project.folder(above: Path.parent(Machine.program))
    else { throw BenchError.usage("there is no \(Project.fileName) here or in a folder above") }
    let folder = try makeScratchFolder()
    defer { try? Files.remove(folder) }
    let cluster = try EmbeddedCluster(stateFolder: Path.join(folder, "state"))
    defer { _ = try? cluster.destroy() }
    return try body(Workbench(options, project: project, folder: folder, cluster: cluster))
  }

  /// A folder on a disk: what `/tmp` is on may be memory, which makes commits look cheap.
  private static func makeScratchFolder() throws -> String {
    let template = Path.join(Machine.environment("TMPDIR") ?? "/var/tmp", "rivulet-bench.XXXXXX")
    var name = Array(template.utf8CString)
    guard mkdtemp(&name) != nil else {
      throw BenchError.failed("cannot write '\(template)': \(systemMessage(errno))")
    }
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The server may run as another user, who has to come through.
    chmod(folder, 0o711)
    return folder
  }

  /// Says something on standard error.
  func say(_ line: String) { Output.err(line + "\n") }

  /// A path in the scratch folder.
  func path(_ name: String) -> String { Path.join(folder, name) }

  /// A file of the folder of real files, which may not be there.
  func data(_ path: String) -> String {
    Path.join(options.data ?? Path.join(Path.parent(project), "shared/data"), path)
  }
}

// Databases.
extension Workbench {
  /// The database that each run of a side has for its own.
  static let own = "bench"

  /// Connects to a database of the server; the first one when nil.
  func connect(to database: String? = nil) throws -> Connection {
    try Connection(to: try database.map { try ConnectionTarget(specification(of: $0)) } ?? target)
  }

  /// A database of the server as libpq's keywords name it.
  func specification(of database: String) -> String {
    // The last of two settings of the same keyword counts.
    target.specification + " dbname=" + database
  }

  /// Makes a database and runs `body`; the database is dropped by ``dropUsed()``.
  ///
  /// As a database in use is: its system caches are on the disk and the server has nothing left to write.
  func withDatabase<Value>(
    _ name: String = own, from template: String? = nil, _ body: () throws -> Value
  ) throws -> Value {
    let server = try connect()
    let source = template.map { " TEMPLATE \(Quote.identifier($0))" } ?? ""
    try server.execute("CREATE DATABASE \(Quote.identifier(name))\(source)")
    defer { putAside(name, on: server) }
    try connect(to: name).execute("CHECKPOINT")
    return try body()
  }

  /// Keeps a database under another name: ext4 makes new files more slowly for some minutes after many were
  /// removed, which would be counted against what makes tables.
  private func putAside(_ name: String, on server: Connection) {
    let other = "used_\(used.count)"
    used.append(other)
    _ = try? server.execute(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = \(Quote.literal(name));
      ALTER DATABASE \(Quote.identifier(name)) RENAME TO \(Quote.identifier(other))
      """)
  }

  /// Drops the databases that were used, between two figures.
  func dropUsed() throws {
    let server = try connect()
    for name in used { try server.execute("DROP DATABASE IF EXISTS \(Quote.identifier(name)) WITH (FORCE)") }
    used = []
  }

  /// Runs a side on a database of its own, a copy of a template.
  ///
  /// Throws unless tables, or what else can follow FROM, have so many rows afterwards.
  func runAlone(
    from template: String? = nil, expecting rows: some Sequence<(key: String, value: Int)>,
    _ body: () throws -> ProgramRun
  ) throws -> ProgramRun {
    try withDatabase(from: template) {
      let run = try body()
      try check(rows)
      return run
    }
  }

  /// The number of rows of a table, or of what else can follow FROM.
  func rows(of source: String, in database: String = own) throws -> Int {
    try connect(to: database).query("SELECT count(*) FROM \(source)")[0].value(0)
  }

  /// Throws unless they have so many rows: a side that has not done its work says nothing by its time.
  func check(_ expected: some Sequence<(key: String, value: Int)>, in database: String = own) throws {
    for (source, expected) in expected {
      let found = try rows(of: source, in: database)
      if found != expected {
        throw BenchError.failed(
          "\(source) has \(found) rows instead of \(expected), so its time says nothing")
      }
    }
  }
}

/// One run of a program.
struct ProgramRun {
  /// From before its start to after its end.
  let seconds: Double
  /// Its largest resident memory, in bytes.
  let peakMemory: Int
  let output: String

  /// Both, one after the other.
  static func + (one: ProgramRun, other: ProgramRun) -> ProgramRun {
    ProgramRun(
      seconds: one.seconds + other.seconds, peakMemory: max(one.peakMemory, other.peakMemory),
      output: one.output + other.output)
  }
}

// Programs.
extension Workbench {
  /// Runs a program to its end and takes the time.
  ///
  /// Throws ``BenchError`` where it does not end with 0, and `Interrupted` where the user has asked for that.
  func run(_ command: [String]) throws -> ProgramRun {
    try Interruption.shared.check()
    let process = program(command)
    let start = Machine.seconds
    let outcome = try process.run()
    let seconds = Machine.seconds - start
    guard outcome.status == 0 else {
      throw BenchError.failed(
        "'\(command.prefix(4).joined(separator: " "))' ended with \(outcome.status): \(outcome.output)")
    }
    return ProgramRun(seconds: seconds, peakMemory: outcome.peakMemory, output: outcome.output)
  }

  private func program(_ command: [String]) -> Subprocess {
    var process = Subprocess(command)
    // No variable of this shell leads a side to another server or another configuration.
    process.withheldPrefixes = ["PG", "RIVULET_", "DATABASE_URL"]
    return process
  }

  /// Runs the program that is measured on a database of the server, in our own project unless another folder
  /// is named.
  @discardableResult
  func rivulet(
    _ arguments: [String], on database: String = own, in project: String? = nil
  ) throws -> ProgramRun {
    try run(words(arguments, on: database, in: project ?? self.project))
  }

  /// The same program, for a thread that runs it beside others.
  func rivuletBeside(_ arguments: [String], in project: String) -> Subprocess {
    program(words(arguments, on: Self.own, in: project))
  }

  private func words(_ arguments: [String], on database: String, in project: String) -> [String] {
    [options.rivulet] + arguments + [
      "--project", project, "--quiet", "--format", "json", "--database", specification(of: database),
    ]
  }

  /// Takes the time of something that is no program.
  func timed(_ body: () throws -> Void) throws -> ProgramRun {
    try Interruption.shared.check()
    let start = Machine.seconds
    try body()
    return ProgramRun(seconds: Machine.seconds - start, peakMemory: 0, output: "")
  }

  /// Runs `psql` on a script.
  @discardableResult
  func psql(_ sql: String, on database: String = own, _ arguments: [String] = []) throws -> ProgramRun {
    let script = path("script.sql")
    try Files.write(sql, to: script)
    return try run(
      [psql, "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"] + arguments
        + ["--file", script, specification(of: database)])
  }

  /// Measures two programs in turns, one pair as a warm-up and then as many as were asked for; without a
  /// yardstick ours alone.
  ///
  /// Each is given the number of the turn: 0 for the warm-up.
  func compare(
    _ details: KeyValuePairs<String, Int> = [:], ours: (Int) throws -> ProgramRun,
    yardstick: ((Int) throws -> ProgramRun)? = nil
  ) throws -> Runs {
    var runs = Runs(details: details.map { (name: $0, value: $1) })
    for turn in 0...options.runs {
      let (one, other) = (try ours(turn), try yardstick?(turn))
      let place = turn == 0 ? "warm-up" : "\(turn) of \(options.runs)"
      let held = other.map { ", yardstick \($0.seconds.fixed(3)) s" } ?? ""
      say("  \(place): \(one.seconds.fixed(3)) s\(held)")
      if turn == 0 { continue }
      runs.ours.append(one)
      if let other { runs.yardstick.append(other) }
    }
    return runs
  }
}
