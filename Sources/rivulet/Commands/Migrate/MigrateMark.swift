import MigrationEngine
import PipelineCore
import Reporting
import Values

let migrateMarkCommand = Command(
  name: "mark", summary: "Says that a migration is applied, or is not, without running it",
  discussion: """
    For what was done or undone by hand. The history counts it from now on, and keeps who said so, when and why. The
    schema stays as it is.
    """,
  arguments: [Argument("VERSION", "the migration, such as 0012; a repeatable one as R_name", .one)],
  options: [
    Option("--applied", "what it does is there"),
    Option("--pending", "what it does is not there any more"),
    Option("--reason", value: "TEXT", "why, for those who read the history"),
  ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate mark 0012 --applied --reason 'run by hand in ticket 4711'",
    "rivulet migrate mark 0012 --pending --reason 'restored from a backup'",
  ],
  run: { try migrateMark($0, $1) })

private func migrateMark(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let marks = [("--applied", MigrationMark.applied), ("--pending", .pending)].filter { invocation.has($0.0) }
  guard marks.count == 1, let mark = marks.first?.1 else {
    throw invocation.usage("name either --applied or --pending")
  }
  let reason = invocation["--reason"] ?? ""
  if reason.allSatisfy(\.isWhitespace) { throw invocation.usage("--reason says why") }
  let migrations = try MigrationSession(invocation, session, mayBeEmpty: true)
  let version = invocation.arguments[0]
  let connection = try session.connect()
  let answer = try migrations.document(on: connection) { one in
    let sentence = try one.engine(connection).mark(version, mark, reason: reason)
    return (["version": version, "state": mark.rawValue, "reason": reason], ConsoleText(sentence + "\n"))
  }
  try session.answer(json: answer.json, text: answer.text)
  return ExitCode.done
}
