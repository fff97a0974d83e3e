public import PostgreSQL

extension ViewEngine {
  /// Makes those stored views again that a migration has broken: whose source, or a column captured of it,
  /// has another name or type or is gone, or of which a part was dropped. A trigger that names what is no
  /// more would fail every writer of its table.
  ///
  /// To be called in the migration's transaction, before it is committed. What cannot be made is left out,
  /// until ``synchronise(on:)`` finds that it can. False where no view is computed from tables that are
  /// watched.
  /// - Throws: ``ViewProblem`` where a view cannot be computed; ``ViewLoss``; `PostgreSQLError`.
  @discardableResult
  public func remakeBroken(on connection: Connection) throws -> Bool {
    let found = try connection.execute(ViewEngine.broken)
    let names: [String] = try found.rows.filter { try $0.value(1) }.map { try $0.value(0) }
    if !names.isEmpty {
      let removed = try ViewRemoval(names, on: connection).run()
      _ = try make(on: connection, filling: Set(removed))
    }
    return found.count > 0
  }

  /// Each stored view, and whether it is broken.
  private static let broken = """
    SELECT v.name, bool_or(
      rivulet.relation(v.name) IS NULL OR rivulet.relation('rivulet.view_' || v.number) IS NULL
      OR rivulet.relation(s.source) IS NULL
      OR s.queue IS NOT NULL AND rivulet.relation(s.queue) IS NULL
      OR s.source <> 'rivulet.release' AND s.change <> 'untracked' AND NOT EXISTS (
        SELECT FROM pg_trigger t WHERE t.tgrelid = rivulet.relation(s.source)
          AND starts_with(t.tgname, format('rivulet_%s_%s_', v.number, s.position)))
      OR EXISTS (
        SELECT FROM unnest(s.capture) c
        LEFT JOIN pg_attribute a ON a.attrelid = rivulet.relation(s.source)
          AND a.attname = c AND NOT a.attisdropped
        LEFT JOIN pg_attribute q ON q.attrelid = rivulet.relation(s.queue)
          AND q.attname = c AND NOT q.attisdropped
        WHERE a.attnum IS NULL OR q.atttypid IS DISTINCT FROM a.atttypid))
    FROM rivulet.view_source s JOIN rivulet.view v ON v.name = s.view
    GROUP BY v.name
    """
}
