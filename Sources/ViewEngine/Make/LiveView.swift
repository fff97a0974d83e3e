import Definitions
import PostgreSQL

/// Makes a plain view with the reader's rights.
struct LiveView {
  let view: ViewDefinition
  let connection: Connection

  /// To be called in a transaction.
  func make(hash: String) throws {
    let name = Quote.qualified(view.name)
    // The SELECT comes last and on a line of its own, so that the server's positions are lines of the file.
    let head = "CREATE VIEW \(name) WITH (security_invoker = true) AS\n"
    do {
      try connection.execute(head + view.sql)
    } catch {
      throw view.located(error, after: head)
    }
    try connection.execute("COMMENT ON VIEW \(name) IS \(Quote.literal(view.description))")
    try ViewAccess(view: view, connection: connection).open()
    try connection.query(
      """
      INSERT INTO rivulet.view (name, definition_hash, strategy, file, description, readers, definition)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      """,
      [
        .text(view.name), .text(hash), .text(view.strategy.rawValue), .text(view.file),
        .text(view.description),
        .textArray(view.readers.map(\.value)), .text(view.sql),
      ])
  }
}
