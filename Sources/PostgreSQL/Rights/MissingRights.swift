/// A role may not do what it has to.
public struct MissingRights: Error, Sendable {
  /// What the server refused.
  public let error: ServerError
  /// What gives the right.
  public let remedy: RightsRemedy

  /// What was refused, and what gives the right.
  public init(error: ServerError, remedy: RightsRemedy) {
    self.error = error
    self.remedy = remedy
  }
}

extension Connection {
  /// Does something; where the server refuses it for want of a right (42501) throws ``MissingRights``.
  /// - Throws: ``MissingRights``, and what `body` throws otherwise.
  public func namingRights<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch PostgreSQLError.server(let error) {
      guard let remedy = remedy(for: error) else { throw PostgreSQLError.server(error) }
      throw MissingRights(error: error, remedy: remedy)
    }
  }

  /// Which rights are missing behind an error of something that needs what the owners of schemas, and of the
  /// tables in them, may do; nil where it is another error, or nothing is known to help.
  ///
  /// `function`: one with the owners' rights; who may call it is not to be a member of theirs.
  public func missingRights(
    behind error: PostgreSQLError, in schemas: [String], unlessCalling function: String
  ) -> MissingRights? {
    guard case .server(let refused) = error, refused.sqlState == "42501" else { return nil }
    let mayCall =
      (try? query("SELECT has_function_privilege(to_regproc($1)::oid, 'EXECUTE')", [.text(function)])[0][0])
      == "t"
    let remedy = (mayCall ? nil : membership(ofOwnersIn: schemas)) ?? remedy(for: refused)
    return remedy.map { MissingRights(error: refused, remedy: $0) }
  }

  /// The owners whose member the session's role is to be; nil where it is already, and where one is a
  /// superuser, whose role nobody is to have for this.
  private func membership(ofOwnersIn schemas: [String]) -> RightsRemedy? {
    let found = try? query(
      """
      SELECT current_user, quote_ident(current_user), quote_ident(rolname),
        EXISTS (SELECT FROM pg_roles s WHERE s.rolsuper AND pg_has_role(r.oid, s.oid, 'MEMBER')) FROM (
        SELECT nspowner FROM pg_catalog.pg_namespace WHERE nspname = ANY ($1)
        UNION SELECT c.relowner FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v')
      ) o(owner) JOIN pg_catalog.pg_roles r ON r.oid = owner
      WHERE NOT pg_catalog.pg_has_role(owner, 'USAGE') ORDER BY rolname
      """, [.textArray(schemas)]
    ).rows
    guard let found, let role = found.first?[0], let quoted = found.first?[1],
      found.allSatisfy({ $0[3] == "f" })
    else { return nil }
    let owners = found.compactMap { $0[2] }.joined(separator: ", ")
    return RightsRemedy(
      role: role, statements: ["GRANT \(owners) TO \(quoted)"],
      note: "What it works on belongs to \(owners).")
  }
}
