import PostgreSQL

extension SetupCheck {
  /// Whether every row was held against every constraint.
  static let constraints = SetupCheck(
    "constraints", .tables, because: "rows from before a constraint that is NOT VALID may break it"
  ) { subject in
    try subject.reading { connection in
      let found = try connection.query(
        """
        SELECT format('%I.%I', n.nspname, t.relname), k.conname
        FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
        JOIN pg_namespace n ON n.oid = t.relnamespace
        WHERE NOT k.convalidated AND k.conparentid = 0 AND n.nspname NOT LIKE 'pg\\_%'
        ORDER BY 1, 2
        """)
      let findings = try found.rows.map { row -> Finding in
        let (table, name) = (try row.value(0, String.self), try row.value(1, String.self))
        return .warning(
          "'\(name)' of \(table) is not validated",
          fix: "ALTER TABLE \(table) VALIDATE CONSTRAINT \(Quote.identifier(name));")
      }
      return findings.isEmpty ? [.ok("every constraint is validated")] : findings
    }
  }
}
