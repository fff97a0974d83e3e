import PostgreSQL

extension SetupCheck {
  /// Whether the role may make schemas, and write the ledger.
  static let rights = SetupCheck(
    "rights", .rights, because: "migrations make schemas, and every run is recorded in schema 'rivulet'"
  ) { subject in
    try subject.reading { connection in
      let row = try connection.query(roleQuery)[0]
      let (role, database) = (Quote.identifier(try row.value(0)), Quote.identifier(try row.value(1)))
      if try row.value(2, Bool.self) { return [.ok("\(role) is a superuser")] }
      var findings: [Finding] = []
      let hasLedger: Bool = try row.value(4)
      let isLoader: Bool = try row.value(5)
      if try !isLoader && !row.value(3, Bool.self) {
        let grant = "GRANT CREATE ON DATABASE \(database) TO \(role);"
        let found = "\(role) may not make schemas in \(database)"
        findings.append(
          hasLedger ? .note(found + ", as some migrations do", fix: grant) : .error(found, fix: grant))
      }
      if hasLedger { findings += try ledgerRights(of: role, isLoader, on: connection) }
      let may = isLoader ? "write the ledger" : "make schemas and write the ledger"
      return findings.isEmpty ? [.ok("\(role) may \(may); it is no superuser")] : findings
    }
  }

  private static let roleQuery = """
    SELECT current_user, current_database(),
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
      has_database_privilege(current_database(), 'CREATE'),
      EXISTS (SELECT FROM pg_namespace WHERE nspname = 'rivulet'), \(stager) <> quote_ident(current_user)::regrole::oid
    """

  private static func ledgerRights(
    of role: String, _ isLoader: Bool, on connection: Connection
  ) throws -> [Finding] {
    // What is not the catalog's own belongs to views, and to their owner.
    let row = try connection.query(
      """
      SELECT has_schema_privilege(n.oid, 'USAGE'), has_schema_privilege(n.oid, 'CREATE'), ARRAY(
        SELECT format('rivulet.%I', c.relname) FROM pg_class c
        WHERE c.relnamespace = n.oid AND c.relkind = 'r' AND c.relname = ANY ($1) AND NOT (
          has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
          AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
        ORDER BY 1)
      FROM pg_namespace n WHERE nspname = 'rivulet'
      """, [.textArray(isLoader ? written.filter { !["view", "view_source"].contains($0) } : written)])[0]
    var findings: [Finding] = []
    if try !row.value(0, Bool.self) {
      findings.append(
        .error("\(role) may not use the schema 'rivulet'", fix: "GRANT USAGE ON SCHEMA rivulet TO \(role);"))
    }
    if try !isLoader && !row.value(1, Bool.self) {
      findings.append(
        .note(
          "\(role) may not make stored views, whose queues are in the schema 'rivulet'",
          fix: "GRANT CREATE ON SCHEMA rivulet TO \(role);"))
    }
    let tables: [String] = try row.value(2)
    if !tables.isEmpty {
      findings.append(
        .error(
          "\(role) may not read and write \(tables.count) tables of the ledger",
          fix: "GRANT SELECT, INSERT, UPDATE, DELETE ON \(tables.joined(separator: ", ")) TO \(role);"))
    }
    return findings
  }

  /// The tables that runs, publications and refreshes write.
  private static let written = [
    "dataset", "gate_result", "merge", "publication", "reject", "reject_header", "reject_reason", "release",
    "release_change", "release_table", "run", "run_stage", "source_file", "view", "view_mark", "view_refresh",
    "view_source",
  ]
}
