import PostgreSQL

extension ViewBacklog {
  /// Reads what is waiting, in two queries at most, in the snapshot of the transaction at work.
  ///
  /// - Parameters:
  ///   - view: only this one, and what it reads; all stored ones when nil.
  ///   - limit: how many rows of a queue are counted; all when nil. One is enough to say whether there
  ///     is any.
  ///   - connection: a session whose `rivulet.today()` is the date that views shall show.
  /// - Throws: `PostgreSQLError`.
  init(of view: String? = nil, limit: Int? = nil, on connection: Connection) throws {
    var entries: [String: Entry] = [:]
    var queues: [(view: String, source: String, table: String)] = []
    for row in try connection.query(Self.findings, [Parameter(view)]).rows {
      let name: String = try row.value(0)
      let (subject, about) = (row[2] ?? "", row[3] ?? "")
      let reason: Reason
      switch try row.value(1, String.self) {
      case "view":
        entries[name] = Entry(freshLeft: row[3].flatMap(Double.init))
        continue
      case "reads":
        entries[name]?.reads.append(subject)
        continue
      case "queue":
        queues.append((name, subject, about))
        continue
      case "unfilled": reason = .neverFilled
      case "date": reason = .date(shown: row[2], wanted: about)
      case "mark":
        let rows = row[4].map { Publication(source: subject, release: $0, table: row[5]) }
        reason = .marked(source: subject, about, rows: rows)
      case "partitions": reason = .partitions(source: subject)
      case "subscribed": reason = .subscribed(source: subject)
      case "unwatched": reason = .unwatched(source: subject)
      case "lost": reason = .lostQueue(source: subject)
      case "untracked": reason = .untracked(source: subject)
      default: reason = .code
      }
      entries[name]?.reasons.append(reason)
    }
    let counts = queues.enumerated().map { index, queue in
      let table = Quote.qualified(queue.table)
      let rows = limit.map { "(SELECT 1 FROM \(table) LIMIT \($0)) q" } ?? table
      return "SELECT \(index), count(*) FROM \(rows)"
    }
    let counted =
      counts.isEmpty ? nil : try connection.execute(counts.joined(separator: " UNION ALL ") + " ORDER BY 1")
    for row in counted?.rows.map({ $0 }) ?? [] {
      let (queue, count) = (queues[try row.value(0, Int.self)], try row.value(1, Int.self))
      let reason = Reason.changedRows(source: queue.source, count: count)
      if count > 0 { entries[queue.view]?.reasons.append(reason) }
    }
    self.init(entries)
  }

  /// One row a finding: the view, the kind, what it is about, and more of it; of a mark the release that is
  /// meant, and its table where that is still there and the role may read it, for which rights on the source are
  /// not enough. Takes a view's name or NULL.
  private static let findings = """
    WITH RECURSIVE wanted (name) AS (
      SELECT name FROM rivulet.view WHERE strategy <> 'live' AND ($1::text IS NULL OR name = $1)
      UNION SELECT v.name FROM wanted w JOIN rivulet.view_source s ON s.view = w.name
      JOIN rivulet.view v ON v.name = s.source AND v.strategy <> 'live'),
    own AS (SELECT v.* FROM wanted JOIN rivulet.view v USING (name)),
    own_source AS (SELECT s.* FROM own JOIN rivulet.view_source s ON s.view = own.name),
    \(ChangeCapture.captured(where: "s.view IN (SELECT name FROM own)")),
    finding (place, at, view, kind, subject, about, release, partition) AS (
      SELECT 0, 0::bigint, name, 'view', NULL,
        -- A clock that was set back says nothing of how long ago that was.
        CASE WHEN refreshed_at > clock_timestamp() AND fresh_for IS NOT NULL THEN '-1'
          ELSE extract(epoch FROM refreshed_at + fresh_for - clock_timestamp())::text END, NULL, NULL
      FROM own
      UNION ALL SELECT 1, 0, name, 'unfilled', NULL, NULL, NULL, NULL FROM own WHERE refreshed_at IS NULL
      UNION ALL SELECT 2, 0, name, 'date', as_of::text, rivulet.today()::text, NULL, NULL FROM own
      WHERE follows_date AND refreshed_at IS NOT NULL AND as_of IS DISTINCT FROM rivulet.today()
      UNION ALL SELECT 2, 1, name, 'code', NULL, NULL, NULL, NULL FROM own v
      WHERE refreshed_at IS NOT NULL AND v.code IS DISTINCT FROM \(RegisteredView.code(of: "v"))
      UNION ALL SELECT 3, min(m.mark), m.view, 'mark', m.source, m.reason, m.release,
        CASE WHEN has_table_privilege(rivulet.relation(m.partition), 'SELECT')
          AND NOT row_security_active(rivulet.relation(m.partition)) THEN m.partition END
      FROM own JOIN rivulet.view_mark m ON m.view = own.name
      GROUP BY m.view, m.source, m.reason, m.release, m.partition
      UNION ALL SELECT 4, position, view, kind, source, NULL, NULL, NULL FROM captured
      CROSS JOIN LATERAL (VALUES ('partitions', known <> partitions), ('unwatched', NOT is_watched),
        ('subscribed', is_subscribed)) k (kind, is_so)
      WHERE is_so
      UNION ALL SELECT 5, position, view,
        CASE WHEN rivulet.relation(queue) IS NULL THEN 'lost' ELSE 'queue' END, source,
        queue, NULL, NULL
      FROM own_source WHERE queue IS NOT NULL
      UNION ALL SELECT 6, position, view, 'untracked', source, NULL, NULL, NULL
        FROM own_source WHERE change = 'untracked'
      UNION ALL SELECT 7, position, view, 'reads', source, NULL, NULL, NULL
      FROM own_source JOIN own ON own.name = own_source.source)
    SELECT view, kind, subject, about, release, partition FROM finding ORDER BY place, view, at
    """
}
