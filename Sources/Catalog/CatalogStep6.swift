/// What a view is computed with is remembered, so that a refresh need not find it out anew to see that it is as it was; and
/// names of tables count.
enum CatalogStep6 {
  static let sql = """
    ALTER TABLE rivulet.view
      ADD COLUMN functions oid[],
      ADD COLUMN relations oid[];
    COMMENT ON COLUMN rivulet.view.functions IS 'The functions that it was computed with when all of it was computed last.';
    COMMENT ON COLUMN rivulet.view.relations IS 'The tables and plain views, likewise.';

    DROP FUNCTION rivulet.view_code(regclass);
    -- What a view uses follows from what is digested here: while that is the same, it uses the same.
    CREATE FUNCTION rivulet.view_code(regclass, functions oid[], relations oid[]) RETURNS text
      STABLE SET search_path = pg_catalog LANGUAGE sql AS $$
      SELECT md5(string_agg(code, '' ORDER BY code)) FROM (
        SELECT concat(oid, prosrc, prosqlbody, proargdefaults) FROM pg_proc WHERE oid = ANY (functions)
        UNION ALL
        -- The view itself may be made again as it was, under another number.
        SELECT CASE ev_class WHEN $1 THEN replace(ev_action::text, format(':relid %s ', $1::oid), '')
          ELSE concat(ev_class, ev_action) END
        FROM pg_rewrite WHERE (ev_class = $1 OR ev_class = ANY (relations)) AND ev_type = '1'
        UNION ALL
        -- A name that is another table's by now means other rows.
        SELECT concat_ws(' ', oid, relnamespace, relname) FROM pg_class WHERE oid = ANY (relations)
        UNION ALL
        -- A whole row means what its table has.
        SELECT concat_ws(' ', attrelid, attnum, attname, atttypid)
        FROM pg_attribute WHERE attrelid = ANY (relations) AND attnum > 0 AND NOT attisdropped) used(code)
    $$;
    COMMENT ON FUNCTION rivulet.view_code(regclass, oid[], oid[]) IS
      'A digest of a view, of the functions and plain views that it is computed with, and of the names and columns of its tables.';
    COMMENT ON COLUMN rivulet.view.code IS 'What rivulet.view_code gave of them when all of it was computed last.';
    """
}
