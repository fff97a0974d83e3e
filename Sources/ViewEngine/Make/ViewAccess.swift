import Definitions
import PostgreSQL

/// Who may read a view: those that its definition names, and what somebody has granted or put on it besides.
struct ViewAccess {
  let view: ViewDefinition
  let connection: Connection

  /// Lets those read it who may. Of a stored view not before there is something to read.
  /// - Throws: `PostgreSQLError`.
  func open() throws {
    // Its owner comes first: what is granted is granted by him.
    try DependentSettings.restore(to: view.name, on: connection)
    for role in view.readers {
      let grantee = role.value == "public" ? "PUBLIC" : Quote.identifier(role.value)
      try connection.execute("GRANT SELECT ON \(Quote.qualified(view.name)) TO \(grantee)")
    }
    try ViewGrants.restore(to: view.name, on: connection)
  }
}
