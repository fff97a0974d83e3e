extension SchemaQueries {
  /// Types: labels of enums in order, domains, ranges, base types. The columns of composite ones are among
  /// the columns.
  static let types = """
    SELECT 'pg_type'::regclass::oid, e.enumtypid, 'labels', false,
      string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder), NULL::oid
    FROM pg_enum e GROUP BY e.enumtypid
    UNION ALL
    SELECT 'pg_type'::regclass::oid, t.oid, 'domain', false, concat_ws(' ', format_type(t.typbasetype, t.typtypmod),
      CASE WHEN t.typcollation <> 0 AND t.typcollation <> b.typcollation THEN 'COLLATE ' || t.typcollation::regcollation END,
      'DEFAULT ' || t.typdefault, CASE WHEN t.typnotnull THEN 'NOT NULL' END), NULL
    FROM pg_type t JOIN pg_type b ON b.oid = t.typbasetype WHERE t.typtype = 'd' AND t.oid >= 16384
    UNION ALL
    SELECT 'pg_type'::regclass::oid, r.rngtypid, 'range', false, concat_ws(', ', 'SUBTYPE ' || r.rngsubtype::regtype,
      'SUBTYPE_OPCLASS ' || (SELECT opcnamespace::regnamespace || '.' || quote_ident(opcname) FROM pg_opclass
        WHERE oid = r.rngsubopc),
      'COLLATION ' || nullif(r.rngcollation, 0)::regcollation, 'CANONICAL ' || nullif(r.rngcanonical, 0)::regprocedure,
      'SUBTYPE_DIFF ' || nullif(r.rngsubdiff, 0)::regprocedure, 'MULTIRANGE_TYPE_NAME ' || r.rngmultitypid::regtype), NULL
    FROM pg_range r WHERE r.rngtypid >= 16384
    UNION ALL
    SELECT 'pg_type'::regclass::oid, t.oid, 'base type', false, CASE WHEN NOT t.typisdefined THEN 'SHELL' ELSE
      format('INPUT %s, OUTPUT %s, RECEIVE %s, SEND %s, TYPMOD_IN %s, TYPMOD_OUT %s, ANALYZE %s, SUBSCRIPT %s',
        t.typinput, t.typoutput, t.typreceive, t.typsend, t.typmodin, t.typmodout, t.typanalyze, t.typsubscript)
      || format(', LENGTH %s, BY VALUE %s, ALIGNMENT %s, STORAGE %s, CATEGORY %s, PREFERRED %s, DELIMITER %s, COLLATABLE %s',
        t.typlen, t.typbyval, t.typalign, t.typstorage, t.typcategory, t.typispreferred, t.typdelim, t.typcollation <> 0)
      || coalesce(', ELEMENT ' || nullif(t.typelem, 0)::regtype, '')
      || coalesce(', DEFAULT ' || quote_literal(t.typdefault), '') END, NULL
    FROM pg_type t WHERE t.typtype IN ('b', 'p') AND t.oid >= 16384
    """

  /// Operators, what indexes use them by, and casts.
  static let operators = """
    SELECT 'pg_operator'::regclass::oid, oid, 'definition', false, concat_ws(', ', 'FUNCTION ' || oprcode::regprocedure,
      'RETURNS ' || oprresult::regtype, 'COMMUTATOR ' || nullif(oprcom, 0)::regoperator,
      'NEGATOR ' || nullif(oprnegate, 0)::regoperator, 'RESTRICT ' || nullif(oprrest, 0)::regprocedure,
      'JOIN ' || nullif(oprjoin, 0)::regprocedure, CASE WHEN oprcanhash THEN 'HASHES' END,
      CASE WHEN oprcanmerge THEN 'MERGES' END), NULL::oid
    FROM pg_operator WHERE oid >= 16384
    UNION ALL
    SELECT 'pg_opclass'::regclass::oid, c.oid, 'definition', false, concat_ws(' ', CASE WHEN c.opcdefault THEN 'DEFAULT' END,
      'FOR TYPE ' || c.opcintype::regtype, 'FAMILY ' || f.opfnamespace::regnamespace || '.' || quote_ident(f.opfname),
      'STORAGE ' || nullif(c.opckeytype, 0)::regtype), NULL
    FROM pg_opclass c JOIN pg_opfamily f ON f.oid = c.opcfamily WHERE c.oid >= 16384
    UNION ALL
    SELECT 'pg_opfamily'::regclass::oid, o.amopfamily,
      format('operator %s (%s, %s)', o.amopstrategy, o.amoplefttype::regtype, o.amoprighttype::regtype), true,
      o.amopopr::regoperator || CASE o.amoppurpose WHEN 'o' THEN ' FOR ORDER BY ' || (
        SELECT opfnamespace::regnamespace || '.' || quote_ident(opfname) FROM pg_opfamily WHERE oid = o.amopsortfamily)
        ELSE '' END, NULL
    FROM pg_amop o WHERE o.amopfamily >= 16384
    UNION ALL
    SELECT 'pg_opfamily'::regclass::oid, p.amprocfamily,
      format('function %s (%s, %s)', p.amprocnum, p.amproclefttype::regtype, p.amprocrighttype::regtype), true,
      p.amproc::regprocedure::text, NULL
    FROM pg_amproc p WHERE p.amprocfamily >= 16384
    UNION ALL
    SELECT 'pg_cast'::regclass::oid, oid, 'definition', false, concat_ws(' ', CASE castmethod
      WHEN 'b' THEN 'WITHOUT FUNCTION' WHEN 'i' THEN 'WITH INOUT' ELSE 'WITH FUNCTION ' || castfunc::regprocedure END,
      CASE castcontext WHEN 'i' THEN 'AS IMPLICIT' WHEN 'a' THEN 'AS ASSIGNMENT' END), NULL
    FROM pg_cast WHERE oid >= 16384
    UNION ALL
    SELECT 'pg_transform'::regclass::oid, oid, 'definition', false, concat_ws(', ',
      'FROM SQL ' || nullif(trffromsql, 0)::regprocedure, 'TO SQL ' || nullif(trftosql, 0)::regprocedure), NULL
    FROM pg_transform WHERE oid >= 16384
    """
}
