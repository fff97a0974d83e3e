import Definitions
import PostgreSQL

/// What a SELECT must have, as the server sees it, for its changes to be added up. Each throws
/// ``SumsObstacle``.
extension SumsShape {
  /// Takes a definition apart.
  ///
  /// Of several sources the changes of one are added up: the first in FROM that is not looked up by what
  /// distinguishes its rows, as the statuses of requests are. What changes in the others has the groups computed
  /// that it touches.
  /// - Throws: ``SumsObstacle``; `PostgreSQLError`.
  static func find(for view: ViewDefinition, on connection: Connection) throws -> SumsShape {
    var shapes: [SumsShape] = []
    var obstacle: SumsObstacle?
    for source in view.sources {
      guard case .groups = source.change else { continue }
      do throws(SumsObstacle) {
        shapes.append(try SumsShape(view, of: source.name.value))
      } catch {
        obstacle = obstacle ?? error
      }
    }
    shapes.sort { $0.joins.between.count < $1.joins.between.count }
    guard let first = shapes.first else {
      throw obstacle ?? SumsObstacle("no source says which groups a change of it means")
    }
    if shapes.count == 1 { return first }
    return try shapes.first { try !$0.isLookedUp(on: connection) } ?? first
  }

  /// An aggregate of the SELECT that is none of those that can be added up; nil where there is none.
  /// - Throws: `PostgreSQLError`.
  func otherAggregate(on connection: Connection) throws -> String? {
    let called = items.flatMap { item in
      item.range.filter { place in
        item.phrase[place + 1] == "(" && !item.aggregates.contains { $0.0.contains(place) }
      }.map { item.phrase[$0].lowercased() }
    }
    return try connection.query(
      "SELECT min(proname) FROM pg_proc WHERE prokind = 'a' AND proname = ANY ($1)", [.textArray(called)])[0][
        0]
  }

  private func isLookedUp(on connection: Connection) throws -> Bool {
    let phrase = SQLPhrase(from("rivulet_groups"))
    let items = FromItems(phrase, phrase.parts.indices)
    let indexes = try connection.query(
      """
      SELECT ARRAY(SELECT a.attname FROM unnest(i.indkey[0:i.indnkeyatts - 1]) k(number)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number)
      FROM pg_index i WHERE i.indrelid = rivulet.relation($1) AND i.indisunique AND i.indpred IS NULL
        AND i.indexprs IS NULL
      """, [.text(source)])
    return try indexes.rows.contains { items.isLookedUp(names.table, by: try $0.value(0)) }
  }

  /// Throws where the SELECT reads its table more than once, or others that it does not name, or uses what
  /// answers otherwise in another session or at another time: what has changed is looked at when it comes, and
  /// when it goes.
  ///
  /// A statement adds up what it changes with its settings only as far as its trigger says them, and a refresh
  /// in the time zone of the project.
  func requireSameAnswers(_ checked: CheckedView, on connection: Connection) throws {
    let plain = "pg_temp.rivulet_shape"
    let keys = key.map { name in
      let type = checked.columns.first { $0.name == name }?.typeName ?? "boolean"
      return "NULL::\(type) AS \(Quote.identifier(name))"
    }
    try checked.view.createView(plain, keys: "(SELECT \(keys.joined(separator: ", ")))", on: connection)
    // Its own keys are asked of a row by each statement, too.
    let asked = adds == .sums ? checked.twin : plain
    let found = try connection.query(
      Self.objection,
      [
        .text(Quote.qualified(plain)), .text(Quote.qualified(asked)), .text(source),
        .textArray(checked.view.sources.map(\.name.value)), .boolean(adds == .rows),
      ])
    try connection.execute("DROP VIEW IF EXISTS pg_temp.rivulet_shape")
    if let reason = found.first?[0] { throw SumsObstacle(reason) }
  }

