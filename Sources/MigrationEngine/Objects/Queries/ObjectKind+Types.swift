extension ObjectKind {
  /// Types of their own: not the array, the row type or the multirange that comes with something else.
  static let types = ObjectKind(
    sql: """
      SELECT 'pg_type'::regclass AS classid, t.oid AS objid,
        format('CREATE %s %I.%I', CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, nspname, typname)
        || CASE WHEN NOT t.typisdefined THEN '' ELSE CASE t.typtype
          WHEN 'e' THEN \(enumeration) WHEN 'd' THEN \(domain) WHEN 'c' THEN ' AS' || \(CatalogObject.sqlMark)
          WHEN 'r' THEN \(range)
          ELSE \(base) END END AS sql
      FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace LEFT JOIN pg_range r ON r.rngtypid = t.oid
      WHERE \(isOwnType)
      """,
    placeholder: """
      SELECT 'pg_type'::regclass, t.oid, format('CREATE TYPE %I.%I', nspname, typname)
      FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE typtype IN ('b', 'r') AND typisdefined
      """)

  private static let isOwnType = """
    (t.typtype IN ('e', 'd', 'r', 'b', 'p') AND NOT EXISTS (
      SELECT FROM pg_type e WHERE e.oid = t.typelem AND e.typarray = t.oid)
      OR t.typtype = 'c' AND EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
    """

  private static let enumeration = """
    (SELECT E' AS ENUM (\\n' || coalesce(string_agg('  ' || quote_literal(enumlabel), E',\\n' ORDER BY enumsortorder),
      '') || E'\\n)' FROM pg_enum WHERE enumtypid = t.oid)
    """

  private static let domain = """
    concat(' AS ', format_type(t.typbasetype, t.typtypmod), \(collate("t.typcollation", type: "t.typbasetype")),
      ' DEFAULT ' || pg_get_expr(t.typdefaultbin, 'pg_type'::regclass),
      CASE WHEN t.typnotnull THEN concat((SELECT format(' CONSTRAINT %I', conname) FROM pg_constraint
        WHERE contypid = t.oid AND contype = 'n' AND conname <> left(t.typname || '_not_null', 63)), ' NOT NULL') END,
      (SELECT string_agg(format(E'\\n  CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), '' ORDER BY conname)
        FROM pg_constraint WHERE contypid = t.oid AND contype = 'c' AND convalidated))
    """

  private static let range = """
    ' AS RANGE (' || concat_ws(', ', 'subtype = ' || format_type(r.rngsubtype, NULL),
      'multirange_type_name = ' || (SELECT format('%I.%I', mn.nspname, m.typname) FROM pg_type m
        JOIN pg_namespace mn ON mn.oid = m.typnamespace WHERE m.oid = r.rngmultitypid),
      'subtype_opclass = ' || (SELECT format('%I.%I', o.nspname, opcname) FROM pg_opclass c
        JOIN pg_namespace o ON o.oid = opcnamespace WHERE c.oid = r.rngsubopc),
      'collation = ' || nullif(r.rngcollation, 0)::regcollation,
      'canonical = ' || nullif(r.rngcanonical, 0)::regproc,
      'subtype_diff = ' || nullif(r.rngsubdiff, 0)::regproc) || ')'
    """

  private static let base = """
    ' (' || concat_ws(', ', 'input = ' || t.typinput, 'output = ' || t.typoutput,
      'receive = ' || nullif(t.typreceive, 0)::regproc, 'send = ' || nullif(t.typsend, 0)::regproc,
      'typmod_in = ' || nullif(t.typmodin, 0)::regproc, 'typmod_out = ' || nullif(t.typmodout, 0)::regproc,
      'analyze = ' || nullif(t.typanalyze, 0)::regproc, 'subscript = ' || nullif(t.typsubscript, 0)::regproc,
      'internallength = ' || CASE t.typlen WHEN -1 THEN 'variable' ELSE t.typlen::text END,
      CASE WHEN t.typbyval THEN 'passedbyvalue' END,
      'alignment = ' || CASE t.typalign WHEN 'c' THEN 'char' WHEN 's' THEN 'int2' WHEN 'i' THEN 'int4'
        ELSE 'double' END,
      'storage = ' || CASE t.typstorage WHEN 'p' THEN 'plain' WHEN 'e' THEN 'external' WHEN 'x' THEN 'extended'
        ELSE 'main' END,
      'category = ' || quote_literal(t.typcategory::text), CASE WHEN t.typispreferred THEN 'preferred = true' END,
      'default = ' || quote_literal(t.typdefault), 'element = ' || nullif(t.typelem, 0)::regtype,
      'delimiter = ' || quote_literal(t.typdelim::text), CASE WHEN t.typcollation <> 0 THEN 'collatable = true' END) || ')'
    """
}
