import PostgreSQL

extension SetupCheck {
  /// Whether every index can be used.
  static let indexes = SetupCheck(
    "indexes", .tables, because: "an invalid index is kept up to date and used by no query"
  ) { subject in
    try subject.reading { connection in
      let found = try connection.query(
        """
        SELECT format('%I.%I', n.nspname, c.relname), format('%I.%I', tn.nspname, t.relname),
          EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid), c.relkind = 'I'
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace
        WHERE NOT i.indisvalid
          AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid)
        ORDER BY 1
        """)
      let findings = try found.rows.map { row -> Finding in
        let (index, table) = (try row.value(0, String.self), try row.value(1, String.self))
        let keeps = try row.value(2, Bool.self)
        let isPartitioned = try row.value(3, Bool.self)
        let fix =
          isPartitioned
          ? "DROP INDEX \(index);" : (keeps ? "REINDEX INDEX" : "DROP INDEX") + " CONCURRENTLY \(index);"
        return .warning("\(index) of \(table) is invalid: making it has failed", fix: fix)
      }
      return findings.isEmpty ? [.ok("every index is valid")] : findings
    }
  }
}
