extension ObjectKind {
  static let schemas = ObjectKind(
    sql: """
      SELECT 'pg_namespace'::regclass AS classid, oid AS objid,
        CASE WHEN nspname <> 'public' THEN format('CREATE SCHEMA %I', nspname) END AS sql
      FROM pg_namespace WHERE nspname NOT IN ('information_schema', 'rivulet') AND nspname !~ '^pg_'
      """)

  /// Extensions; `plpgsql` comes with a new database, and Citus says on how many servers the schema is, and nothing of
  /// what it is: a server without it can make the same one.
  static let extensions = ObjectKind(
    sql: """
      SELECT 'pg_extension'::regclass AS classid, e.oid AS objid,
        CASE WHEN e.oid >= 16384 THEN format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %I', extname, nspname) END AS sql
      FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname NOT IN ('citus', 'citus_columnar')
      """)

  static let languages = ObjectKind(
    sql: """
      SELECT 'pg_language'::regclass AS classid, oid AS objid,
        concat('CREATE ', CASE WHEN lanpltrusted THEN 'TRUSTED ' END, format('LANGUAGE %I HANDLER %s', lanname,
          lanplcallfoid::regproc), ' INLINE ' || nullif(laninline, 0)::regproc,
          ' VALIDATOR ' || nullif(lanvalidator, 0)::regproc) AS sql
      FROM pg_language WHERE lanispl
      """)

  static let accessMethods = ObjectKind(
    sql: """
      SELECT 'pg_am'::regclass AS classid, oid AS objid,
        format('CREATE ACCESS METHOD %I TYPE %s HANDLER %s', amname,
          CASE amtype WHEN 't' THEN 'TABLE' ELSE 'INDEX' END, amhandler) AS sql
      FROM pg_am
      """)

  // Later servers have other columns for the same: a row as JSON has whatever is there.
  static let collations = ObjectKind(
    sql: """
      SELECT 'pg_collation'::regclass AS classid, c.oid AS objid,
        format('CREATE COLLATION %I.%I (%s)', nspname, collname, concat_ws(', ',
          'provider = ' || CASE collprovider WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin' ELSE 'libc' END,
          'locale = ' || quote_literal(coalesce(j->>'colllocale', j->>'colliculocale')),
          'lc_collate = ' || quote_literal(nullif(j->>'collcollate', '')),
          'lc_ctype = ' || quote_literal(nullif(j->>'collctype', '')),
          CASE WHEN NOT collisdeterministic THEN 'deterministic = false' END,
          'rules = ' || quote_literal(j->>'collicurules'))) AS sql
      FROM pg_collation c JOIN pg_namespace n ON n.oid = collnamespace, LATERAL to_jsonb(c) j
      """)

  static let conversions = ObjectKind(
    sql: """
      SELECT 'pg_conversion'::regclass AS classid, c.oid AS objid,
        format('CREATE %sCONVERSION %I.%I FOR %L TO %L FROM %s', CASE WHEN condefault THEN 'DEFAULT ' END, nspname,
          conname, pg_encoding_to_char(conforencoding), pg_encoding_to_char(contoencoding), conproc) AS sql
      FROM pg_conversion c JOIN pg_namespace n ON n.oid = connamespace
      """)

  static let casts = ObjectKind(
    sql: """
      SELECT 'pg_cast'::regclass AS classid, oid AS objid,
        concat(format('CREATE CAST (%s AS %s) ', castsource::regtype, casttarget::regtype),
          CASE castmethod WHEN 'f' THEN 'WITH FUNCTION ' || castfunc::regprocedure WHEN 'i' THEN 'WITH INOUT'
            ELSE 'WITHOUT FUNCTION' END,
          CASE castcontext WHEN 'i' THEN ' AS IMPLICIT' WHEN 'a' THEN ' AS ASSIGNMENT' END) AS sql
      FROM pg_cast
      """)

  static let transforms = ObjectKind(
    sql: """
      SELECT 'pg_transform'::regclass AS classid, t.oid AS objid,
        format('CREATE TRANSFORM FOR %s LANGUAGE %I (%s)', trftype::regtype, lanname, concat_ws(', ',
          'FROM SQL WITH FUNCTION ' || nullif(trffromsql, 0)::regprocedure,
          'TO SQL WITH FUNCTION ' || nullif(trftosql, 0)::regprocedure)) AS sql
      FROM pg_transform t JOIN pg_language l ON l.oid = trflang
      """)
}
