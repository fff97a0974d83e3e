extension ObjectKind {
  static let routines = ObjectKind(
    sql: """
      SELECT 'pg_proc'::regclass AS classid, p.oid AS objid, rtrim(pg_get_functiondef(p.oid), E'\\n') AS sql
      FROM pg_proc p WHERE prokind <> 'a' AND p.oid >= 16384
      """,
    placeholder: """
      SELECT 'pg_proc'::regclass, p.oid, left(rtrim(pg_get_functiondef(p.oid), E'\\n'),
        -length(pg_get_function_sqlbody(p.oid))) || 'AS '''''
      FROM pg_proc p WHERE prosqlbody IS NOT NULL AND p.oid >= 16384
      """)

  static let aggregates = ObjectKind(
    sql: """
      SELECT 'pg_proc'::regclass AS classid, p.oid AS objid,
        format(E'CREATE AGGREGATE %I.%I(%s) (\\n  %s\\n)', nspname, proname,
          CASE WHEN pronargs = 0 THEN '*' ELSE pg_get_function_arguments(p.oid) END, concat_ws(E',\\n  ',
          'SFUNC = ' || aggtransfn, 'STYPE = ' || format_type(aggtranstype, NULL),
          'SSPACE = ' || nullif(aggtransspace, 0), 'FINALFUNC = ' || nullif(aggfinalfn, 0)::regproc,
          CASE WHEN aggfinalextra THEN 'FINALFUNC_EXTRA' END,
          CASE WHEN aggfinalfn <> 0 THEN 'FINALFUNC_MODIFY = ' || \(modify("aggfinalmodify")) END,
          'COMBINEFUNC = ' || nullif(aggcombinefn, 0)::regproc, 'SERIALFUNC = ' || nullif(aggserialfn, 0)::regproc,
          'DESERIALFUNC = ' || nullif(aggdeserialfn, 0)::regproc, 'INITCOND = ' || quote_literal(agginitval),
          'MSFUNC = ' || nullif(aggmtransfn, 0)::regproc, 'MINVFUNC = ' || nullif(aggminvtransfn, 0)::regproc,
          CASE WHEN aggmtranstype <> 0 THEN 'MSTYPE = ' || format_type(aggmtranstype, NULL) END,
          'MSSPACE = ' || nullif(aggmtransspace, 0), 'MFINALFUNC = ' || nullif(aggmfinalfn, 0)::regproc,
          CASE WHEN aggmfinalextra THEN 'MFINALFUNC_EXTRA' END,
          CASE WHEN aggmfinalfn <> 0 THEN 'MFINALFUNC_MODIFY = ' || \(modify("aggmfinalmodify")) END,
          'MINITCOND = ' || quote_literal(aggminitval),
          'SORTOP = ' || (SELECT format('OPERATOR(%I.%s)', o.nspname, oprname) FROM pg_operator s
            JOIN pg_namespace o ON o.oid = oprnamespace WHERE s.oid = aggsortop),
          'PARALLEL = ' || CASE proparallel WHEN 's' THEN 'SAFE' WHEN 'r' THEN 'RESTRICTED' END,
          CASE WHEN aggkind = 'h' THEN 'HYPOTHETICAL' END)) AS sql
      FROM pg_proc p JOIN pg_aggregate a ON a.aggfnoid = p.oid JOIN pg_namespace n ON n.oid = pronamespace
      WHERE p.oid >= 16384
      """)

  private static func modify(_ column: String) -> String {
    "CASE \(column) WHEN 'r' THEN 'READ_ONLY' WHEN 's' THEN 'SHAREABLE' ELSE 'READ_WRITE' END"
  }

  /// Operators; one that only another names, as its commutator, comes with that one, and is nothing where none
  /// does any more.
  static let operators = ObjectKind(
    sql: """
      SELECT 'pg_operator'::regclass AS classid, o.oid AS objid,
        CASE WHEN oprcode <> 0 THEN format('CREATE OPERATOR %I.%s (%s)', nspname, oprname, concat_ws(', ',
          'FUNCTION = ' || oprcode, 'LEFTARG = ' || format_type(nullif(oprleft, 0), NULL),
          'RIGHTARG = ' || format_type(nullif(oprright, 0), NULL), 'COMMUTATOR = ' || \(operatorName("oprcom")),
          'NEGATOR = ' || \(operatorName("oprnegate")), 'RESTRICT = ' || nullif(oprrest, 0)::regproc,
          'JOIN = ' || nullif(oprjoin, 0)::regproc, CASE WHEN oprcanhash THEN 'HASHES' END,
          CASE WHEN oprcanmerge THEN 'MERGES' END)) END AS sql
      FROM pg_operator o JOIN pg_namespace n ON n.oid = oprnamespace
      WHERE oprcode <> 0 OR EXISTS (SELECT FROM pg_operator other WHERE o.oid IN (other.oprcom, other.oprnegate))
      """)

  private static func operatorName(_ column: String) -> String {
    """
    (SELECT format('OPERATOR(%I.%s)', other_schema.nspname, other.oprname) FROM pg_operator other
      JOIN pg_namespace other_schema ON other_schema.oid = other.oprnamespace WHERE other.oid = o.\(column))
    """
  }

  static let operatorFamilies = ObjectKind(
    sql: """
      SELECT 'pg_opfamily'::regclass AS classid, f.oid AS objid,
        format('CREATE OPERATOR FAMILY %I.%I USING %I', nspname, opfname, amname) AS sql
      FROM pg_opfamily f JOIN pg_namespace n ON n.oid = opfnamespace JOIN pg_am a ON a.oid = opfmethod
      """)

  static let operatorClasses = ObjectKind(
    sql: """
      SELECT 'pg_opclass'::regclass AS classid, c.oid AS objid,
        format(E'CREATE OPERATOR CLASS %I.%I%s FOR TYPE %s USING %I FAMILY %I.%I AS\\n  %s', n.nspname, opcname,
          CASE WHEN opcdefault THEN ' DEFAULT' END, opcintype::regtype, amname, fn.nspname, opfname,
          coalesce(nullif(concat_ws(E',\\n  ', 'STORAGE ' || nullif(opckeytype, 0)::regtype, m.members), ''),
            'STORAGE ' || opcintype::regtype)) AS sql
      FROM pg_opclass c JOIN pg_namespace n ON n.oid = opcnamespace JOIN pg_am a ON a.oid = opcmethod
      JOIN pg_opfamily f ON f.oid = opcfamily JOIN pg_namespace fn ON fn.oid = opfnamespace,
      LATERAL (SELECT string_agg(member, E',\\n  ' ORDER BY member COLLATE "C") AS members FROM (\(members)) x
        JOIN pg_depend d ON (d.classid, d.objid) = (x.classid, x.objid)
        WHERE d.refclassid = 'pg_opclass'::regclass AND d.refobjid = c.oid AND d.deptype = 'i') m
      """)

  /// Operators and functions of operator classes and families.
  static let members = """
    SELECT 'pg_amop'::regclass AS classid, o.oid AS objid, amopfamily AS family,
      format('OPERATOR %s %s%s', amopstrategy, amopopr::regoperator,
        ' FOR ORDER BY ' || (SELECT format('%I.%I', nspname, opfname) FROM pg_opfamily JOIN pg_namespace
          ON pg_namespace.oid = opfnamespace WHERE pg_opfamily.oid = amopsortfamily)) AS member
    FROM pg_amop o
    UNION ALL
    SELECT 'pg_amproc'::regclass, p.oid, amprocfamily,
      format('FUNCTION %s (%s, %s) %s', amprocnum, amproclefttype::regtype, amprocrighttype::regtype,
        amproc::regprocedure)
    FROM pg_amproc p
    """
}
