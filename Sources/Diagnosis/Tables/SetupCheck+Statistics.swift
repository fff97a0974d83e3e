import PostgreSQL
import Reporting
import Store

extension SetupCheck {
  /// Whether the planner knows what tables hold.
  static let statistics = SetupCheck(
    "statistics", .tables,
    because: "the planner guesses of a table that was never analysed, and chooses slow ways"
  ) { subject in
    try subject.reading { connection in
      let found = try connection.query(
        """
        SELECT format('%I.%I', s.schemaname, s.relname), pg_relation_size(s.relid)
        FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
        WHERE s.last_analyze IS NULL AND s.last_autoanalyze IS NULL AND pg_relation_size(s.relid) > \(worthIt)
          -- Statistics of activity are lost in a crash, and those of the planner are not.
          AND NOT EXISTS (SELECT FROM pg_stats p
            WHERE (p.schemaname, p.tablename) = (s.schemaname, s.relname))
          AND has_table_privilege(s.relid, 'SELECT')
          AND (c.relispartition OR NOT coalesce(starts_with(obj_description(c.oid, 'pg_class'), $1), false))
        ORDER BY 2 DESC
        """, [.text(Leftovers.markStart)])
      let findings = try found.rows.prefix(10).map { row -> Finding in
        let table: String = try row.value(0)
        let size = ProgressUnits.bytes(try row.value(1))
        return .note("\(table), \(size), was never analysed", fix: "ANALYZE \(table);")
      }
      return findings.isEmpty ? [.ok("every table of some size was analysed")] : findings
    }
  }

  /// Bytes below which any plan will do: a million.
  private static let worthIt = 1_000_000
}
