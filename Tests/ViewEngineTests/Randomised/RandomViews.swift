/// Views of each kind over ``RandomSources``.
enum RandomViews {
  /// Those that are left out where much is to happen: there are others of each kind.
  static let slow = [
    "mart.visit_line", "mart.amount_line", "mart.code_use", "mart.loose", "mart.total", "mart.per_user",
  ]

  /// Those of some tables that changes are added up for, and one that goes by groups or reads another.
  static func added(_ family: RandomChanges.Family) -> [String] {
    switch family {
    case .visits: ["mart.user_sum", "mart.user_work", "mart.user_month", "mart.user_total"]
    case .loose: ["mart.loose_sum", "mart.loose_values", "mart.loose"]
    case .events: ["mart.event", "mart.event_day"]
    }
  }

  /// Defines them all.
  static func define(in views: inout StoredViews) throws {
    // One row a group, of three sources, and null in the key.
    try views.define(
      "mart.user_month",
      """
      strategy: incremental
      description: What users did in a month
      key: [user_id, month]
      rebuild_share: 100%
      sources:
        app.visit:
          capture: [user_id, visit_date]
          keys: SELECT user_id, date_trunc('month', visit_date)::date FROM changed
        app.procedure:
          capture: [visit_id]
          keys: >-
            SELECT v.user_id, date_trunc('month', v.visit_date)::date
            FROM changed JOIN app.visit v ON v.id = visit_id
        app.code:
          capture: [code]
          keys: |
            SELECT v.user_id, date_trunc('month', v.visit_date)::date
            FROM changed JOIN app.procedure p USING (code) JOIN app.visit v ON v.id = p.visit_id
      indexes: [[month]]
      """,
      """
      SELECT k.user_id, k.month, count(DISTINCT v.id) AS visits, count(p.id) AS procedures,
        sum(p.units * c.weight) AS work, string_agg(v.note, ',' ORDER BY v.id, p.id) AS notes
      FROM {keys} k
      JOIN app.visit v ON v.user_id IS NOT DISTINCT FROM k.user_id
        AND v.visit_date >= k.month AND v.visit_date < k.month + interval '1 month'
      LEFT JOIN app.procedure p ON p.visit_id = v.id LEFT JOIN app.code c ON c.code = p.code
      GROUP BY 1, 2
      """)
    // Many rows a group, distinguished by columns of which one is null at times; every type goes through.
    try views.define(
      "mart.visit_line",
      """
      strategy: incremental
      description: Every procedure of every visit
      key: [user_id]
      unique: [user_id, visit_id, procedure_id]
      rebuild_share: 100%
      sources:
        app.visit: {capture: [user_id], keys: SELECT user_id FROM changed}
        app.procedure:
          capture: [visit_id]
          keys: SELECT v.user_id FROM changed JOIN app.visit v ON v.id = changed.visit_id
      """,
      """
      SELECT v.user_id, v.id AS visit_id, p.id AS procedure_id, v.note, v.amount, v.tags, v.extra, p.code, p.units
      FROM {keys} k JOIN app.visit v ON v.user_id IS NOT DISTINCT FROM k.user_id
      LEFT JOIN app.procedure p ON p.visit_id = v.id
      """)
    // Groups whose key is a number that is written in several ways: 1.0 and 1.00 are one group.
    try views.define(
      "mart.amount_line", by: "amount", of: "app.visit",
      keys: "SELECT amount FROM changed WHERE amount IS NOT NULL", with: "unique: [amount, id]",
      "SELECT v.amount, v.id, v.extra FROM {keys} k JOIN app.visit v ON v.amount = k.amount")
    // A source of which any change asks for everything; many changed groups do so too.
    try views.define(
      "mart.code_use",
      """
      strategy: incremental
      description: How often a code is used
      key: [code]
      sources:
        app.procedure: {capture: [code], keys: SELECT code FROM changed}
        app.code: rebuild
      """,
      """
      SELECT k.code, max(c.weight) AS weight, count(*) AS uses, sum(p.units) AS units
      FROM {keys} k JOIN app.procedure p ON p.code IS NOT DISTINCT FROM k.code LEFT JOIN app.code c ON c.code = k.code
      GROUP BY 1
      """)
    // One group in all, which is there even when nothing else is.
    try views.define(
      "mart.total",
      """
      strategy: incremental
      description: What there is in all
      key: []
      rebuild_share: 100%
      sources:
        app.visit: {capture: [id], keys: SELECT FROM changed}
        app.loose: {capture: [a], keys: SELECT FROM changed}
      """,
      """
      SELECT count(*) AS visits, sum(v.amount) AS amount, (SELECT sum(n) FROM app.loose) AS n
      FROM {keys} k CROSS JOIN app.visit v
      """)
    // A source without a key, whose rows are there several times.
    try views.define(
      "mart.loose", by: "a", of: "app.loose",
      """
      SELECT k.a, count(*) AS rows, count(DISTINCT l.b) AS bs, sum(l.n) AS n, array_agg(l.b ORDER BY l.b) AS list
      FROM {keys} k JOIN app.loose l ON l.a IS NOT DISTINCT FROM k.a
      GROUP BY k.a -- it ends in a comment
      """)
    // A partitioned source.
    try views.define(
      "mart.event", by: "kind, day", of: "app.event",
      """
      SELECT k.kind, k.day, count(*) AS events, sum(e.size) AS size
      FROM {keys} k JOIN app.event e ON e.kind IS NOT DISTINCT FROM k.kind AND e.day IS NOT DISTINCT FROM k.day
      GROUP BY 1, 2
      """)
    // Changes that are added up: every aggregate, with conditions, over partitions and with nulls in the key.
    try views.define(
      "mart.event_day", by: "day", of: "app.event",
      """
      SELECT k.day, count(*) AS events, count(e.size) FILTER (WHERE e.kind IN ('a', 'b')) AS sizes,
        min(e.size) AS least, max(e.size) FILTER (WHERE e.kind = 'a') AS greatest, sum(e.size) + 1 AS size,
        round(avg(e.size), 3) AS average, bool_or(e.size > 100) AS has_large, bool_and(e.size > 5) AS is_large,
        sum(make_interval(days => e.size, months => e.day)) FILTER (WHERE e.size < 90) AS span,
        avg(make_interval(hours => e.size)) AS hours
      FROM {keys} AS k INNER JOIN app.event AS e ON e.day IS NOT DISTINCT FROM k.day
      WHERE e.kind IS DISTINCT FROM 'd'
      GROUP BY k.day
      """)
    try views.define(
      "mart.user_sum", by: "user_id", of: "app.visit", capture: "user_id, amount",
      keys: "SELECT user_id FROM changed WHERE amount > 1",
      """
      SELECT user_id, count(note) AS notes, sum(amount::numeric(12, 2)) AS amount,
        avg(amount::numeric(12, 1)) AS average, min(visit_date) AS first, max(visit_date) AS last,
        max(note) AS note, every(tags IS NULL) AS has_none
      FROM {keys} k JOIN app.visit USING (user_id)
      WHERE amount > 1
      GROUP BY 1
      """)
    try views.define(
      "mart.loose_sum", by: "b, a", of: "app.loose",
      """
      SELECT k.a, k.b, count(*) AS rows, min(l.n::int) AS n
      FROM {keys} k JOIN app.loose l ON l.a IS NOT DISTINCT FROM k.a AND l.b IS NOT DISTINCT FROM k.b
      GROUP BY k.a, k.b
      """)
    // Rows that are joined to others, and values that are counted once.
    try views.define(
      "mart.user_work",
      """
      strategy: incremental
      description: What users have worked
      key: [user_id]
      rebuild_share: 100%
      sources:
        app.visit: {capture: [user_id], keys: SELECT user_id FROM changed}
        app.procedure:
          capture: [visit_id]
          keys: SELECT v.user_id FROM changed JOIN app.visit v ON v.id = changed.visit_id
        app.code:
          capture: [code]
          keys: |
            SELECT v.user_id FROM changed JOIN app.procedure p USING (code) JOIN app.visit v ON v.id = p.visit_id
      """,
      """
      SELECT k.user_id, count(*) AS procedures, count(DISTINCT p.code) AS codes, max(p.id) AS last,
        count(DISTINCT v.visit_date) FILTER (WHERE p.units > 1) AS days,
        sum((p.units * c.weight)::numeric(20, 4)) AS work
      FROM {keys} k
      JOIN app.visit v ON v.user_id IS NOT DISTINCT FROM k.user_id
      JOIN app.procedure p ON p.visit_id = v.id LEFT JOIN app.code c ON c.code = p.code
      GROUP BY k.user_id
      """)
    try views.define(
      "mart.loose_values", by: "a", of: "app.loose",
      """
      SELECT k.a, count(DISTINCT l.b) AS bs, count(DISTINCT l.n) AS ns, count(*) AS rows
      FROM {keys} k JOIN app.loose l ON l.a IS NOT DISTINCT FROM k.a
      GROUP BY k.a
      """)
    // A view of a stored view.
    try views.define(
      "mart.user_total", by: "user_id", of: "mart.user_month",
      """
      SELECT k.user_id, sum(m.visits) AS visits, sum(m.work) AS work, count(m.notes) AS months
      FROM {keys} k JOIN mart.user_month m ON m.user_id IS NOT DISTINCT FROM k.user_id
      GROUP BY 1
      """)
    // A live view, which another reads.
    try views.define(
      "mart.recent",
      "strategy: live\ndescription: Visits of the second half of the year",
      "SELECT id, user_id, amount FROM app.visit WHERE visit_date >= '2025-07-01'")
    // A stored view that reads a live one.
    try views.define(
      "mart.a_recent_user", by: "user_id", of: "app.visit",
      """
      SELECT k.user_id, count(*) AS visits, sum(r.amount) AS amount
      FROM {keys} k JOIN mart.recent r ON r.user_id IS NOT DISTINCT FROM k.user_id
      GROUP BY 1
      """)
    // One that is computed as a whole, with nulls in what distinguishes its rows.
    try views.define(
      "mart.whole", fullBy: "a, b",
      """
      SELECT l.a, l.b, count(*) AS rows, sum(l.n) AS n, max(t.visits) AS visits
      FROM app.loose l LEFT JOIN mart.user_total t ON t.user_id = l.a
      GROUP BY 1, 2
      """)
    // A row for each group even where nothing is joined to it: it goes with the last row that a source has of
    // the group.
    try views.define(
      "mart.per_user",
      """
      strategy: incremental
      description: Every user who visits
      key: [user_id]
      rebuild_share: 100%
      sources:
        app.visit: {capture: [user_id], keys: SELECT user_id FROM changed WHERE user_id > 20}
        app.loose: {capture: [a], keys: "SELECT a FROM changed JOIN app.visit v ON v.user_id = a AND a > 20"}
      """,
      """
      SELECT k.user_id, count(l.a) AS loose, (SELECT count(*) FROM app.visit v WHERE v.user_id = k.user_id) AS visits
      FROM {keys} k LEFT JOIN app.loose l ON l.a = k.user_id
      GROUP BY k.user_id
      """)
  }
}
