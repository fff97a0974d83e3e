extension SchemaQueries {
  /// Functions, procedures and aggregates, triggers, event triggers, rules and policies.
  static let programs = """
    SELECT 'pg_proc'::regclass::oid, p.oid, 'definition', false,
      CASE p.prokind WHEN 'a' THEN (
        SELECT concat_ws(', ', 'SFUNC ' || a.aggtransfn::regprocedure, 'STYPE ' || format_type(a.aggtranstype, NULL),
          'SSPACE ' || nullif(a.aggtransspace, 0), 'INITCOND ' || quote_literal(a.agginitval),
          'FINALFUNC ' || nullif(a.aggfinalfn, 0)::regprocedure, CASE WHEN a.aggfinalextra THEN 'FINALFUNC_EXTRA' END,
          'FINALFUNC_MODIFY ' || a.aggfinalmodify::text,
          'COMBINEFUNC ' || nullif(a.aggcombinefn, 0)::regprocedure, 'SERIALFUNC ' || nullif(a.aggserialfn, 0)::regprocedure,
          'DESERIALFUNC ' || nullif(a.aggdeserialfn, 0)::regprocedure,
          'MSFUNC ' || nullif(a.aggmtransfn, 0)::regprocedure, 'MINVFUNC ' || nullif(a.aggminvtransfn, 0)::regprocedure,
          'MSTYPE ' || nullif(a.aggmtranstype, 0)::regtype, 'MSSPACE ' || nullif(a.aggmtransspace, 0),
          'MINITCOND ' || quote_literal(a.aggminitval), 'MFINALFUNC ' || nullif(a.aggmfinalfn, 0)::regprocedure,
          CASE WHEN a.aggmfinalextra THEN 'MFINALFUNC_EXTRA' END, 'MFINALFUNC_MODIFY ' || a.aggmfinalmodify::text,
          'SORTOP ' || nullif(a.aggsortop, 0)::regoperator,
          'KIND ' || nullif(a.aggkind, 'n')::text, 'PARALLEL ' || p.proparallel::text, 'VOLATILITY ' || p.provolatile::text,
          CASE WHEN p.prosecdef THEN 'SECURITY DEFINER' END, 'SET ' || array_to_string(p.proconfig, ', '),
          'ARGUMENTS (' || pg_get_function_arguments(p.oid) || ')', 'RETURNS ' || pg_get_function_result(p.oid))
        FROM pg_aggregate a WHERE a.aggfnoid = p.oid)
      ELSE pg_get_functiondef(p.oid) END, NULL
    FROM pg_proc p
    WHERE p.oid >= 16384 AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype IN ('e', 'i'))
    UNION ALL
    SELECT 'pg_trigger'::regclass::oid, oid, 'definition', false, pg_get_triggerdef(oid) || CASE tgenabled
      WHEN 'D' THEN ' (DISABLED)' WHEN 'R' THEN ' (ENABLED REPLICA)' WHEN 'A' THEN ' (ENABLED ALWAYS)' ELSE '' END, NULL
    FROM pg_trigger WHERE NOT tgisinternal AND \(isNotOurs)
    UNION ALL
    SELECT 'pg_event_trigger'::regclass::oid, oid, 'definition', false,
      format('ON %s EXECUTE %s', evtevent, evtfoid::regprocedure)
      || coalesce(' WHEN TAG IN (' || array_to_string(evttags, ', ') || ')', '') || CASE evtenabled
      WHEN 'D' THEN ' (DISABLED)' WHEN 'R' THEN ' (ENABLED REPLICA)' WHEN 'A' THEN ' (ENABLED ALWAYS)' ELSE '' END, NULL
    FROM pg_event_trigger
    UNION ALL
    SELECT 'pg_rewrite'::regclass::oid, oid, 'definition', false, pg_get_ruledef(oid) || CASE ev_enabled
      WHEN 'D' THEN ' (DISABLED)' WHEN 'R' THEN ' (ENABLED REPLICA)' WHEN 'A' THEN ' (ENABLED ALWAYS)' ELSE '' END, NULL
    FROM pg_rewrite WHERE oid >= 16384 AND rulename <> '_RETURN'
    UNION ALL
    SELECT 'pg_policy'::regclass::oid, oid, 'definition', false,
      CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END || ' FOR ' || CASE polcmd
        WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END
      || ' TO ' || (SELECT string_agg(\(role("r")), ', ' ORDER BY \(role("r"))) FROM unnest(polroles) r)
      || coalesce(' USING (' || pg_get_expr(polqual, polrelid) || ')', '')
      || coalesce(' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')', ''), NULL
    FROM pg_policy
    """

  /// A condition on a row of `pg_trigger`: the program has not made it. What it makes on tables of others, to
  /// see their rows change, calls functions of its own schema.
  static let isNotOurs = """
    tgfoid NOT IN (SELECT made.oid FROM pg_proc made WHERE made.pronamespace = to_regnamespace('rivulet'))
    """

  /// The name of a role by its number; one name for all makers.
  static func role(_ number: String) -> String {
    "CASE WHEN \(number) = 0 THEN 'PUBLIC' WHEN pg_get_userbyid(\(number)) = ANY ($1::text[]) "
      + "THEN 'the role that migrates' ELSE quote_ident(pg_get_userbyid(\(number))) END"
  }
}
