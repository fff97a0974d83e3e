import Catalog
import Host
import MigrationEngine
import PipelineCore
import PostgreSQL
import Values

let migrateDumpCommand = Command(
  name: "dump", summary: "Writes the schema as SQL, the same text for the same schema",
  discussion: """
    The order follows from dependencies, kinds and names alone, so that a difference in version control shows what has
    changed. Left out are the schema 'rivulet', rows, owners, roles, and, without --all, derived views and the tables of
    releases. It needs no project and reads no folder.
    """,
  options: [
    Option("-o", value: "FILE", "a file in place of standard output"),
    Option("--all", "derived views and the tables of releases too"),
  ] + MigrationSession.folderOptions,
  examples: ["rivulet migrate dump -o schema.sql", "rivulet migrate dump | psql empty"],
  run: { try migrateDump($0, $1) })

private func migrateDump(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let connection = try session.connect()
  let dump = try SchemaDump(
    of: connection, leavingOut: invocation.has("--all") ? [] : try leftOut(connection))
  for sentence in dump.unsupported { session.warn(sentence) }
  if let path = invocation["-o"] {
    let file = try OutputFile(path)
    try file.write(dump.sql)
    try file.close()
    try session.answer(
      json: ["file": path, "objects": dump.count],
      text: "\(dump.count) objects in \(path)\n")
  } else {
    try session.answer(json: ["sql": dump.sql], script: dump.sql)
  }
  return ExitCode.done
}

/// What is not a migration's business; the database itself knows, so that no project is needed.
private func leftOut(_ connection: Connection) throws -> Set<String> {
  guard try Catalog.installedVersion(connection) > 0 else { return [] }
  return try MigrationSession.relationsOfOthers(on: connection)
}
