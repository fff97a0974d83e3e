/// Views of each kind over ``RandomSources``, with all groups of each as the test itself asks for them.
enum RandomViews {
  /// A view, and an expression for `FROM` that has all its groups; the full ones have none.
  struct View {
    let name: String
    let keys: String
    let header: String
    let select: String
  }

  static let all = [
    userMonth, visitLine, amountLine, codeUse, total, loose, event, userTotal, recentUser, whole, perUser,
  ]

  /// One row a group, of three sources, and null in the key.
  static let userMonth = View(
    name: "mart.user_month",
    keys: "(SELECT DISTINCT user_id, date_trunc('month', visit_date)::date AS month FROM app.visit)",
    header: """
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
    select: """
      SELECT k.user_id, k.month, count(DISTINCT v.id) AS visits, count(p.id) AS procedures,
        sum(p.units * c.weight) AS work, string_agg(v.note, ',' ORDER BY v.id, p.id) AS notes
      FROM {keys} k
      JOIN app.visit v ON v.user_id IS NOT DISTINCT FROM k.user_id
        AND v.visit_date >= k.month AND v.visit_date < k.month + interval '1 month'
      LEFT JOIN app.procedure p ON p.visit_id = v.id LEFT JOIN app.code c ON c.code = p.code
      GROUP BY 1, 2
      """)

  /// Many rows a group, distinguished by columns of which one is null at times; every type goes through.
  static let visitLine = View(
    name: "mart.visit_line", keys: "(SELECT DISTINCT user_id FROM app.visit)",
    header: """
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
    select: """
      SELECT v.user_id, v.id AS visit_id, p.id AS procedure_id, v.note, v.amount, v.tags, v.extra, p.code, p.units
      FROM {keys} k JOIN app.visit v ON v.user_id IS NOT DISTINCT FROM k.user_id
      LEFT JOIN app.procedure p ON p.visit_id = v.id
      """)

  /// Groups whose key is a number that is written in several ways: 1.0 and 1.00 are one group.
  static let amountLine = View(
    name: "mart.amount_line", keys: "(SELECT DISTINCT amount FROM app.visit WHERE amount IS NOT NULL)",
    header: """
      strategy: incremental
      description: Visits by their amount
      key: [amount]
      unique: [amount, id]
      rebuild_share: 100%
      sources:
        app.visit: {capture: [amount], keys: SELECT amount FROM changed WHERE amount IS NOT NULL}
      """,
    select: "SELECT v.amount, v.id, v.extra FROM {keys} k JOIN app.visit v ON v.amount = k.amount")

  /// A source of which any change asks for everything; many changed groups do so too.
  static let codeUse = View(
    name: "mart.code_use", keys: "(SELECT DISTINCT code FROM app.procedure)",
    header: """
      strategy: incremental
      description: How often a code is used
      key: [code]
      sources:
        app.procedure: {capture: [code], keys: SELECT code FROM changed}
        app.code: rebuild
      """,
    select: """
      SELECT k.code, max(c.weight) AS weight, count(*) AS uses, sum(p.units) AS units
      FROM {keys} k JOIN app.procedure p ON p.code IS NOT DISTINCT FROM k.code LEFT JOIN app.code c ON c.code = k.code
      GROUP BY 1
      """)

  /// One group in all, which is there even when nothing else is.
  static let total = View(
    name: "mart.total", keys: "(SELECT)",
    header: """
      strategy: incremental
      description: What there is in all
      key: []
      rebuild_share: 100%
      sources:
        app.visit: {capture: [id], keys: SELECT FROM changed}
        app.loose: {capture: [a], keys: SELECT FROM changed}
      """,
    select: """
      SELECT count(*) AS visits, sum(v.amount) AS amount, (SELECT sum(n) FROM app.loose) AS n
      FROM {keys} k CROSS JOIN app.visit v
      """)

