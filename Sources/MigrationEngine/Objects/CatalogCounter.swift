import PostgreSQL

/// Counts the rows of a database's catalogs in a session, for ``CatalogCount``.
struct CatalogCounter {
  private let connection: Connection
  private let catalogs: [String]
  /// Those that all databases of the server have in common.
  let shared: Set<String>

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
    catalogs = found.map(\.name)
    shared = Set(found.filter(\.isShared).map(\.name))
    let statements = catalogs.flatMap { catalog in
      let page = byPage ? "(ctid::text::point)[0]::bigint" : "NULL"
      let count = CatalogCounter.count(catalog, page: page)
      let some = CatalogCounter.count(catalog, page: "(($1::text::point)[0])::bigint")
      return [
        "PREPARE rivulet_all_\(catalog) AS \(count)" + (byPage ? " GROUP BY \(page)" : ""),
        "PREPARE rivulet_page_\(catalog) (tid, tid) AS \(some) WHERE ctid >= $1 AND ctid < $2",
      ]
    }
    try connection.execute(statements.joined(separator: ";"))
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
    let first = try connection.answers(
      to: """
        SET LOCAL rivulet.horizon = \(Quote.literal(horizon.map { "\($0)" } ?? ""));
        SELECT pg_snapshot_xmin(pg_current_snapshot())::xid;
        SELECT c, pg_relation_filenode('pg_catalog.' || c) FROM unnest(\(Quote.literal(list))::text[]) c
        """)
    let now = UInt32(clamping: try first[1][0].value(0, Int.self))
    let files = Dictionary(
      try first[2].rows.map { (try $0.value(1, String.self), try $0.value(0, String.self)) },
      uniquingKeysWith: { $1 })
    // A catalog that was rewritten has its rows at other places.
    guard let before, let areas, before.files == files else { return try all(now, files) }
    let some = CatalogCounter.joined(areas)
    let statements = some.map { area in
      area.page.map { "EXECUTE rivulet_page_\(area.catalog) ('(\($0),0)', '(\($0 + 1),0)')" }
        ?? "EXECUTE rivulet_all_\(area.catalog)"
    }
    // A page is found by its number, whatever the planner holds of catalogs that are small when it plans.
    let answers = try connection.answers(
      to:
        "SET LOCAL enable_seqscan = off; \(statements.joined(separator: ";")); SET LOCAL enable_seqscan = on")
    let count = try CatalogCount(horizon: now, files: files, answers.flatMap(\.rows))
    return before.replacing(some, by: count)
  }

  private func all(_ horizon: UInt32, _ files: [String: String]) throws -> CatalogCount {
    let answers = try connection.answers(
      to: catalogs.map { "EXECUTE rivulet_all_\($0)" }.joined(separator: ";"))
    return try CatalogCount(horizon: horizon, files: files, answers.flatMap(\.rows))
  }

  private var list: String { "{" + catalogs.joined(separator: ",") + "}" }

  /// Areas with catalogs as a whole where many of their pages are among them.
  private static func joined(_ areas: Set<CatalogArea>) -> Set<CatalogArea> {
    Set(
      Dictionary(grouping: areas, by: \.catalog).flatMap { catalog, areas in
        areas.count > 50 || areas.contains { $0.page == nil } ? [CatalogArea(catalog: catalog)] : areas
      })
  }
}

extension CatalogCounter {
  /// Catalogs whose rows each say something of one object and its family, with that object's address.
  private static let owned: KeyValuePairs = [
    "pg_class": ("'pg_class'::regclass", "oid"), "pg_attribute": ("'pg_class'::regclass", "attrelid"),
    "pg_index": ("'pg_class'::regclass", "indexrelid"),
    "pg_inherits": ("'pg_class'::regclass", "inhrelid"),
    "pg_sequence": ("'pg_class'::regclass", "seqrelid"),
    "pg_partitioned_table": ("'pg_class'::regclass", "partrelid"),
    "pg_type": ("'pg_type'::regclass", "oid"), "pg_enum": ("'pg_type'::regclass", "enumtypid"),
    "pg_range": ("'pg_type'::regclass", "rngtypid"), "pg_proc": ("'pg_proc'::regclass", "oid"),
    "pg_constraint": ("'pg_constraint'::regclass", "oid"), "pg_attrdef": ("'pg_attrdef'::regclass", "oid"),
    "pg_rewrite": ("'pg_rewrite'::regclass", "oid"), "pg_trigger": ("'pg_trigger'::regclass", "oid"),
    "pg_policy": ("'pg_policy'::regclass", "oid"), "pg_namespace": ("'pg_namespace'::regclass", "oid"),
    "pg_statistic_ext": ("'pg_statistic_ext'::regclass", "oid"),
    "pg_depend": ("classid", "objid"), "pg_description": ("classoid", "objoid"),
  ]

  /// Rows of those that reach further: what is in `pg_catalog` hides or shadows what others mean, and what becomes
  /// an extension's takes along what goes with it.
  private static let farReaching = [
    "pg_class": "relnamespace = 11", "pg_type": "typnamespace = 11", "pg_proc": "pronamespace = 11",
    "pg_depend": "deptype = 'e'",
  ]

  /// Catalogs that say nothing of a schema.
  private static let silent: Set<String> = [
    "pg_auth_members", "pg_database", "pg_db_role_setting", "pg_parameter_acl", "pg_shdepend",
    "pg_shdescription", "pg_shseclabel", "pg_replication_origin", "pg_subscription", "pg_subscription_rel",
    "pg_largeobject", "pg_largeobject_metadata", "pg_statistic", "pg_statistic_ext_data",
  ]

  private static func count(_ catalog: String, page: String) -> String {
    let now = "pg_snapshot_xmin(pg_current_snapshot())::xid"
    let horizon = "coalesce(nullif(current_setting('rivulet.horizon'), '')::xid, \(now))"
    var address = "'far'"
    if let (_, owner) = owned.first(where: { $0.key == catalog }) {
      address = "concat(\(owner.0)::oid, ':', \(owner.1))"
    }
    if let condition = farReaching[catalog] {
      address = "CASE WHEN \(condition) THEN 'far' ELSE \(address) END"
    }
    return """
      SELECT '\(catalog)', \(page), count(*), string_agg(concat(ctid, ':', xmin, ':', \(address)), ' ')
        FILTER (WHERE age(xmin) <= (SELECT age(\(horizon)))) FROM pg_catalog.\(catalog)
      """
  }
}
