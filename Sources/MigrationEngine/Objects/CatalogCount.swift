import PostgreSQL

/// How many rows each of the server's catalogs has at one moment, and which were written since another.
///
/// A row that is changed or removed is no longer among those from before, so that their number shows whether any
/// was, without a look at what they say: the server keeps the transaction that wrote each version of a row.
struct CatalogCount {
  /// A version of a row: the catalog, the place and the transaction.
  private struct RowVersion: Hashable {
    let catalog: String
    let place: Substring
    let transaction: UInt32
  }

  /// The first transaction that need not be over at this moment: all from it on are counted by their rows.
  let horizon: UInt32
  /// The rows of transactions before that, by catalog.
  private var old: [String: Int] = [:]
  /// The others, and what they belong to; nil where a row may change what is said of any object.
  private var written: [RowVersion: CatalogAddress?] = [:]

  /// Reads the answer of ``query(on:)``.
  init(_ answer: ResultSet) throws {
    horizon = try UInt32(clamping: answer[0].value(3, Int.self))
    for row in answer.rows {
      let catalog: String = try row.value(0)
      let rows = row[2]?.split(separator: " ") ?? []
      old[catalog] = try row.value(1, Int.self) - rows.count
      for row in rows {
        let parts = row.split(separator: ":")
        guard parts.count >= 3, let transaction = UInt32(parts[1]) else { continue }
        let version = RowVersion(catalog: catalog, place: parts[0], transaction: transaction)
        let isFar = parts.count == 3
        written.updateValue(
          isFar ? nil : CatalogAddress(catalog: String(parts[2]), number: String(parts[3])), forKey: version)
      }
    }
  }

  /// The same with what is written since its own horizon alone, for later ones to be counted from there.
  func settled() -> CatalogCount {
    var count = self
    for version in written.keys where Int32(bitPattern: version.transaction &- horizon) < 0 {
      count.written.removeValue(forKey: version)
      count.old[version.catalog, default: 0] += 1
    }
    return count
  }

  /// What was added since an earlier count, from whose horizon on this one has counted; nil where that is not
  /// all that has changed, or may be.
  func additions(to earlier: CatalogCount) -> Set<CatalogAddress>? {
    guard old == earlier.old, earlier.written.keys.allSatisfy({ written[$0] != nil }) else { return nil }
    var added: Set<CatalogAddress> = []
    for (version, address) in written where earlier.written[version] == nil {
      guard let address else { return nil }
      added.insert(address)
    }
    return added
  }
}

extension CatalogCount {
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

  /// The query that counts what was written since the horizon in the setting `rivulet.horizon`; nil where the
  /// session's role may not read all catalogs.
  static func query(on connection: Connection) throws -> String? {
    let catalogs = try connection.query(
      """
      SELECT relname, has_table_privilege(oid, 'SELECT') FROM pg_class
      WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r' ORDER BY relname
      """
    ).rows.map { (name: try $0.value(0, String.self), isReadable: try $0.value(1, Bool.self)) }
      .filter { !silent.contains($0.name) }
    guard catalogs.allSatisfy(\.isReadable) else { return nil }
    return catalogs.map { count($0.name) }.joined(separator: " UNION ALL ")
  }

  private static func count(_ catalog: String) -> String {
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
      SELECT '\(catalog)', count(*), string_agg(concat(ctid, ':', xmin, ':', \(address)), ' ')
        FILTER (WHERE age(xmin) <= (SELECT age(\(horizon)))), \(now) FROM pg_catalog.\(catalog)
      """
  }
}