  /// A source without a key, whose rows are there several times.
  static let loose = View(
    name: "mart.loose", keys: "(SELECT DISTINCT a FROM app.loose)",
    header: """
      strategy: incremental
      description: Rows that nothing distinguishes
      key: [a]
      rebuild_share: 100%
      sources:
        app.loose: {capture: [a], keys: SELECT a FROM changed}
      """,
    select: """
      SELECT k.a, count(*) AS rows, count(DISTINCT l.b) AS bs, sum(l.n) AS n, array_agg(l.b ORDER BY l.b) AS list
      FROM {keys} k JOIN app.loose l ON l.a IS NOT DISTINCT FROM k.a
      GROUP BY k.a -- it ends in a comment
      """)

  /// A partitioned source.
  static let event = View(
    name: "mart.event", keys: "(SELECT DISTINCT kind, day FROM app.event)",
    header: """
      strategy: incremental
      description: Events of a kind and a day
      key: [kind, day]
      rebuild_share: 100%
      sources:
        app.event: {capture: [kind, day], keys: "SELECT kind, day FROM changed"}
      """,
    select: """
      SELECT k.kind, k.day, count(*) AS events, sum(e.size) AS size
      FROM {keys} k JOIN app.event e ON e.kind IS NOT DISTINCT FROM k.kind AND e.day IS NOT DISTINCT FROM k.day
      GROUP BY 1, 2
      """)

  /// A view of a stored view.
  static let userTotal = View(
    name: "mart.user_total", keys: "(SELECT DISTINCT user_id FROM mart.user_month)",
    header: """
      strategy: incremental
      description: What users did in all
      key: [user_id]
      rebuild_share: 100%
      sources:
        mart.user_month: {capture: [user_id], keys: SELECT user_id FROM changed}
      """,
    select: """
      SELECT k.user_id, sum(m.visits) AS visits, sum(m.work) AS work, count(m.notes) AS months
      FROM {keys} k JOIN mart.user_month m ON m.user_id IS NOT DISTINCT FROM k.user_id
      GROUP BY 1
      """)

  /// A live view, which another reads.
  static let recent = View(
    name: "mart.recent", keys: "",
    header: "strategy: live\ndescription: Visits of the second half of the year",
    select: "SELECT id, user_id, amount FROM app.visit WHERE visit_date >= '2025-07-01'")

  /// A stored view that reads a live one.
  static let recentUser = View(
    name: "mart.a_recent_user", keys: "(SELECT DISTINCT user_id FROM app.visit)",
    header: """
      strategy: incremental
      description: Visits of the second half of the year by user
      key: [user_id]
      rebuild_share: 100%
      sources:
        app.visit: {capture: [user_id], keys: SELECT user_id FROM changed}
      """,
    select: """
      SELECT k.user_id, count(*) AS visits, sum(r.amount) AS amount
      FROM {keys} k JOIN mart.recent r ON r.user_id IS NOT DISTINCT FROM k.user_id
      GROUP BY 1
      """)

  /// A row for each group even where nothing is joined to it: it goes with the last row that a source has of
  /// the group.
  static let perUser = View(
    name: "mart.per_user", keys: "(SELECT DISTINCT user_id FROM app.visit WHERE user_id > 20)",
    header: """
      strategy: incremental
      description: Every user who visits
      key: [user_id]
      rebuild_share: 100%
      sources:
        app.visit: {capture: [user_id], keys: SELECT user_id FROM changed WHERE user_id > 20}
        app.loose: {capture: [a], keys: "SELECT a FROM changed JOIN app.visit v ON v.user_id = a AND a > 20"}
      """,
    select: """
      SELECT k.user_id, count(l.a) AS loose, (SELECT count(*) FROM app.visit v WHERE v.user_id = k.user_id) AS visits
      FROM {keys} k LEFT JOIN app.loose l ON l.a = k.user_id
      GROUP BY k.user_id
      """)

  /// One that is computed as a whole, with nulls in what distinguishes its rows.
  static let whole = View(
    name: "mart.whole", keys: "",
    header: "strategy: full\ndescription: Loose rows as a whole\nkey: [a, b]",
    select: """
      SELECT l.a, l.b, count(*) AS rows, sum(l.n) AS n, max(t.visits) AS visits
      FROM app.loose l LEFT JOIN mart.user_total t ON t.user_id = l.a
      GROUP BY 1, 2
      """)
}
