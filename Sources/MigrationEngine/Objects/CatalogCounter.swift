import PostgreSQL

/// Counts the rows of a database's catalogs in a session, for ``CatalogCount``.
struct CatalogCounter {
  private let connection: Connection
  private let catalogs: [String]
  /// Those that all databases of the server have in common.
  let shared: Set<String>
  /// Whether rows are listed page by page, whenever they were written.
  private let byPage: Bool

  /// A counter by catalogs, or by their pages; nil where the session's role may not read all catalogs.
  init?(_ connection: Connection, byPage: Bool) throws {
    let found = try connection.query(
      """
      SELECT relname, has_table_privilege(oid, 'SELECT'), relisshared FROM pg_catalog.pg_class
      WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r' ORDER BY relname
      """
    ).rows.map {
      (
        name: try $0.value(0, String.self), isReadable: try $0.value(1, Bool.self),
        isShared: try $0.value(2, Bool.self)
      )
    }.filter { !CatalogCounter.silent.contains($0.name) }
    guard found.allSatisfy(\.isReadable) else { return nil }
    self.connection = connection
    self.byPage = byPage
    catalogs = found.map(\.name)
    shared = Set(found.filter(\.isShared).map(\.name))
    let statements = catalogs.flatMap { catalog in
      let page = byPage ? "(ctid::text::point)[0]::bigint" : "NULL"
      let count = CatalogCounter.count(catalog, page: page, listingAll: byPage)
      let some = CatalogCounter.count(catalog, page: "(($1::text::point)[0])::bigint", listingAll: byPage)
      return [
        "PREPARE rivulet_all_\(catalog) AS \(count)" + (byPage ? " GROUP BY \(page)" : ""),
        "PREPARE rivulet_page_\(catalog) (tid, tid) AS \(some) WHERE ctid >= $1 AND ctid < $2",
      ]
    }
    try connection.execute(
      """
      PREPARE rivulet_horizon AS SELECT pg_snapshot_xmin(pg_current_snapshot())::xid;
      PREPARE rivulet_files AS SELECT c, pg_relation_filenode('pg_catalog.' || c)
        FROM unnest('{\(catalogs.joined(separator: ","))}'::text[]) c;
      """ + statements.joined(separator: ";"))
  }

  /// Has the planner know how many rows this database's catalogs have.
  func analyze() throws {
    let own = catalogs.filter { !shared.contains($0) }.map { "pg_catalog." + $0 }
    try connection.execute("ANALYZE " + own.joined(separator: ", "))
  }

  /// The rows as they are at this moment, from a horizon on by themselves: all or, where there is a count from
  /// before that was true of all others, those of some areas.
  func count(since horizon: UInt32?, _ areas: Set<CatalogArea>?, of before: CatalogCount?) throws
    -> CatalogCount
  {
    let some = before == nil ? [] : areas.map(CatalogCounter.joined) ?? []
    let statements = some.map { area in
      area.page.map { "EXECUTE rivulet_page_\(area.catalog) ('(\($0),0)', '(\($0 + 1),0)');" }
        ?? "EXECUTE rivulet_all_\(area.catalog);"
    }
    // A page is found by its number, whatever the planner holds of catalogs that are small when it plans.
    let answers = try connection.answers(
      to: """
        SET LOCAL rivulet.horizon = \(Quote.literal(horizon.map { "\($0)" } ?? ""));
        EXECUTE rivulet_horizon; EXECUTE rivulet_files;
        SET LOCAL enable_seqscan = off; \(statements.joined()) SET LOCAL enable_seqscan = on
        """)
    let now = byPage ? nil : UInt32(clamping: try answers[1][0].value(0, Int.self))
    let files = Dictionary(
      try answers[2].rows.map { (try $0.value(1, String.self), try $0.value(0, String.self)) },
      uniquingKeysWith: { $1 })
    // A catalog that was rewritten has its rows at other places.
    guard let before, areas != nil, before.files == files else { return try all(now, files) }
    let count = try CatalogCount(horizon: now, files: files, answers.dropFirst(3).flatMap(\.rows))
    return before.replacing(some, by: count)
  }

  private func all(_ horizon: UInt32?, _ files: [String: String]) throws -> CatalogCount {
    let answers = try connection.answers(
      to: catalogs.map { "EXECUTE rivulet_all_\($0)" }.joined(separator: ";"))
    return try CatalogCount(horizon: horizon, files: files, answers.flatMap(\.rows))
  }

  /// Areas with catalogs as a whole where many of their pages are among them.
  private static func joined(_ areas: Set<CatalogArea>) -> Set<CatalogArea> {
    Set(
      Dictionary(grouping: areas, by: \.catalog).flatMap { catalog, areas in
        areas.count > 50 || areas.contains { $0.page == nil } ? [CatalogArea(catalog: catalog)] : areas
      })
  }
}
