import Glibc
import Host
import PipelineCore
import Reporting
import Values

/// The command: words in, one call of an engine, an exit code out.
@main
enum Rivulet {
  /// The program's version.
  static let version = "0.1.0"

  static let globals: [Option] = [
    Option(
      "--database", value: "URL|embedded", "the database: a libpq URI or keyword string, or the embedded one"),
    Option(
      "--project", value: "DIR",
      "the folder with rivulet.yaml (default: this one or the nearest above, else the installed one)"),
    Option(
      "--format", value: "FORMAT", choices: ["text", "json"], "json: one JSON document on standard output"),
    Option(
      "--log-format", value: "FORMAT", choices: ["text", "json"],
      "the form of the log on standard error; json: each line one object"),
    Option(
      "--progress", value: "KIND", choices: ["auto", "plain", "none"],
      "how far it has come: auto draws bars on a terminal, else a line every few seconds as plain does"),
    Option(
      "--lock-wait", value: "SECONDS",
      "how long to wait for another run on the same thing (default: 5; migrate: 30; views after a run: 60; files that are fetched: 0)"
    ),
    Option("--no-color", "no colours; also NO_COLOR"),
    Option("--no-pager", "never show what is longer than the terminal by PAGER"),
    Option("--quiet", short: "-q", "only warnings and errors on standard error"),
    Option(
      "--verbose", short: "-v",
      "more on standard error; of migrations all that the server says, which may be values of rows"),
    Option("--help", short: "-h", "this text"),
    Option("--version", "the program's version"),
  ]

  static let root = Command(
    name: "rivulet",
    summary: "Loads, checks and publishes releases of reference data in PostgreSQL",
    discussion: """
      It streams a publisher's files into staged tables, checks every row, publishes a release as a whole or not
      at all, and keeps the schema by migrations that can be reverted.
      """,
    examples: [
      "rivulet migrate up --database embedded",
      "rivulet run cms-rvu RVU25D.zip",
      "rivulet query price --hcpcs 99213 --locality 01112-05",
    ],
    subcommands: [
      databaseCommand, migrateCommand, clusterCommand, rolesCommand, runCommand, pipelinesCommand,
      releasesCommand, queryCommand,
      refreshCommand, viewsCommand, runsCommand, rejectsCommand, reportCommand, docsCommand,
      describeCommand, doctorCommand, nightlyCommand, fetchCommand, sampleCommand, initCommand,
      completionsCommand, manualCommand, helpCommand, versionCommand, completeCommand,
    ])

  static func main() {
    StandardStreams.fillGaps()
    let words = Array(CommandLine.arguments.dropFirst())
    SecretWords.hide()
    SecretWords.keepFromCores()
    exit(run(words))
  }

  private static func run(_ words: [String]) -> Int32 {
    var session: Session?
    let code = perform(words, &session)
    session?.writeMetrics(exitCode: code)
    return code
  }

  /// Does what the words say, and says why where that fails.
  ///
  /// `opened`: what its command shares, where the words are those of a command.
  private static func perform(_ words: [String], _ opened: inout Session?) -> Int32 {
    // The words may be wrong as a whole, so that these two are looked for and not parsed.
    let log = Log(isJSON: value("--log-format", words) == "json")
    do {
      let invocation = try Parser(root: root, globals: globals).parse(words)
      if invocation.has("--version") {
        try Output.out("rivulet \(version)\n")
        return ExitCode.done
      }
      guard let body = invocation.command.run, !invocation.has("--help") else {
        return try help(invocation)
      }
      let session = Session(invocation, log: log)
      try CommandMetrics.check(invocation)
      try Lineage.check(invocation)
      opened = session
      if let incomplete = invocation.incomplete {
        throw invocation.command.explain?(invocation, session) ?? incomplete
      }
      Interruption.shared.listen()
      do {
        return try body(invocation, session)
      } catch {
        session.detail(error)
        // What fails after the program was asked to end fails because of that.
        throw Interruption.shared.isRaised && !(error is ReportedFailure)
          ? error as? Interrupted ?? Interrupted() : session.explaining(error)
      }
    } catch {
      let failure = Failure(error)
      if value("--format", words) == "json" && !(error is ReportedFailure) {
        try? Output.out(failure.json.text + "\n")
      }
      log.write(failure)
      return failure.code
    }
  }

  /// The last value that an option is given among the words.
  private static func value(_ option: String, _ words: [String]) -> String? {
    var found: String?
    for (index, word) in words.enumerated() {
      if word == option { found = words.dropFirst(index + 1).first }
      if word.hasPrefix(option + "=") { found = String(word.dropFirst(option.count + 1)) }
    }
    return found
  }

  /// Help was asked for, or a command of commands was called without one of them.
  private static func help(_ invocation: Invocation) throws -> Int32 {
    let text = Help(command: invocation.command, path: invocation.path, globals: globals).text
    if invocation.has("--help") {
      try Output.out(text)
      return ExitCode.done
    }
    if invocation["--format"] == "json" || invocation["--log-format"] == "json" {
      throw invocation.usage("a command is missing")
    }
    Output.err(text)
    return ExitCode.usage
  }
}
