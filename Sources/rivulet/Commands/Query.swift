import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Values

let queryCommand = Command(
  name: "query", summary: "Asks a named query of the project, or a view; alone, lists them",
  arguments: [Argument("NAME", "a query, or a view such as mart.payment", .optional)],
  options: [
    Option("--as", value: "FORM", choices: RowFormat.allCases.map(\.rawValue), "how rows are written"),
    Option("--output", short: "-o", value: "FILE", "write to a file"),
  ],
  takesParameters: true,
  examples: [
    "rivulet query", "rivulet query price --hcpcs 99213 --locality 01112-05",
    "rivulet query mart.rvu_by_status --as csv -o status.csv",
  ],
  run: { try query($0, $1) })

private func query(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipelines = try session.pipelines()
  guard let name = invocation.arguments.first else {
    return try list(pipelines, session)
  }
  let question: QueryRun
  let definition = pipelines.flatMap(\.queries).first { $0.name == name }
  if let definition {
    do {
      question = try QueryRun(definition, values: invocation.parameters)
    } catch let problem as QueryRun.Problem {
      throw usage(problem, invocation, definition)
    }
  } else if try isView(name, of: pipelines, session) {
    guard invocation.parameters.isEmpty else {
      throw invocation.usage("a view takes no parameters: --\(invocation.parameters[0].name)")
    }
    question = QueryRun(view: name)
  } else {
    let names = pipelines.flatMap(\.queries).map(\.name) + pipelines.flatMap(\.views).map(\.name)
    let hint = NearestName.hint(name, among: names, called: "there are") ?? "the project has none"
    throw invocation.usage("there is no query '\(name)'; \(hint): 'rivulet query' lists them all")
  }
  if session.isJSON, let form = invocation["--as"], form != "json" {
    throw invocation.usage("--as \(form) and --format json exclude each other")
  }
  let format = RowFormat(rawValue: invocation["--as"] ?? "") ?? (session.isJSON ? .json : .table)
  let output = try OutputFile(invocation["--output"], pager: format == .table ? session.pager : nil)
  var writer: RowWriter?
  do {
    let connection = try session.connect()
    if let definition { try warnOfAge(of: definition, invocation, session, connection) }
    try question.rows(on: connection) { rows in
      let shown = rows.columns.indices.filter { rows.columns[$0] != QueryRun.refusal }
      var current =
        try writer
        ?? RowWriter(
          format,
          columns: shown.map { (rows.columns[$0], ColumnKind(typeNumber: rows.columnTypes[$0])) },
          style: invocation.has("--output") ? .plain : session.style,
          write: output.write)
      try current.add(rows.rows.map { row in shown.map { row[$0] } })
      writer = current
    }
  } catch QueryRun.Problem.notOfType(let option, let type) {
    throw invocation.usage("--\(option) does not hold \(type == "date" ? "a date (YYYY-MM-DD)" : type)")
  } catch QueryRun.Problem.unknownValue(let value, let option, let hint) {
    throw invocation.usage("--\(option): there is no '\(value)'; \(hint ?? "there is none at all")")
  }
  try writer?.finish()
  try output.close()
  if let path = invocation["--output"], session.isJSON {
    try session.answer(json: ["file": path], text: "")
  }
  return ExitCode.done
}

/// Says which release a query answers from where none is asked for, and warns where that is in effect no more.
private func warnOfAge(
  of query: QueryDefinition, _ invocation: Invocation, _ session: Session, _ connection: Connection
) throws {
  guard let asked = query.current else { return }
  let option = asked.unless.flatMap { query.parameter(named: $0)?.option }
  guard !invocation.parameters.contains(where: { $0.name == option }),
    let current = try Releases(connection: connection).current(of: asked.pipeline)
  else { return }
  let days = [current.from, current.to].compactMap(\.self).joined(separator: " to ")
  guard current.isOver else {
    return session.tell("from \(asked.pipeline) \(current.release), in effect \(days)")
  }
  session.warn(
    "the current release of \(asked.pipeline), \(current.release), was in effect \(days): load the one that is in "
      + "effect today" + (option.map { ", or give --\($0)" } ?? ""))
}

/// A view of the definitions, or any other that the database has.
private func isView(_ name: String, of pipelines: [Pipeline], _ session: Session) throws -> Bool {
  if pipelines.contains(where: { $0.views.contains { $0.name == name } }) { return true }
  return try name.contains(".") && QueryRun.isView(name, on: session.connect())
}

private func usage(_ problem: QueryRun.Problem, _ invocation: Invocation, _ query: QueryDefinition)
  -> any Error
{
  switch problem {
  case .unknownParameter(let name, let hint):
    return invocation.usage("query \(query.name) has no parameter --\(name)" + (hint.map { "; \($0)" } ?? ""))
  case .missingParameter(let name, let description):
    return invocation.usage(
      "query \(query.name) needs --\(name)" + (description.map { ": \($0)" } ?? "")
        + (query.example.map { "\n  example: \($0)" } ?? ""))
  case .notOneOf(let options, let given):
    let list = { (options: [String], word: String) in
      options.map { "--\($0)" }.joined(separator: " \(word) ")
    }
    return invocation.usage(
      given.isEmpty
        ? "query \(query.name) needs \(list(options, "or"))"
          + (query.example.map { "\n  example: \($0)" } ?? "")
        : "\(list(given, "and")) exclude each other")
  case .missingCompanion(let name, let needed):
    return invocation.usage("--\(name) belongs to --\(needed), which is not given")
  default: return problem
  }
}

private func list(_ pipelines: [Pipeline], _ session: Session) throws -> Int32 {
  var table = TextTable(["name", .prose("what it tells")])
  var rows: [JSON] = []
  for query in pipelines.flatMap(\.queries) {
    table.add([query.name, query.description])
    for parameter in query.parameters {
      table.add([
        "  --" + parameter.option,
        (parameter.description ?? "") + (parameter.isRequired ? " (needed)" : ""),
      ])
    }
    rows.append(
      [
        "name": query.name, "description": query.description,
        "parameters": query.parameters.map(\.option),
      ])
  }
  for view in pipelines.flatMap(\.views) {
    table.add([view.name, view.description])
    rows.append(
      ["name": view.name, "description": view.description, "parameters": [String]()])
  }
  try session.answer(json: .array(rows), text: table.text)
  return ExitCode.done
}