  /// Of the plain view `$1` of the SELECT alone, and `$2` of what else is asked, over the table `$3` among the
  /// sources `$4`; `$5` is whether the refresh does it.
  private static let objection = """
    WITH uses AS MATERIALIZED (SELECT class, id FROM rivulet.view_uses(to_regclass($2))),
    parsed(tree) AS (SELECT ev_action::text FROM pg_rewrite WHERE ev_class = to_regclass($1)),
    asked(tree) AS (SELECT ev_action::text FROM pg_rewrite WHERE ev_class = to_regclass($2)),
    called(id) AS (
      SELECT f[1]::oid FROM asked,
        regexp_matches(tree, ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\\d+)', 'g') f
      UNION
      SELECT o.oprcode FROM asked, regexp_matches(tree, ':opno (\\d+)', 'g') f
      JOIN pg_operator o ON o.oid = f[1]::oid)
    SELECT CASE
      WHEN EXISTS (SELECT FROM uses WHERE class IN ('pg_proc'::regclass, 'pg_operator'::regclass))
        THEN 'it uses functions or operators that are not the server''s own'
      WHEN (SELECT regexp_count(tree, format(':rtekind 0 :relid %s ', rivulet.relation($3)::oid)) FROM parsed) <> 1
        THEN 'it reads its table more than once'
      WHEN EXISTS (SELECT FROM parsed, regexp_matches(tree, ':rtekind 0 :relid (\\d+) ', 'g') f
        WHERE f[1]::oid <> to_regclass($1) AND f[1]::oid NOT IN (SELECT rivulet.relation(s)::oid FROM unnest($4::text[]) s))
        THEN 'it reads tables that are not among its sources'
      WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = rivulet.relation($3) AND attname = '\(sign)')
        THEN 'its table has a column of a name of the program''s'
      WHEN (SELECT tree ~ ':varattno 0 ' FROM asked) THEN 'it uses whole rows'
      WHEN (SELECT tree ~ ':varattno -' FROM asked) THEN 'it uses columns of the system'
      -- What these call or depend on, the functions below do not show: the operators of a comparison of rows, the
      -- CHECK of a domain, the settings that XML and JSON are written by.
      WHEN (SELECT tree ~ '\\{(ROWCOMPAREEXPR|COERCETODOMAIN|XMLEXPR|JSON)' FROM asked)
        THEN 'it compares rows, or has values of a domain, of XML or of JSON'
      WHEN (SELECT tree ~ ':funcretset true' FROM asked) THEN 'it uses a function that gives rows'
      WHEN (SELECT tree ~ '\\{SUBLINK' FROM asked) THEN 'it has a query within an expression'
      WHEN (SELECT tree ~ '\\{(SQLVALUEFUNCTION|COERCEVIAIO)' FROM asked)
        THEN 'it converts values by way of their text, or asks for the session''s user or time'
      ELSE (SELECT format('%s depends on settings of the session', p.oid::regprocedure)
        FROM called c JOIN pg_proc p ON p.oid = c.id
        WHERE p.provolatile <> 'i' AND NOT ($5::boolean AND p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ '\(zoned)')
        ORDER BY 1 LIMIT 1) END
    """

  /// Functions of the server that depend on nothing but the time zone, which a refresh sets: a day, or a time of
  /// day, of a moment and back, and what compares or shifts these.
  private static let zoned =
    "^(date|time|timetz|timestamp|timestamptz|date_trunc|date_part|extract"
    + "|(timestamptz|interval)_(pl|mi)_(interval|timestamptz)"
    + "|(date|timestamp|timestamptz)_(eq|ne|lt|le|gt|ge|cmp)_(date|timestamp|timestamptz))$"

  /// Throws where a value's type has sums, or equal values, that are not exact.
  /// - Returns: the types of ``arguments``.
  func requireTypes(on connection: Connection) throws -> [String: ColumnType] {
    try connection.execute("CREATE TEMP VIEW rivulet_arguments AS \(arguments)")
    let types = try ColumnType.columns(of: "pg_temp.rivulet_arguments", on: connection)
    try connection.execute("DROP VIEW IF EXISTS pg_temp.rivulet_arguments")
    for aggregate in aggregates {
      guard let type = types["a\(aggregate.number)"], let reason = aggregate.objection(to: type) else {
        continue
      }
      throw SumsObstacle(reason)
    }
    try connection.execute("CREATE TEMP VIEW rivulet_keys AS \(contributions(fromAll))")
    let keys = try ColumnType.columns(of: "pg_temp.rivulet_keys", on: connection)
    try connection.execute("DROP VIEW IF EXISTS pg_temp.rivulet_keys")
    // Blanks at the end of a bpchar without a length do not count.
    guard key.allSatisfy({ keys[$0]?.isExact == true && keys[$0]?.name != "bpchar" }) else {
      throw SumsObstacle("values of its key may be equal and differ")
    }
    return types
  }
}
