import Catalog
import Definitions
import Glibc
import Host
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Progress
import Reporting
import Values
import ViewEngine

/// What all commands share: the global options, the project, the database, the ways to speak.
final class Session {
  private let options: Invocation
  /// What the command has done so far.
  let record = CommandRecord()
  private var openProject: Project?
  private var openLineage: Lineage?
  /// The user knows which database it is.
  private var hasNamedDatabase = false
  /// What was said once.
  private var advice: Set<String> = []
  /// The database that was connected to last.
  private var connected: ConnectionTarget?

  /// `log`: where what it says goes.
  init(_ invocation: Invocation, log: Log) { (options, self.log) = (invocation, log) }

  // MARK: Output

  /// Whether exactly one JSON document goes to standard output.
  var isJSON: Bool { options["--format"] == "json" }

  /// Writes the answer: a JSON document or text.
  func answer(json: @autoclosure () -> JSON, text: @autoclosure () -> String) throws {
    try answer(json: json(), text: ConsoleText(text()))
  }

  /// Writes the answer: a JSON document or text with tables.
  func answer(json: @autoclosure () -> JSON, text: @autoclosure () -> ConsoleText) throws {
    let output = try OutputFile(nil, pager: pager)
    try output.write(isJSON ? json().text + "\n" : text().text(in: style))
    try output.close()
  }

  /// Writes the answer of what has failed, and throws that failure, also where nobody can read the answer:
  /// that is only said.
  func fail(_ failure: Failure, json: JSON, text: ConsoleText) throws -> Never {
    do {
      try answer(json: json + failure.json, text: text)
    } catch {
      warn(Failure(error).message)
    }
    throw ReportedFailure(failure: failure)
  }

  /// Writes the answer that another program runs, such as SQL: to a terminal what would steer it by its number,
  /// to anything else each byte as it is, since a name may hold such characters.
  func answer(json: @autoclosure () -> JSON, script: String) throws {
    let isShown = Terminal.has(.output)
    let output = try OutputFile(nil, pager: pager)
    try output.write(isJSON ? json().text + "\n" : isShown ? script.printable() : script)
    try output.close()
  }

  /// The same of so many statements, in a file where one is named: a new one is its owner's only, as it names the
  /// database and its roles.
  func answer(json: JSON, script: String, statements: Int, into path: String?) throws {
    guard let path else { return try answer(json: json, script: script) }
    let file = try OutputFile(path, newMode: OutputFile.ownersOnly)
    try file.write(script)
    try file.close()
    try answer(json: json + ["file": path], text: "\(statements) statements in \(path)\n")
  }

  /// How tables are laid out on standard output: for its terminal, where it is one.
  var style: TableStyle {
    guard !isJSON, Terminal.isCapable(.output) else { return .plain }
    return TableStyle(width: Terminal.size(of: .output)?.columns, isColoured: isColoured)
  }

  /// Whether terminals get colours.
  private var isColoured: Bool { !options.has("--no-color") && Machine.environment("NO_COLOR") == nil }

  /// What shows an answer that is longer than the terminal; nil where there is none, or nothing is paged.
  var pager: Pager? { isJSON || options.has("--no-pager") ? nil : Pager.usual }

  /// A line of the log on standard error, unless `--quiet`.
  ///
  /// `subject`: what it is about; nil for what the program is at.
  func tell(_ line: String, about subject: LogSubject? = nil) {
    guard options["--quiet"] == nil else { return }
    log.write(line, level: .info, about: subject)
  }

  /// A line of the log that no option silences.
  ///
  /// `subject`: what it is about; nil for what the program is at.
  func warn(_ line: String, about subject: LogSubject? = nil) {
    log.write(line, level: .warning, about: subject)
  }

  /// A line of the log for `--verbose`.
  func detail(_ line: String) {
    if isVerbose { log.write(line, level: .debug) }
  }

  /// Whether more is to be said on standard error.
  var isVerbose: Bool { options["--verbose"] != nil }

  /// For `--verbose`: all that the server has said of what a migration has failed for, values of rows included.
  func detail(_ error: any Error) {
    guard case MigrationError.failed(_, _, _, _, let server) = error, let words = server.indiscreetWords
    else { return }
    detail("the server's own words, which may have values of rows: \(words)")
  }

  /// The log, for other threads.
  let log: Log

