/// The queries of what is said of objects beside the statements that make them.
///
/// Each gives the rows of ``CatalogPart``: catalog, number, place, name, value, and SQL.
enum PartQuery {
  /// What a dump says in statements of their own.
  static let attached = [
    familyMembers, inheritedColumns, columnSettings, indexColumns, rowSecurity, indexOptions, clusters,
    extensionTies, privileges, comments,
  ]

  /// `column x: ` where an object's number is followed by that of a column; NULL where not.
  static func ofColumn(_ catalog: String, _ object: String, _ column: String) -> String {
    """
    (SELECT 'column ' || quote_ident(attname) || ': ' FROM pg_attribute
      WHERE \(catalog) = 'pg_class'::regclass AND attrelid = \(object) AND attnum = \(column) AND attnum > 0)
    """
  }

  /// Operators and functions that are in a family and in none of its classes.
  private static let familyMembers = """
    SELECT 'pg_opfamily'::regclass, f.oid, 0, 'members', string_agg(member, ', ' ORDER BY member COLLATE "C"),
      format(E'ALTER OPERATOR FAMILY %I.%I USING %I ADD\\n  %s', nspname, opfname, amname,
        string_agg(member, E',\\n  ' ORDER BY member COLLATE "C"))
    FROM (\(ObjectKind.members)) x JOIN pg_opfamily f ON f.oid = family JOIN pg_namespace n ON n.oid = opfnamespace
    JOIN pg_am a ON a.oid = opfmethod
    WHERE x.objid >= 16384 AND f.oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend d
      WHERE (d.classid, d.objid) = (x.classid, x.objid) AND (d.refclassid = 'pg_opclass'::regclass OR d.deptype = 'e'))
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE (d.classid, d.objid) = ('pg_opfamily'::regclass, f.oid)
        AND d.deptype = 'e')
    GROUP BY f.oid, nspname, opfname, amname
    """

  /// Where a table differs from the one it inherits from in a column that it has from there.
  private static let inheritedColumns = """
    SELECT 'pg_class'::regclass, a.attrelid, a.attnum, format('column %I: %s', a.attname, what), change,
      format('ALTER TABLE ONLY %s ALTER COLUMN %I %s', a.attrelid::regclass, a.attname, change)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND NOT relispartition AND relkind IN ('r', 'f'),
    LATERAL (SELECT bool_or(p.attnotnull) AS is_required, bool_or(p.atthasdef) AS has_default,
        max(p.attcompression) AS compression FROM pg_inherits
      JOIN pg_attribute p ON p.attrelid = inhparent AND p.attname = a.attname WHERE inhrelid = a.attrelid) parent,
    LATERAL (SELECT 'own rule', 'SET NOT NULL' WHERE a.attnotnull AND NOT is_required
        -- From version 18 on it is a constraint.
        AND current_setting('server_version_num')::int < 180000
      UNION ALL SELECT 'own default', 'DROP DEFAULT' WHERE has_default AND NOT a.atthasdef
      UNION ALL SELECT 'own compression', 'SET COMPRESSION ' || CASE a.attcompression WHEN 'l' THEN 'lz4' WHEN 'p' THEN 'pglz'
        ELSE 'default' END WHERE a.attcompression <> compression) x (what, change)
    WHERE a.attnum > 0 AND NOT a.attisdropped AND NOT a.attislocal
    """

  private static let columnSettings = """
    SELECT 'pg_class'::regclass, a.attrelid, attnum, format('column %I: %s', attname, what), change,
      format('ALTER %s %s ALTER COLUMN %I %s', CASE relkind WHEN 'm' THEN 'MATERIALIZED VIEW'
        WHEN 'f' THEN 'FOREIGN TABLE ONLY' ELSE 'TABLE ONLY' END, a.attrelid::regclass, attname, change)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND relkind IN ('r', 'p', 'm', 'f')
    JOIN pg_type t ON t.oid = atttypid,
    LATERAL (
      SELECT 'storage', 'SET STORAGE ' || CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'x' THEN 'EXTENDED'
        ELSE 'MAIN' END WHERE attstorage <> typstorage
      UNION ALL SELECT 'compression', 'SET COMPRESSION ' || CASE attcompression WHEN 'l' THEN 'lz4' ELSE 'pglz' END
        WHERE relkind = 'm' AND attcompression <> ''
      UNION ALL SELECT 'statistics', 'SET STATISTICS ' || attstattarget WHERE attstattarget >= 0
      UNION ALL SELECT 'options', 'SET (' || string_agg(o, ', ' ORDER BY o COLLATE "C") || ')' FROM unnest(attoptions) o
        -- The server's own, such as pg_attver, are nobody's to set.
        WHERE o NOT LIKE 'pg\\_%' HAVING count(*) > 0
    ) x (what, change)
    WHERE attnum > 0 AND NOT attisdropped AND a.attrelid >= 16384
    """

