import PostgreSQL

/// What a database may have that a dump has no statement for.
enum DumpOmissions {
  /// Each as a sentence; none where nothing is lost.
  static func all(_ connection: Connection) throws -> [String] {
    try connection.query(sql).rows.map { try $0.value(0) }
  }

  /// Whether a relation `c` is a table that inherits, and is not an extension's.
  private static let inherits = """
    NOT relispartition AND relkind IN ('r', 'f') AND EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid)
      AND NOT EXISTS (SELECT FROM pg_depend WHERE (classid, objid) = ('pg_class'::regclass, c.oid) AND deptype = 'e')
    """

  private static let sql = """
    SELECT 'subscription ' || quote_ident(subname) || ' is left out: its connection holds secrets' FROM pg_subscription
    WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    UNION ALL
    SELECT format('index %s is left out: it is not valid', indexrelid::regclass) FROM pg_index
    JOIN pg_class c ON c.oid = indexrelid WHERE NOT indisvalid AND relkind = 'i'
    UNION ALL
    SELECT format('options of the user mapping for %s on server %I are left out: %s', coalesce(usename, 'PUBLIC'), srvname,
      string_agg(quote_ident(option_name), ', ' ORDER BY option_name COLLATE "C"))
    FROM pg_user_mappings, pg_options_to_table(umoptions) WHERE option_name <> 'user' GROUP BY usename, srvname
    UNION ALL
    SELECT format('a security label of %s is left out', pg_describe_object(classoid, objoid, objsubid)) FROM pg_seclabel
    UNION ALL
    SELECT format('the columns of %s that come from its parents are between its own: replayed, they come first',
      c.oid::regclass)
    FROM pg_class c WHERE \(inherits) AND (SELECT max(attnum) FROM pg_attribute WHERE attrelid = c.oid AND attinhcount > 0
      AND NOT attisdropped) > (SELECT min(attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0
      AND attinhcount = 0 AND NOT attisdropped)
    UNION ALL
    SELECT format('the columns of %s are not in the order of its parents: replayed, they are', c.oid::regclass)
    FROM pg_class c WHERE \(inherits) AND EXISTS (SELECT FROM pg_inherits
      JOIN pg_attribute p ON p.attrelid = inhparent AND p.attnum > 0
      JOIN pg_attribute a ON a.attrelid = inhrelid AND a.attname = p.attname
      JOIN pg_attribute later ON later.attrelid = inhparent AND later.attnum > p.attnum
      JOIN pg_attribute earlier ON earlier.attrelid = inhrelid AND earlier.attname = later.attname
      WHERE inhrelid = c.oid AND earlier.attnum BETWEEN 1 AND a.attnum AND NOT (a.attisdropped OR earlier.attisdropped))
    UNION ALL
    SELECT 'settings of the database itself are left out: ' || string_agg(split_part(o, '=', 1), ', ' ORDER BY o COLLATE "C")
    FROM pg_db_role_setting, unnest(setconfig) o WHERE setdatabase =
      (SELECT oid FROM pg_database WHERE datname = current_database()) HAVING count(*) > 0
    """
}
