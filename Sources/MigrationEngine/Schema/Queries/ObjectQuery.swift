extension SchemaQueries {
  /// All objects there are: catalog, number, kind, identity, the relation each belongs to, and whether it
  /// goes without saying. Takes the makers and the relations to leave out.
  static let objects = """
    WITH space AS (
      SELECT oid FROM pg_namespace
      WHERE nspname <> 'rivulet' AND (oid >= 16384 OR nspname = 'public') AND nspname !~ '^pg_'),
    object (catalog, object, seen_catalog, seen, parent, implied) AS (
      SELECT 'pg_namespace'::regclass, oid, 'pg_namespace'::regclass, oid, NULL::oid, false FROM space
      UNION ALL
      SELECT 'pg_class'::regclass, c.oid, 'pg_class'::regclass, c.oid,
        coalesce(i.indrelid, (
          SELECT refobjid FROM pg_depend
          WHERE c.relkind = 'S' AND classid = 'pg_class'::regclass AND objid = c.oid
            AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i') LIMIT 1)),
        i.indexrelid IS NOT NULL AND EXISTS (
          SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype IN ('p', 'u', 'x'))
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.relnamespace IN (SELECT oid FROM space) AND c.relkind <> 't'
        AND n.nspname || '.' || c.relname <> ALL ($2::text[])
      UNION ALL
      SELECT 'pg_type'::regclass, t.oid,
        CASE t.typtype WHEN 'c' THEN 'pg_class'::regclass ELSE 'pg_type'::regclass END,
        CASE t.typtype WHEN 'c' THEN t.typrelid ELSE t.oid END, NULL, false
      FROM pg_type t
      WHERE t.typnamespace IN (SELECT oid FROM space) AND t.typtype <> 'm'
        AND (t.typrelid = 0 OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
        AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid)
      UNION ALL
      SELECT 'pg_proc'::regclass, p.oid, 'pg_proc'::regclass, p.oid, NULL,
        -- A range's constructors are made with it.
        EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'i')
      FROM pg_proc p WHERE pronamespace IN (SELECT oid FROM space)
      UNION ALL
      SELECT 'pg_trigger'::regclass, oid, 'pg_trigger'::regclass, oid, tgrelid, false
      FROM pg_trigger WHERE NOT tgisinternal AND \(isNotOurs)
      UNION ALL
      SELECT 'pg_policy'::regclass, oid, 'pg_policy'::regclass, oid, polrelid, false FROM pg_policy
      UNION ALL
      SELECT 'pg_rewrite'::regclass, oid, 'pg_rewrite'::regclass, oid, ev_class, false
      FROM pg_rewrite WHERE oid >= 16384 AND rulename <> '_RETURN'
      UNION ALL
      SELECT 'pg_statistic_ext'::regclass, oid, 'pg_statistic_ext'::regclass, oid, stxrelid, false
      FROM pg_statistic_ext WHERE stxnamespace IN (SELECT oid FROM space)
      UNION ALL
      SELECT c, o, c, o, NULL, false FROM (
        SELECT 'pg_collation'::regclass, oid FROM pg_collation WHERE collnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_conversion'::regclass, oid FROM pg_conversion WHERE connamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_opclass'::regclass, oid FROM pg_opclass WHERE opcnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_opfamily'::regclass, oid FROM pg_opfamily WHERE opfnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_ts_config'::regclass, oid FROM pg_ts_config WHERE cfgnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_ts_dict'::regclass, oid FROM pg_ts_dict WHERE dictnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_ts_parser'::regclass, oid FROM pg_ts_parser WHERE prsnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_ts_template'::regclass, oid FROM pg_ts_template WHERE tmplnamespace IN (SELECT oid FROM space)
        UNION ALL
        SELECT 'pg_cast'::regclass, oid FROM pg_cast WHERE oid >= 16384
        UNION ALL
        SELECT 'pg_transform'::regclass, oid FROM pg_transform WHERE oid >= 16384
        UNION ALL
        SELECT 'pg_language'::regclass, oid FROM pg_language WHERE oid >= 16384
        UNION ALL
        SELECT 'pg_am'::regclass, oid FROM pg_am WHERE oid >= 16384
        UNION ALL
        SELECT 'pg_event_trigger'::regclass, oid FROM pg_event_trigger
        UNION ALL
        SELECT 'pg_extension'::regclass, oid FROM pg_extension
        UNION ALL
        SELECT 'pg_foreign_data_wrapper'::regclass, oid FROM pg_foreign_data_wrapper
        UNION ALL
        SELECT 'pg_foreign_server'::regclass, oid FROM pg_foreign_server
        UNION ALL
        SELECT 'pg_publication'::regclass, oid FROM pg_publication
      ) plain (c, o))
    SELECT catalog::oid, object, i.type, i.identity, parent, implied
    FROM object, pg_identify_object(seen_catalog, seen, 0) i
    WHERE i.type IS NOT NULL AND NOT EXISTS (
      SELECT FROM pg_depend e
      WHERE e.classid = object.catalog AND e.objid = object.object AND e.deptype = 'e')
    UNION ALL
    SELECT 'pg_default_acl'::regclass::oid, oid, 'default privileges', concat_ws(' ', 'of', \(role("defaclrole")),
      'in schema ' || nullif(defaclnamespace, 0)::regnamespace, 'on', CASE defaclobjtype
        WHEN 'r' THEN 'tables' WHEN 'S' THEN 'sequences' WHEN 'f' THEN 'functions' WHEN 'T' THEN 'types'
        WHEN 'n' THEN 'schemas' ELSE 'large objects' END), NULL, false
    FROM pg_default_acl
    """
}