  private static let indexColumns = """
    SELECT 'pg_class'::regclass, attrelid, attnum, format('column %s: statistics', attnum), attstattarget,
      format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s', attrelid::regclass, attnum, attstattarget)
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND relkind IN ('i', 'I') WHERE attstattarget >= 0
    """

  private static let rowSecurity = """
    SELECT 'pg_class'::regclass, oid, place, what, word, format('ALTER TABLE ONLY %s %s', oid::regclass, change || word)
    FROM pg_class, LATERAL (
      SELECT 1, 'row security', '', 'ENABLE ROW LEVEL SECURITY' WHERE relrowsecurity
      UNION ALL SELECT 2, 'row security of the owner', '', 'FORCE ROW LEVEL SECURITY' WHERE relforcerowsecurity
      UNION ALL SELECT 3, 'replica identity', 'REPLICA IDENTITY ', CASE relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END
        WHERE relreplident IN ('f', 'n') AND relkind IN ('r', 'p', 'm')) x (place, what, change, word)
    WHERE oid >= 16384
    """

  /// An index of a constraint is made by the constraint, which says nothing of its options.
  private static let indexOptions = """
    SELECT 'pg_class'::regclass, c.oid, 0, 'options', list, format('ALTER INDEX %s SET (%s)', c.oid::regclass, list)
    FROM pg_class c JOIN pg_constraint ON conindid = c.oid AND contype IN ('p', 'u', 'x'),
    LATERAL (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") AS list FROM unnest(reloptions) o) x
    WHERE reloptions IS NOT NULL
    """

  private static let clusters = """
    SELECT 'pg_class'::regclass, indexrelid, 0, 'cluster', 'CLUSTER ON ' || quote_ident(relname),
      format('ALTER TABLE %s CLUSTER ON %I', indrelid::regclass, relname)
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indisclustered AND indisvalid AND indrelid >= 16384
    """

  private static let extensionTies = """
    SELECT d.classid, d.objid, 0, 'depends on ' || quote_ident(extname), 'yes',
      format('ALTER %s %s DEPENDS ON EXTENSION %I', upper(i.type), replace(i.identity, ' on ', ' ON '), extname)
    FROM pg_depend d JOIN pg_extension e ON e.oid = refobjid AND refclassid = 'pg_extension'::regclass,
    LATERAL pg_identify_object(d.classid, d.objid, 0) i WHERE deptype = 'x'
    """

  /// Comments with the objects that they are on: of a composite type its relation has it.
  private static let commented = """
    SELECT classoid AS catalog, objoid AS number, * FROM pg_description
    WHERE NOT (classoid = 'pg_class'::regclass AND EXISTS (SELECT FROM pg_class c WHERE c.oid = objoid AND relkind = 'c'))
    UNION ALL SELECT 'pg_type'::regclass, t.oid, d.* FROM pg_type t,
    -- For each type by itself, of which a snapshot may ask for few.
    LATERAL (SELECT d.* FROM pg_class c JOIN pg_description d ON (classoid, objoid) = ('pg_class'::regclass, c.oid)
      WHERE c.oid = typrelid AND relkind = 'c' OFFSET 0) d
    """

