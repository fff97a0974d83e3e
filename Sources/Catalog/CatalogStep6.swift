/// Names of tables in the digest of what a view is computed with.
enum CatalogStep6 {
  static let sql = """
    CREATE OR REPLACE FUNCTION rivulet.view_code(regclass) RETURNS text
      STABLE SET search_path = pg_catalog LANGUAGE sql AS $$
      WITH uses AS MATERIALIZED (SELECT class, id FROM rivulet.view_uses($1) WHERE id <> $1)
      SELECT md5(string_agg(code, '' ORDER BY code)) FROM (
        SELECT p.oid || p.prosrc || coalesce(pg_get_function_sqlbody(p.oid), '')
        FROM uses u JOIN pg_proc p ON u.class = 'pg_proc'::regclass AND p.oid = u.id
        UNION ALL
        -- A name that is another table's by now means other rows.
        SELECT c.oid || ' ' || c.relnamespace || ' ' || c.relname || CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) ELSE '' END
        FROM uses u JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id
        UNION ALL
        -- A whole row means what its table has.
        SELECT a.attrelid || ' ' || a.attnum || ' ' || a.attname || ' ' || a.atttypid
        FROM uses u JOIN pg_attribute a ON u.class = 'pg_class'::regclass AND a.attrelid = u.id
        WHERE a.attnum > 0 AND NOT a.attisdropped) used(code)
    $$;
    COMMENT ON FUNCTION rivulet.view_code(regclass) IS
      'A digest of the functions and plain views that a view is computed with, and of the names and columns of its tables.';
    """
}
