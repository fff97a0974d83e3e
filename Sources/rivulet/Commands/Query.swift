import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Store
import Values

let queryCommand = Command(
  name: "query", summary: "Asks a named query of the project, or a view; alone, lists them",
  arguments: [Argument("NAME", "a query, or a view such as mart.payment", .optional)],
  options: [
    Option("--as", value: "FORM", choices: RowFormat.allCases.map(\.rawValue), "how rows are written"),
    Option(
      "--where", value: "COLUMN=VALUE", isRepeatable: true,
      "only rows with this value in a column; several: all of them; COLUMN= for nothing in it"),
    Option("--order", value: "COLUMN[:desc],...", "the order of the rows"),
    Option("--limit", value: "N", "at most so many rows"),
    Option("--output", short: "-o", value: "FILE", "write to a file"),
  ],
  takesParameters: true,
  examples: [
    "rivulet query", "rivulet query price --hcpcs 99213 --locality 01112-05",
    "rivulet query mart.rvu_by_status --as csv -o status.csv",
    "rivulet query mart.rvu_by_status --where release=2025D --order codes:desc --limit 3",
  ],
  run: { try query($0, $1) })

private func query(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  guard let name = invocation.arguments.first else {
    return try list(try session.pipelines(), session)
  }
  let question: QueryRun
  let definition = try session.project().query(named: name)
  if let definition {
    do {
      question = try QueryRun(definition, values: invocation.parameters)
    } catch let problem as QueryRun.Problem {
      throw usage(problem, invocation, definition)
    }
  } else if try isView(name, of: session.pipelines(), session) {
    guard invocation.parameters.isEmpty else {
      throw invocation.usage("a view takes no parameters: --\(invocation.parameters[0].name)")
    }
    question = QueryRun(view: name)
  } else {
    let pipelines = try session.pipelines()
    let names = pipelines.flatMap(\.queries).map(\.name) + pipelines.flatMap(\.views).map(\.name)
    let hint = NearestName.hint(name, among: names, called: "there are") ?? "the project has none"
    throw invocation.usage("there is no query '\(name)'; \(hint): 'rivulet query' lists them all")
  }
  if session.isJSON, let form = invocation["--as"], form != "json" {
    throw invocation.usage("--as \(form) and --format json exclude each other")
  }
  let format = RowFormat(rawValue: invocation["--as"] ?? "") ?? (session.isJSON ? .json : .table)
  let output = try OutputFile(
    invocation["--output"], newMode: OutputFile.ownersOnly, pager: format == .table ? session.pager : nil)
  let style = invocation.has("--output") ? .plain : session.style
  let receipt = format == .table && !invocation.has("--as") ? definition?.receipt : nil
  let selection = try selection(invocation)
  var writer: RowWriter?
  var receipts = 0
  do {
    let connection = try session.connect()
    try question.rows(
      selection, on: connection, announce: { tell($0, of: definition, invocation, session) }
    ) { rows in
      if let receipt {
        for row in rows.rows {
          let text = receipt.filled(with: row, of: rows.columns).text(in: style)
          try output.write((receipts > 0 ? "\n" : "") + text)
          receipts += 1
        }
        return
      }
      let shown = rows.columns.indices.filter { QueryRun.isShown(rows.columns[$0]) }
      var current =
        try writer
        ?? RowWriter(
          format,
          columns: shown.map { (rows.columns[$0], ColumnKind(typeNumber: rows.columnTypes[$0])) },
          style: style, write: output.write)
      try current.add(rows.rows.map { row in shown.map { row[$0] } })
      writer = current
    }
  } catch QueryRun.Problem.notOfType(let option, let type) {
    throw invocation.usage("--\(option) does not hold \(type == "date" ? "a date (YYYY-MM-DD)" : type)")
  } catch QueryRun.Problem.unknownValue(let value, let option, let hint) {
    throw invocation.usage("--\(option): there is no '\(value)'; \(hint ?? "there is none at all")")
  } catch QueryRun.Problem.unknownColumn(let column, let hint) {
    throw invocation.usage("\(name) has no column '\(column)'" + (hint.map { "; \($0)" } ?? ""))
  }
  try writer?.finish()
  try output.close()
  if let path = invocation["--output"], session.isJSON {
    try session.answer(json: ["file": path], text: "")
  }
  return ExitCode.done
}

/// Which rows the options ask for.
private func selection(_ invocation: Invocation) throws -> RowSelection {
  let conditions = try invocation.all("--where").map { text in
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw invocation.usage("--where takes COLUMN=VALUE, not '\(text)'")
    }
    return RowSelection.Condition(
      column: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
  }
  let orders = try (invocation["--order"] ?? "").split(separator: ",").map { text in
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && ["asc", "desc"].contains(parts[1]), !parts[0].isEmpty else {
      throw invocation.usage("--order takes COLUMN or COLUMN:desc, not '\(text)'")
    }
    return RowSelection.Order(column: String(parts[0]), isDescending: parts.last == "desc")
  }
  return RowSelection(conditions, by: orders, limit: try invocation.integer("--limit", atLeast: 1))
}

extension ReceiptTemplate {
  /// The receipt of a row.
  fileprivate func filled(with row: Row, of columns: [String]) -> Receipt {
    func value(_ column: String) -> String? { columns.firstIndex(of: column).flatMap { row[$0] } }
    var receipt = Receipt(title: title.filled(needsAll: false, value) ?? "")
    for line in lines {
      if let text = line.sentence.filled(needsAll: true, value) { receipt.add(line.label, text) }
    }
    return receipt
  }
}

/// Says which release a query answers from where none is asked for, and warns where that is in effect no more.
private func tell(
  _ current: CurrentRelease, of query: QueryDefinition?, _ invocation: Invocation, _ session: Session
) {
  guard let query, let asked = query.current else { return }
  let option = asked.unless.flatMap { query.parameter(named: $0)?.option }
  guard !invocation.parameters.contains(where: { $0.name == option }) else { return }
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
