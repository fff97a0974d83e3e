extension Connection {
  /// What gives the session's role the right whose lack is behind an error, looked up in the catalog: the
  /// narrowest GRANT. Nil where it is another error, or nothing is known to help.
  ///
  /// A superuser's role is never granted: what belongs to one is to be given another owner.
  public func remedy(for error: ServerError) -> RightsRemedy? {
    let needed = NeededPrivileges(text: error.statement + "\n" + (error.context ?? ""))
    guard let refusal = Refusal(error),
      let names = try? query("SELECT current_user, quote_ident(current_user)")[0],
      let role = names[0], let quoted = names[1], let found = try? fix(refusal, needed, quoted)
    else { return nil }
    return RightsRemedy(role: role, statements: found.statements, note: found.note)
  }

  private typealias Fix = (statements: [String], note: String?)

  /// Nil where the catalog shows no lack; `role` is quoted where need be, as every name in a fix is.
  private func fix(_ refusal: Refusal, _ needed: NeededPrivileges, _ role: String) throws -> Fix? {
    switch refusal {
    case .privilege(let kind, let object):
      return try fix(lackOf: kind, object, needed, role)
    case .ownership(let kind, let object):
      return try owned(kind, object, needed).flatMap { try fix(owner: $0, role) }
    case .temporaryTables(let database):
      return (["GRANT TEMPORARY ON DATABASE \(try quoted(database)) TO \(role)"], nil)
    case .superuserExtension(let extensionName):
      return (
        ["CREATE EXTENSION IF NOT EXISTS \(try quoted(extensionName))"],
        "Only a superuser may make this extension; a migration with IF NOT EXISTS then leaves it as it is."
      )
    case .membership(let other): return try fix(membershipIn: other, role)
    case .attribute("CREATEROLE"):
      return (
        [],
        "An administrator makes the roles that are missing once, or gives it ALTER ROLE \(role) CREATEROLE."
      )
    case .attribute(let attribute): return (["ALTER ROLE \(role) \(attribute)"], nil)
    case .parameter(let parameter):
      let privilege = needed.setsForAll ? "ALTER SYSTEM" : "SET"
      return (
        ["GRANT \(privilege) ON PARAMETER \(parameter) TO \(role)"],
        "Servers before 15 leave it to superusers."
      )
    case .superuser: return ([], "Only a superuser may do this; none of its rights can be granted.")
    }
  }

  private func quoted(_ name: String) throws -> String {
    try query("SELECT quote_ident($1)", [.text(name)])[0].value(0)
  }

  private func fix(membershipIn other: String, _ role: String) throws -> Fix? {
    guard
      let row = try query(
        """
        SELECT EXISTS (SELECT FROM pg_roles s WHERE s.rolsuper AND pg_has_role(r.oid, s.oid, 'MEMBER'))
        FROM pg_roles r WHERE rolname = $1
        """, [.text(other)]
      ).first
    else { return nil }
    if try row.value(0, Bool.self) {
      return ([], "It would have to be a member of '\(other)', which is a superuser: name another role.")
    }
    return (["GRANT \(try quoted(other)) TO \(role)"], nil)
  }

  // MARK: Privileges

  private func fix(
    lackOf kind: String, _ name: String, _ needed: NeededPrivileges, _ role: String
  ) throws -> Fix? {
    guard let owned = try owned(kind, name, needed) else { return nil }
    let test = owned.kind.privilegeTest
    let wanted =
      switch owned.kind {
      case .relation: needed.onRelation(name)
      case .sequence: ["USAGE", "SELECT", "UPDATE"]
      case .schema: ["USAGE", "CREATE"]
      case .database: ["CREATE"]
      case .function: ["EXECUTE"]
      default: ["USAGE"]
      }
    var lacking = try wanted.filter { privilege in
      let sql = "SELECT \(test)(current_user, $1::oid, $2)"
      return try !query(sql, [.text(owned.number), .text(privilege)])[0].value(0, Bool.self)
    }
    // One refusal is about one of them, the weakest first.
    if owned.kind == .sequence || owned.kind == .schema { lacking = Array(lacking.prefix(1)) }
    let onObject = "ON \(owned.kind.grantWord) \(owned.name) TO"
    if !lacking.isEmpty { return (["GRANT \(lacking.joined(separator: ", ")) \(onObject) \(role)"], nil) }
    // It has what there is to have: a new owner lacks it, or it lacks the right to give it away.
    if let owner = try newOwner(lackingCreateOn: owned, needed, test) {
      return (["GRANT CREATE \(onObject) \(owner)"], nil)
    }
    return try fix(owner: owned, role)
  }

  private func newOwner(
    lackingCreateOn owned: OwnedObject, _ needed: NeededPrivileges, _ test: String
  ) throws -> String? {
    guard owned.kind == .schema || owned.kind == .database else { return nil }
    return try needed.newOwners.first { owner in
      let sql = "SELECT \(test)(oid, $1::oid, 'CREATE') FROM pg_roles WHERE oid = to_regrole($2)"
      return try query(sql, [.text(owned.number), .text(owner)]).first?[0] == "f"
    }
  }

  // MARK: Owners

  private func fix(owner owned: OwnedObject, _ role: String) throws -> Fix? {
    if try query("SELECT pg_has_role($1, 'USAGE')", [.text(owned.owner)])[0].value(0, Bool.self) {
      return nil
    }
    let owner = try quoted(owned.owner)
    guard owned.isOwnedBySuperuser else {
      return (["GRANT \(owner) TO \(role)"], "\(owned.name) belongs to \(owner).")
    }
    return (
      ["ALTER \(owned.word) \(owned.name) OWNER TO \(role)"],
      "\(owned.name) belongs to the superuser \(owner), whose role is not to be granted."
    )
  }

  /// The object that a refusal names: one that the text names with its schema before others, then one that is
  /// found without it.
  private func owned(_ kind: String, _ name: String, _ needed: NeededPrivileges) throws -> OwnedObject? {
    guard let lookup = OwnedObject.Kind(serverWord: kind) else { return nil }
    return try query(lookup.query, [.text(name), .text(needed.text)]).first.map { row in
      OwnedObject(
        kind: lookup, word: try row.value(4), number: try row.value(0), name: try row.value(1),
        owner: try row.value(2), isOwnedBySuperuser: try row.value(3))
    }
  }
}
