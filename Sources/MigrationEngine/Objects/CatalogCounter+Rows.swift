extension CatalogCounter {
  /// A row of a catalog as belonging to one object and its family.
  private struct Owned {
    let catalog: String
    let owner: (catalog: String, number: String)
    /// What other objects may be described by: as long as it is the same, another version of the row says something
    /// new of its own object and family alone; nil where any version may do more.
    var seen: String?

    init(_ catalog: String, of owner: (String, String), seen: String? = nil) {
      (self.catalog, self.owner, self.seen) = (catalog, owner, seen)
    }

    /// A row of a catalog with numbers of its own.
    init(_ catalog: String, seen: String? = nil) {
      self.init(catalog, of: ("'\(catalog)'::regclass", "oid"), seen: seen)
    }
  }

  private static let owned = [
    Owned("pg_class", seen: "relname, relnamespace, relkind"),
    Owned(
      "pg_attribute", of: ("'pg_class'::regclass", "attrelid"),
      seen: "attname, attnum, atttypid, atttypmod, attcollation, attisdropped"),
    Owned("pg_index", of: ("'pg_class'::regclass", "indexrelid"), seen: "indrelid"),
    Owned("pg_inherits", of: ("'pg_class'::regclass", "inhrelid"), seen: "inhparent, inhseqno"),
    Owned("pg_sequence", of: ("'pg_class'::regclass", "seqrelid"), seen: "seqtypid"),
    Owned("pg_partitioned_table", of: ("'pg_class'::regclass", "partrelid"), seen: "partnatts"),
    Owned("pg_type", seen: "typname, typnamespace, typtype, typbasetype, typtypmod"),
    Owned("pg_enum", of: ("'pg_type'::regclass", "enumtypid"), seen: "enumlabel, enumsortorder"),
    Owned("pg_range", of: ("'pg_type'::regclass", "rngtypid")),
    Owned(
      "pg_proc",
      seen: """
        proname, pronamespace, prokind, prorettype, proretset, provariadic, proargtypes, proallargtypes,
        proargmodes, proargnames
        """),
    Owned("pg_constraint", seen: "conname, connamespace, contype, conrelid, contypid"),
    Owned("pg_attrdef", seen: "adrelid, adnum"),
    Owned("pg_rewrite", seen: "rulename, ev_class, ev_type, is_instead"),
    Owned("pg_trigger", seen: "tgname, tgrelid"), Owned("pg_policy", seen: "polname, polrelid"),
    Owned("pg_namespace", seen: "nspname"), Owned("pg_statistic_ext", seen: "stxname, stxnamespace"),
    Owned(
      "pg_depend", of: ("classid", "objid"),
      seen: "objsubid, refclassid, refobjid, refobjsubid, deptype"),
    Owned("pg_description", of: ("classoid", "objoid"), seen: "objsubid"),
  ]

  /// Rows of those that reach further: what is in `pg_catalog` hides or shadows what others mean, and what becomes
  /// an extension's takes along what goes with it.
  private static let farReaching = [
    "pg_class": "relnamespace = 11", "pg_type": "typnamespace = 11", "pg_proc": "pronamespace = 11",
    "pg_depend": "deptype = 'e'",
  ]

  /// Catalogs that say nothing of a schema.
  static let silent: Set<String> = [
    "pg_auth_members", "pg_database", "pg_db_role_setting", "pg_parameter_acl", "pg_shdepend",
    "pg_shdescription", "pg_shseclabel", "pg_replication_origin", "pg_subscription", "pg_subscription_rel",
    "pg_largeobject", "pg_largeobject_metadata", "pg_statistic", "pg_statistic_ext_data",
  ]

  /// A query for the catalog, the page, how many rows it has, how many of them are listed and these, each as its
  /// place, transaction, what others see of it and the address of what it belongs to, or `far`.
  static func count(_ catalog: String, page: String, listingAll: Bool) -> String {
    let now = "pg_snapshot_xmin(pg_current_snapshot())::xid"
    let horizon = "coalesce(nullif(current_setting('rivulet.horizon'), '')::xid, \(now))"
    let filter = listingAll ? "" : "FILTER (WHERE age(xmin) <= (SELECT age(\(horizon))))"
    var said = "'far'"
    if let owned = owned.first(where: { $0.catalog == catalog }) {
      let seen = owned.seen.map { "hashtextextended(ROW(\($0))::text, 0)" } ?? "''"
      said = "concat(\(seen), ':', \(owned.owner.catalog)::oid, ':', \(owned.owner.number))"
    }
    if let condition = farReaching[catalog] { said = "CASE WHEN \(condition) THEN 'far' ELSE \(said) END" }
    return """
      SELECT '\(catalog)', \(page), count(*), count(*) \(filter),
        string_agg(concat(ctid, ':', xmin, ':', \(said)), ' ') \(filter) FROM pg_catalog.\(catalog)
      """
  }
}
