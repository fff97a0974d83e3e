/// Statements that belong to an object which another statement has made, each query giving `classid`,
/// `objid`, a number by which to sort, and the statement.
enum AttachedStatements {
  static let all = [
    familyMembers, inheritedColumns, columns, indexColumns, rowSecurity, indexOptions, clusters,
    extensionTies, PrivilegeQuery.sql,
    comments,
  ]

  /// Operators and functions that are in a family and in none of its classes.
  private static let familyMembers = """
    SELECT 'pg_opfamily'::regclass, f.oid, 0, format(E'ALTER OPERATOR FAMILY %I.%I USING %I ADD\\n  %s', nspname, opfname,
      amname, string_agg(member, E',\\n  ' ORDER BY member COLLATE "C"))
    FROM (\(DumpKind.members)) x JOIN pg_opfamily f ON f.oid = family JOIN pg_namespace n ON n.oid = opfnamespace
    JOIN pg_am a ON a.oid = opfmethod
    WHERE x.objid >= 16384 AND f.oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend d
      WHERE (d.classid, d.objid) = (x.classid, x.objid) AND (d.refclassid = 'pg_opclass'::regclass OR d.deptype = 'e'))
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE (d.classid, d.objid) = ('pg_opfamily'::regclass, f.oid)
        AND d.deptype = 'e')
    GROUP BY f.oid, nspname, opfname, amname
    """

  /// Where a table differs from the one it inherits from in a column that it has from there.
  private static let inheritedColumns = """
    SELECT 'pg_class'::regclass, a.attrelid, a.attnum, format('ALTER TABLE ONLY %s ALTER COLUMN %I %s', a.attrelid::regclass,
      a.attname, change)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND NOT relispartition AND relkind IN ('r', 'f'),
    LATERAL (SELECT bool_or(p.attnotnull) AS is_required, bool_or(p.atthasdef) AS has_default FROM pg_inherits
      JOIN pg_attribute p ON p.attrelid = inhparent AND p.attname = a.attname WHERE inhrelid = a.attrelid) parent,
    LATERAL (SELECT 'SET NOT NULL' WHERE a.attnotnull AND NOT is_required
      UNION ALL SELECT 'DROP DEFAULT' WHERE has_default AND NOT a.atthasdef) x (change)
    WHERE a.attnum > 0 AND NOT a.attisdropped AND NOT a.attislocal
    """

  private static let columns = """
    SELECT 'pg_class'::regclass, a.attrelid, attnum, format('ALTER %s %s ALTER COLUMN %I %s', CASE relkind WHEN 'm'
      THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE ONLY' ELSE 'TABLE ONLY' END, a.attrelid::regclass, attname,
      change)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND relkind IN ('r', 'p', 'm', 'f')
    JOIN pg_type t ON t.oid = atttypid,
    LATERAL (
      SELECT 'SET STORAGE ' || CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'x' THEN 'EXTENDED'
        ELSE 'MAIN' END WHERE attstorage <> typstorage
      UNION ALL SELECT 'SET COMPRESSION ' || CASE attcompression WHEN 'l' THEN 'lz4' ELSE 'pglz' END
        WHERE relkind = 'm' AND attcompression <> ''
      UNION ALL SELECT 'SET STATISTICS ' || attstattarget WHERE attstattarget >= 0
      UNION ALL SELECT 'SET (' || string_agg(o, ', ' ORDER BY o COLLATE "C") || ')' FROM unnest(attoptions) o
        -- The server's own, such as pg_attver, are nobody's to set.
        WHERE o NOT LIKE 'pg\\_%' HAVING count(*) > 0
    ) x (change)
    WHERE attnum > 0 AND NOT attisdropped
    """

  private static let indexColumns = """
    SELECT 'pg_class'::regclass, attrelid, attnum, format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s', attrelid::regclass,
      attnum, attstattarget)
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND relkind IN ('i', 'I') WHERE attstattarget >= 0
    """

  private static let rowSecurity = """
    SELECT 'pg_class'::regclass, oid, place, format('ALTER TABLE ONLY %s %s', oid::regclass, change)
    FROM pg_class, LATERAL (
      SELECT 1, 'ENABLE ROW LEVEL SECURITY' WHERE relrowsecurity
      UNION ALL SELECT 2, 'FORCE ROW LEVEL SECURITY' WHERE relforcerowsecurity
      UNION ALL SELECT 3, CASE relreplident WHEN 'f' THEN 'REPLICA IDENTITY FULL' ELSE 'REPLICA IDENTITY NOTHING' END
        WHERE relreplident IN ('f', 'n') AND relkind IN ('r', 'p', 'm')) x (place, change)
    WHERE oid >= 16384
    """

  /// An index of a constraint is made by the constraint, which says nothing of its options.
  private static let indexOptions = """
    SELECT 'pg_class'::regclass, c.oid, 0, format('ALTER INDEX %s SET (%s)', c.oid::regclass,
      (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(reloptions) o))
    FROM pg_class c JOIN pg_constraint ON conindid = c.oid AND contype IN ('p', 'u', 'x') WHERE reloptions IS NOT NULL
    """

  private static let clusters = """
    SELECT 'pg_class'::regclass, indexrelid, 0, format('ALTER TABLE %s CLUSTER ON %I', indrelid::regclass, relname)
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indisclustered AND indisvalid
    """

  private static let extensionTies = """
    SELECT d.classid, d.objid, 0, format('ALTER %s %s DEPENDS ON EXTENSION %I', upper(i.type),
      replace(i.identity, ' on ', ' ON '), extname)
    FROM pg_depend d JOIN pg_extension e ON e.oid = refobjid AND refclassid = 'pg_extension'::regclass,
    LATERAL pg_identify_object(d.classid, d.objid, 0) i WHERE deptype = 'x'
    """

  private static let comments = """
    SELECT classoid, objoid, objsubid, format('COMMENT ON %s IS %L', CASE
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
      ELSE upper(i.type) || ' ' || i.identity END, description)
    FROM pg_description d LEFT JOIN pg_extension x ON (classoid, objoid) = ('pg_extension'::regclass, x.oid)
    LEFT JOIN pg_available_extensions v ON v.name = extname
    LEFT JOIN pg_constraint o ON (classoid, objoid) = ('pg_constraint'::regclass, o.oid)
    LEFT JOIN pg_trigger t ON (classoid, objoid) = ('pg_trigger'::regclass, t.oid)
    LEFT JOIN pg_policy p ON (classoid, objoid) = ('pg_policy'::regclass, p.oid)
    LEFT JOIN pg_rewrite r ON (classoid, objoid) = ('pg_rewrite'::regclass, r.oid),
    LATERAL pg_identify_object(classoid, objoid, objsubid) i
    WHERE (objoid >= 16384 OR classoid = 'pg_namespace'::regclass AND objoid = to_regnamespace('public'))
      AND description IS DISTINCT FROM v.comment
      AND NOT (classoid = 'pg_namespace'::regclass AND i.identity = 'public' AND description = 'standard public schema')
      AND NOT EXISTS (SELECT FROM pg_depend e WHERE (e.classid, e.objid) = (classoid, objoid) AND deptype = 'e')
    """
}
