/// A role may not do what it has to, and who may.
public struct MissingRights: Error, Sendable {
  /// What the server refused.
  public let error: ServerError
  /// The role of the session.
  public let role: String
  /// The owners of what it has to work on, where it is no member of them.
  public let owners: [String]

  /// The statement that fixes it.
  public var grant: String {
    "GRANT \(owners.map(Quote.identifier).joined(separator: ", ")) TO \(Quote.identifier(role))"
  }
}

extension Connection {
  /// Does something that needs what owners of schemas, and of the tables in them, may do; where the server
  /// refuses it for want of a right (42501) throws ``MissingRights``.
  /// - Throws: ``MissingRights``, and what `body` throws otherwise.
  public func namingRights<Value>(in schemas: [String], _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError {
      throw missingRights(behind: error, in: schemas) ?? error
    }
  }

  /// Whose rights are missing behind an error; nil where it is another error, or nobody's in particular.
  public func missingRights(behind error: PostgreSQLError, in schemas: [String]) -> MissingRights? {
    guard case .server(let refused) = error, refused.sqlState == "42501" else { return nil }
    let found = try? query(
      """
      SELECT current_user, ARRAY(
        SELECT DISTINCT pg_catalog.pg_get_userbyid(owner)::text FROM (
          SELECT nspowner FROM pg_catalog.pg_namespace WHERE nspname = ANY ($1)
          UNION SELECT c.relowner FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v')
          -- Who makes a schema needs the database's owner.
          UNION SELECT datdba FROM pg_catalog.pg_database WHERE datname = current_database()
            AND EXISTS (SELECT FROM unnest($1::text[]) s(name) WHERE name NOT IN (
              SELECT nspname FROM pg_catalog.pg_namespace))
        ) o(owner) WHERE NOT pg_catalog.pg_has_role(owner, 'USAGE') ORDER BY 1)
      """, [.textArray(schemas)])
    guard let row = found?.first, let role = row[0], let owners = try? row.value(1, [String].self),
      !owners.isEmpty
    else { return nil }
    return MissingRights(error: refused, role: role, owners: owners)
  }
}