  private static let comments = """
    SELECT catalog, number, objsubid,
      concat(\(ofColumn("classoid", "objoid", "objsubid")), 'comment'), quote_literal(description),
      (SELECT format('COMMENT ON %s IS %L', CASE
      WHEN i.type LIKE '% column' THEN 'COLUMN ' || i.identity
      WHEN i.type = 'table constraint' THEN format('CONSTRAINT %I ON %s', conname, conrelid::regclass)
      WHEN i.type = 'domain constraint' THEN format('CONSTRAINT %I ON DOMAIN %s', conname, contypid::regtype)
      WHEN i.type = 'trigger' THEN format('TRIGGER %I ON %s', tgname, tgrelid::regclass)
      WHEN i.type = 'policy' THEN format('POLICY %I ON %s', polname, polrelid::regclass)
      WHEN i.type = 'rule' THEN format('RULE %I ON %s', rulename, ev_class::regclass)
      WHEN i.type = 'composite type' THEN 'TYPE ' || i.identity
      WHEN i.type = 'statistics object' THEN 'STATISTICS ' || i.identity
      WHEN i.type = 'foreign-data wrapper' THEN 'FOREIGN DATA WRAPPER ' || i.identity
      WHEN i.type = 'transform' THEN 'TRANSFORM ' || regexp_replace(i.identity, ' language ', ' LANGUAGE ')
      -- Of no arguments it takes any.
      WHEN i.type = 'aggregate' THEN 'AGGREGATE ' || replace(i.identity, '()', '(*)')
      ELSE upper(i.type) || ' ' || i.identity END, description) FROM pg_identify_object(classoid, objoid, objsubid) i)
    FROM (\(commented)) d
    LEFT JOIN pg_constraint o ON (classoid, objoid) = ('pg_constraint'::regclass, o.oid)
    LEFT JOIN pg_trigger t ON (classoid, objoid) = ('pg_trigger'::regclass, t.oid)
    LEFT JOIN pg_policy p ON (classoid, objoid) = ('pg_policy'::regclass, p.oid)
    LEFT JOIN pg_rewrite r ON (classoid, objoid) = ('pg_rewrite'::regclass, r.oid)
    WHERE (pg_identify_object(classoid, objoid, 0)).type NOT IN ('subscription', 'large object')
      AND (objoid >= 16384 OR classoid = 'pg_namespace'::regclass AND objoid = to_regnamespace('public'))
      AND CASE WHEN classoid = 'pg_extension'::regclass THEN description IS DISTINCT FROM (
        SELECT comment FROM pg_available_extensions v JOIN pg_extension x ON v.name = extname WHERE x.oid = objoid)
        ELSE true END
      AND NOT (classoid = 'pg_namespace'::regclass AND objoid = to_regnamespace('public')
        AND description = 'standard public schema')
      AND NOT EXISTS (SELECT FROM pg_depend e WHERE (e.classid, e.objid) = (classoid, objoid) AND deptype = 'e')
    """

  /// What a dump leaves out, and a snapshot has.
  static let unwritten = """
    SELECT 'pg_extension'::regclass::oid, oid, 0, 'version', extversion, NULL FROM pg_extension
    UNION ALL
    SELECT 'pg_class'::regclass, indexrelid, 0, 'state', 'INVALID', NULL FROM pg_index WHERE NOT (indisvalid AND indisready)
    UNION ALL
    SELECT 'pg_class'::regclass, c.oid, 0, 'tablespace', quote_ident(spcname), NULL
    FROM pg_class c JOIN pg_tablespace t ON t.oid = reltablespace
    UNION ALL
    -- Their values may be secrets.
    SELECT 'pg_user_mapping'::regclass, umid, 0, 'options',
      string_agg(quote_ident(option_name), ', ' ORDER BY option_name COLLATE "C"), NULL
    FROM pg_user_mappings, pg_options_to_table(umoptions) GROUP BY umid
    UNION ALL
    SELECT classoid, objoid, 0, concat(\(ofColumn("classoid", "objoid", "objsubid")), 'label of ', provider),
      quote_literal(label), NULL
    FROM pg_seclabel
    """

  /// Owners who are not makers.
  static let owners = ownerPrefixes.map { catalog, prefix in
    """
    SELECT '\(catalog)'::regclass::oid, oid, 0, 'owner', quote_ident(pg_get_userbyid(\(prefix)owner)), NULL
    FROM \(catalog) WHERE oid >= 16384
      AND pg_get_userbyid(\(prefix)owner) <> ALL (current_setting('rivulet.makers')::text[])
    """
  }.joined(separator: " UNION ALL ")

  /// The catalogs of what has an owner, and what begins the names of their columns.
  private static let ownerPrefixes: KeyValuePairs = [
    "pg_namespace": "nsp", "pg_type": "typ", "pg_proc": "pro", "pg_collation": "coll", "pg_conversion": "con",
    "pg_operator": "opr", "pg_opclass": "opc", "pg_opfamily": "opf", "pg_ts_config": "cfg",
    "pg_ts_dict": "dict",
    "pg_language": "lan", "pg_event_trigger": "evt", "pg_foreign_data_wrapper": "fdw",
    "pg_foreign_server": "srv",
    "pg_publication": "pub", "pg_statistic_ext": "stx", "pg_class": "rel",
  ]
}