  /// Lines of the log are about this pipeline from now on, unless they say another; nil for none.
  func work(on pipeline: String?) { log.work.enter(pipeline: pipeline) }

  /// Does something, and shows meanwhile how far it has come, as `--progress` has it.
  func showing<Value>(_ work: WorkProgress, _ body: () throws -> Value) rethrows -> Value {
    log.work.enter(work)
    defer { log.work.enter(nil) }
    let kind = options["--progress"]
    guard options["--quiet"] == nil, kind != "none" else { return try body() }
    // A log that programs read is not drawn over.
    let isLive = kind != "plain" && !log.isJSON && Terminal.isCapable(.errors)
    let form: ProgressDisplay.Form = isLive ? .live(isColoured: isColoured) : .plain
    // In time for the next line.
    let pause = isLive ? 1 : form.pause - 0.5
    let watch = connected.map { StatementWatch(work, on: $0, every: pause) }
    let display = ProgressDisplay(work, as: form, log: log, watch: watch)
    defer { display.end() }
    return try body()
  }

  /// How long to wait for another run on the same thing, in seconds.
  func lockWait() throws -> Double { try givenLockWait() ?? 0 }

  /// How long a refresh that follows other work waits for another one of the same view, in seconds: runs of
  /// several pipelines end together, and what one of them has published is not left out for a view of all.
  func refreshWait() throws -> Double { try givenLockWait() ?? 60 }

  /// The same, nil where the user has not said.
  func givenLockWait() throws -> Double? { try options.integer("--lock-wait").map(Double.init) }

  /// Where events of lineage go; nil where nobody wants them.
  func lineage() throws -> Lineage? {
    if let openLineage { return openLineage }
    guard let text = options["--openlineage"],
      let sink = LineageSink(text, warn: { [self] in warn($0) })
    else { return nil }
    openLineage = Lineage(sink, project: try project().name)
    return openLineage
  }

