import Definitions
import Glibc
import Host
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Store
import Values

let completionsCommand = Command(
  name: "completions", summary: "Prints what lets a shell complete commands, pipelines, releases and more",
  discussion: """
    For bash, `source <(rivulet completions bash)` in ~/.bashrc; for zsh, the output as _rivulet in a folder of
    $fpath; for fish, as ~/.config/fish/completions/rivulet.fish. What a package has installed needs none of it.
    """,
  arguments: [Argument("SHELL", "bash, zsh or fish")],
  examples: ["source <(rivulet completions bash)"], run: { try completions($0, $1) })

/// What the scripts ask. It is in no list of commands: nobody would call it.
let completeCommand = Command(
  name: "complete", summary: "Says how a command line may go on, a word a line",
  arguments: [Argument("WORD", "the words so far, of which the last is being written", .any)],
  examples: ["rivulet complete -- run cms-"], isHidden: true, run: { try complete($0, $1) })

private func completions(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let names = ShellScript.allCases.map(\.rawValue)
  guard let script = ShellScript(rawValue: invocation.arguments[0]) else {
    let hint = NearestName.hint(invocation.arguments[0], among: names, called: "shells") ?? ""
    throw invocation.usage("there are no completions for '\(invocation.arguments[0])'; \(hint)")
  }
  try Output.out(script.text)
  return ExitCode.done
}

private func complete(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let line = Completer(root: Rivulet.root, globals: Rivulet.globals).line(invocation.arguments)
  // A database that does not answer must not keep anybody from typing.
  BackgroundThread.start {
    Machine.sleep(seconds: 1.5)
    _exit(ExitCode.done)
  }
  let content = CompletedContent(line)
  for wanted in line.wanted {
    switch wanted {
    case .nothing: break
    case .path: try Output.out(":path\n")
    case .words(let candidates): try write(candidates, line)
    case .content(let placeholder): try write((try? content.candidates(placeholder)) ?? [], line)
    case .parameter(let query): try write((try? content.parameters(of: query)) ?? [], line)
    }
  }
  return ExitCode.done
}

private func write(_ candidates: [Completer.Candidate], _ line: Completer.Line) throws {
  for candidate in candidates where candidate.word.hasPrefix(line.partial) {
    try Output.out("\(line.prefix)\(candidate.word)\t\(candidate.summary)\n".printable())
  }
}

/// What the project and its database have that a command line can name.
private struct CompletedContent {
  private let line: Completer.Line
  private let session: Session

  init(_ line: Completer.Line) {
    self.line = line
    var invocation = Invocation(command: line.command, path: [])
    invocation.values = line.values.filter { ["--project", "--database"].contains($0.key) }
    invocation.values["--quiet"] = ""
    session = Session(invocation, log: Log(isJSON: false))
  }

  func candidates(_ placeholder: String) throws -> [Completer.Candidate] {
    switch placeholder {
    case "PIPELINE", "DATASET":
      return try session.pipelines().map { .init(word: $0.name, summary: $0.title) }
    case "QUERY":
      let pipelines = try session.pipelines()
      return pipelines.flatMap(\.queries).map { .init(word: $0.name, summary: $0.description) }
        + pipelines.flatMap(\.views).map { .init(word: $0.name, summary: $0.description) }
    case "VIEW":
      return try session.pipelines().flatMap(\.views).map { .init(word: $0.name, summary: $0.description) }
    case "VERSION":
      let project = try session.project()
      return try project.migrationSources.flatMap { try MigrationFolder(of: $0, in: project).migrations }.map
      {
        .init(word: $0.version, summary: $0.name)
      }
    case "RELEASE", "FROM", "TO", "ID":
      guard let connection = try openDatabase() else { return [] }
      let pipeline = line.arguments.first
      return try Releases(connection: connection).list(pipeline: pipeline).map {
        .init(word: $0.release, summary: "\($0.pipeline), \($0.state)")
      }
    case "RUN":
      guard let connection = try openDatabase() else { return [] }
      return try RunHistory(connection: connection).list(limit: 20).map {
        .init(word: "\($0.report.run)", summary: "\($0.report.pipeline), \($0.startedAt)")
      }
    default: return []
    }
  }

  func parameters(of query: String) throws -> [Completer.Candidate] {
    let definition = try session.pipelines().flatMap(\.queries).first { $0.name == query }
    return (definition?.parameters ?? []).map {
      .init(word: "--\($0.option)", summary: $0.description ?? "")
    }
  }

  /// A connection; nil where none can be had without starting a server.
  private func openDatabase() throws -> Connection? {
    guard
      case .named(let target, _) = try DatabaseChoice(
        option: line.values["--database"], usage: { UsageError(message: $0, path: []) })
    else {
      let cluster = try EmbeddedCluster()
      return try cluster.status().state == .running ? Connection(to: cluster.target, settings: "") : nil
    }
    return try Connection(to: target, settings: "")
  }
}
