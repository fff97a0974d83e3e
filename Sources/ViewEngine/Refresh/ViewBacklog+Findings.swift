extension ViewBacklog {
  /// One row a finding: the view, the kind, what it is about, and more of it. Takes a view's name or NULL, and a date or
  /// NULL.
  static let findings = """
    WITH RECURSIVE wanted (name) AS (
      SELECT name FROM rivulet.view WHERE strategy <> 'live' AND ($1::text IS NULL OR name = $1)
      UNION SELECT v.name FROM wanted w JOIN rivulet.view_source s ON s.view = w.name
      JOIN rivulet.view v ON v.name = s.source AND v.strategy <> 'live'),
    own AS (SELECT v.* FROM wanted JOIN rivulet.view v USING (name)),
    own_source AS (SELECT s.* FROM own JOIN rivulet.view_source s ON s.view = own.name),
    \(CapturedTables.queries(where: "s.view IN (SELECT name FROM own)")),
    finding (place, at, view, kind, subject, about) AS (
      SELECT 0, 0::bigint, name, 'view', NULL, CASE WHEN refreshed_at + fresh_for >= clock_timestamp() THEN 'fresh' END
      FROM own
      UNION ALL SELECT 1, 0, name, 'unfilled', NULL, NULL FROM own WHERE refreshed_at IS NULL
      UNION ALL SELECT 2, 0, name, 'date', as_of::text, today::text
      FROM own, coalesce($2::date, rivulet.today()) AS today
      WHERE follows_date AND refreshed_at IS NOT NULL AND as_of IS DISTINCT FROM today
      UNION ALL SELECT 2, 1, name, 'code', NULL, NULL FROM own v
      WHERE refreshed_at IS NOT NULL AND \(ViewCode.isOther)
      UNION ALL SELECT 3, min(m.mark), m.view, 'mark', m.source, m.reason
      FROM own JOIN rivulet.view_mark m ON m.view = own.name GROUP BY m.view, m.source, m.reason
      UNION ALL SELECT 4, position, view, kind, source, NULL FROM (
        SELECT *, CASE WHEN known <> partitions THEN 'partitions' WHEN NOT is_watched THEN 'unwatched' END AS kind
        FROM captured) c
      WHERE kind IS NOT NULL
      UNION ALL SELECT 5, position, view, CASE WHEN rivulet.relation(queue) IS NULL THEN 'lost' ELSE 'queue' END, source, queue
      FROM own_source WHERE queue IS NOT NULL
      UNION ALL SELECT 6, position, view, 'untracked', source, NULL FROM own_source WHERE change = 'untracked'
      UNION ALL SELECT 7, position, view, 'reads', source, NULL FROM own_source JOIN own ON own.name = own_source.source)
    SELECT view, kind, subject, about FROM finding ORDER BY place, view, at
    """
}