  /// Does what comes before a run of a pipeline; that it fails is an event of lineage too.
  func tracing<Value>(_ pipeline: Pipeline, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      try? lineage()?.addFailure(of: pipeline, error)
      throw error
    }
  }

  /// Adds the events of a view that was refreshed to those of lineage, where somebody wants them.
  func addLineage(of refresh: ViewRefresh, on connection: Connection) {
    guard let target = connected, let lineage = try? lineage() else { return }
    LineageViews(lineage: lineage, target: target).add(refresh, on: connection)
  }

  /// Writes what machines are to know of the command where it was asked for; that this fails is no failure of
  /// the command.
  func writeMetrics(exitCode: Int32) {
    guard let path = options["--metrics"] else { return }
    let name = options.path.dropFirst().joined(separator: " ")
    do {
      try CommandMetrics(command: name, exitCode: exitCode, record: record).write(to: path)
    } catch {
      warn("--metrics: \(Failure(error).message)")
    }
  }

  // MARK: Project

  /// The project: `--project`, else the nearest folder above with rivulet.yaml, else the installed one.
  func project() throws -> Project {
    if let openProject { return openProject }
    let project = try Project.load(try projectFolder())
    openProject = project
    return project
  }

  /// The project where a command is to write into it: not the installed one, which is for all users and comes
  /// with the next version again.
  func ownProject() throws -> Project {
    let project = try project()
    guard project.folder != Path.canonical(Session.installed) else {
      throw options.usage(
        "the project in '\(project.folder)' is the installed one, for all users: 'rivulet init DIR' copies it "
          + "into a folder of your own, where this works")
    }
    return project
  }

  /// A release's name as its pipeline writes it; in capitals where there is no such pipeline any more.
  func releaseName(_ name: String, of pipeline: String) -> String {
    (try? project().pipeline(named: pipeline))?.release.spelled(name) ?? name.uppercased()
  }

  /// Where the installed project is: `/usr/share/rivulet` for `/usr/bin/rivulet`.
  private static var installed: String {
    Path.join(Path.parent(Path.parent(Machine.program)), "share/rivulet")
  }

  private func projectFolder() throws -> String {
    if let folder = options["--project"] {
      guard Files.exists(Path.join(folder, Project.fileName)) else {
        throw options.usage("--project: there is no \(Project.fileName) in '\(folder)'")
      }
      return Path.resolved(folder) ?? folder
    }
    if let found = Project.folder(above: ".") { return found }
    if Files.exists(Path.join(Session.installed, Project.fileName)) {
      return Path.canonical(Session.installed)
    }
    if let found = Project.folder(above: Path.parent(Machine.program)) { return found }
    throw options.usage(
      "there is no \(Project.fileName) here or in a folder above: change to the project or use --project DIR")
  }

  /// All pipelines of the project.
  func pipelines() throws -> [Pipeline] {
    try project().pipelines()
  }

  // MARK: Database

  /// Which database the command works on; nothing is started.
  func databaseChoice() throws -> DatabaseChoice {
    try DatabaseChoice(option: options["--database"], usage: options.usage)
  }

  /// Where the database is; the embedded one is started if it has to be.
  func target() throws -> ConnectionTarget {
    switch try databaseChoice() {
    case .named(let target, let origin):
      name("\(target.label) (\(origin))")
      if origin == "--database", target.hasPassword { advise(PasswordAdvice.isShown) }
      return target
    case .embedded:
      let cluster = try EmbeddedCluster()
      let target = try cluster.ensureRunning { tell($0) }
      name("the embedded database")
      detail(cluster.url)
      return target
    }
  }

  /// Says once what had better be changed.
  private func advise(_ line: String) {
    if advice.insert(line).inserted { warn(line) }
  }

  /// Says once which database it is.
  private func name(_ database: String) {
    if !hasNamedDatabase { tell(database) }
    hasNamedDatabase = true
  }

  /// A connection whose statement is cancelled when the program is asked to end.
  func connect(to target: ConnectionTarget) throws -> Connection {
    let connection = try firstConnection(to: target)
    connected = target
    if connection.hasOpenPassword { advise(PasswordAdvice.isOpen) }
    detail("PostgreSQL \(connection.serverVersion / 10_000), server process \(connection.backendID)")
    _ = Interruption.shared.register { [weak canceller = connection.canceller] in _ = canceller?.cancel() }
    connection.onNotice { [self] notice in
      if notice.severity == "WARNING" { warn("\(notice.severity): \(notice.message)") }
    }
    return connection
  }

  /// A server that is starting up, or has no connection left, is waited for; one that is not there, or does
  /// not want us, is not.
  private func firstConnection(to target: ConnectionTarget) throws -> Connection {
    var pauses = RetryPolicy.connections(retries: 3).pauses()
    while true {
      do throws(PostgreSQLError) {
        return try Connection(to: target, settings: "SET lock_timeout = '10s'")
      } catch {
        // Not asked where the program is to end: a server that says nothing would keep it.
        guard !Interruption.shared.isRaised, case .connectionFailed(_, let reason) = error,
          error.isOutOfConnections || Connection.isStarting(target),
          let pause = pauses.next()
        else { throw error }
        let state = error.isOutOfConnections ? "has no connection left" : "is not ready yet"
        warn("the server \(state) (\(reason)); trying again in a moment")
        try Interruption.shared.sleep(seconds: pause)
      }
    }
  }

  /// An error with what is behind it, where the database knows and nobody has looked it up: what gives the
  /// right that was missing, or where the time-out is set.
  func explaining(_ error: any Error) -> any Error {
    switch error {
    case PostgreSQLError.server(let refused) where refused.sqlState == "42501":
      return remedy(for: refused).map { MissingRights(error: refused, remedy: $0) } ?? error
    case QueryRun.Problem.broken(let file, let line, var refused) where refused.sqlState == "42501":
      refused.remedy = remedy(for: refused)
      return QueryRun.Problem.broken(file: file, line: line, error: refused)
    default:
      guard let setting = EndedByTimeout.setting(behind: error), let connected,
        let timeout = try? Connection(to: connected).timeout(setting)
      else { return error }
      return EndedByTimeout(error: error, timeout: timeout)
    }
  }

  /// Asked on a connection of its own, since the command's may be lost.
  private func remedy(for refused: ServerError) -> RightsRemedy? {
    guard refused.sqlState == "42501", let connected else { return nil }
    return (try? Connection(to: connected))?.remedy(for: refused)
  }

  /// A connection to the database.
  func connect() throws -> Connection { try connect(to: try target()) }

  /// A connection to the database, whose schema `rivulet` is of the program's version then.
  func connectToLedger() throws -> Connection {
    let connection = try connect()
    try Catalog.prepare(connection)
    return connection
  }
}
