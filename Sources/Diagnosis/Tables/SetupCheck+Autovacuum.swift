import PostgreSQL
import Store

extension SetupCheck {
  /// Whether the server vacuums and analyses tables by itself.
  static let autovacuum = SetupCheck(
    "autovacuum", .tables, because: "without it tables grow, and plans are made for what they held long ago"
  ) { subject in
    try subject.reading { connection in
      let off = try connection.query(
        "SELECT name FROM pg_settings WHERE name IN ('autovacuum', 'track_counts') AND setting = 'off'"
      ).rows.map { try $0.value(0, String.self) }
      let tables = try connection.query(
        """
        SELECT format('%I.%I', n.nspname, c.relname)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'm') AND n.nspname NOT LIKE 'pg\\_%'
          AND c.reloptions && ARRAY['autovacuum_enabled=false', 'autovacuum_enabled=off']
          -- While a table is staged it is off.
          AND (c.relispartition OR NOT coalesce(starts_with(obj_description(c.oid, 'pg_class'), $1), false))
        ORDER BY 1
        """, [.text(Leftovers.markStart)])
      let findings =
        off.map {
          Finding.warning("\($0) is off", fix: "ALTER SYSTEM SET \($0) = on; SELECT pg_reload_conf();")
        }
        + (try tables.rows.map { row in
          let table: String = try row.value(0)
          return .warning(
            "autovacuum is off for \(table)", fix: "ALTER TABLE \(table) RESET (autovacuum_enabled);")
        })
      return findings.isEmpty ? [.ok("autovacuum is on")] : findings
    }
  }
}
