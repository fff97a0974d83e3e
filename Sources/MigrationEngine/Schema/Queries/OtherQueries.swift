extension SchemaQueries {
  /// Text search.
  static let textSearch = """
    SELECT 'pg_ts_config'::regclass::oid, c.oid, 'parser', false,
      p.prsnamespace::regnamespace || '.' || quote_ident(p.prsname), NULL::oid
    FROM pg_ts_config c JOIN pg_ts_parser p ON p.oid = c.cfgparser WHERE c.oid >= 16384
    UNION ALL
    SELECT 'pg_ts_config'::regclass::oid, m.mapcfg, 'mapping for ' || (
        SELECT alias FROM ts_token_type(c.cfgparser) WHERE tokid = m.maptokentype), true,
      string_agg(m.mapdict::regdictionary::text, ', ' ORDER BY m.mapseqno), NULL
    FROM pg_ts_config_map m JOIN pg_ts_config c ON c.oid = m.mapcfg WHERE m.mapcfg >= 16384
    GROUP BY m.mapcfg, m.maptokentype, c.cfgparser
    UNION ALL
    SELECT 'pg_ts_dict'::regclass::oid, d.oid, 'definition', false, concat_ws(', ',
      'TEMPLATE ' || t.tmplnamespace::regnamespace || '.' || quote_ident(t.tmplname), d.dictinitoption), NULL
    FROM pg_ts_dict d JOIN pg_ts_template t ON t.oid = d.dicttemplate WHERE d.oid >= 16384
    UNION ALL
    SELECT 'pg_ts_parser'::regclass::oid, oid, 'definition', false, format('START %s, GETTOKEN %s, END %s, HEADLINE %s, LEXTYPES %s',
      prsstart, prstoken, prsend, prsheadline, prslextype), NULL
    FROM pg_ts_parser WHERE oid >= 16384
    UNION ALL
    SELECT 'pg_ts_template'::regclass::oid, oid, 'definition', false, format('INIT %s, LEXIZE %s', tmplinit, tmpllexize), NULL
    FROM pg_ts_template WHERE oid >= 16384
    """

  /// Foreign data wrappers, servers and who is mapped to their users; of a mapping's options, which may be
  /// passwords, the names only.
  static let foreign = """
    SELECT 'pg_foreign_data_wrapper'::regclass::oid, oid, 'definition', false, concat_ws(' ',
      'HANDLER ' || nullif(fdwhandler, 0)::regprocedure, 'VALIDATOR ' || nullif(fdwvalidator, 0)::regprocedure,
      'OPTIONS (' || (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(fdwoptions) o) || ')'), NULL::oid
    FROM pg_foreign_data_wrapper
    UNION ALL
    SELECT 'pg_foreign_server'::regclass::oid, s.oid, 'definition', false, concat_ws(' ', 'TYPE ' || quote_literal(s.srvtype),
      'VERSION ' || quote_literal(s.srvversion), 'FOREIGN DATA WRAPPER ' || quote_ident(w.fdwname),
      'OPTIONS (' || (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(s.srvoptions) o) || ')'), NULL
    FROM pg_foreign_server s JOIN pg_foreign_data_wrapper w ON w.oid = s.srvfdw
    UNION ALL
    SELECT 'pg_foreign_server'::regclass::oid, m.srvid, 'user mapping for ' || \(role("m.umuser")), true,
      'OPTIONS (' || coalesce((SELECT string_agg(split_part(o, '=', 1), ', ' ORDER BY o) FROM unnest(m.umoptions) o), '')
      || ')', NULL
    FROM pg_user_mappings m
    """

  /// Publications, with their tables and schemas.
  static let publications = """
    SELECT 'pg_publication'::regclass::oid, p.oid, 'definition', false, concat_ws(', ',
      CASE WHEN puballtables THEN 'FOR ALL TABLES' END, CASE WHEN pubinsert THEN 'insert' END,
      CASE WHEN pubupdate THEN 'update' END, CASE WHEN pubdelete THEN 'delete' END,
      CASE WHEN pubtruncate THEN 'truncate' END, CASE WHEN pubviaroot THEN 'via root' END,
      'generated columns ' || nullif(to_jsonb(p) ->> 'pubgencols', 'n')), NULL::oid
    FROM pg_publication p
    UNION ALL
    SELECT 'pg_publication'::regclass::oid, r.prpubid, 'table ' || r.prrelid::regclass, true, concat_ws(' ',
      '(' || (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) FROM pg_attribute a
        WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs)) || ')',
      'WHERE ' || pg_get_expr(r.prqual, r.prrelid)), r.prrelid
    FROM pg_publication_rel r
    UNION ALL
    SELECT 'pg_publication'::regclass::oid, n.pnpubid, 'schema ' || n.pnnspid::regnamespace, true, '', NULL
    FROM pg_publication_namespace n
    """

  /// Collations, conversions, extensions, languages, access methods and statistics objects.
  static let others = """
    SELECT 'pg_collation'::regclass::oid, c.oid, 'definition', false, concat_ws(', ', 'PROVIDER ' || collprovider::text,
      'LC_COLLATE ' || quote_literal(collcollate), 'LC_CTYPE ' || quote_literal(collctype),
      'LOCALE ' || quote_literal(coalesce(to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'colliculocale')),
      'RULES ' || quote_literal(to_jsonb(c) ->> 'collicurules'), 'ENCODING ' || nullif(pg_encoding_to_char(collencoding), ''),
      CASE WHEN NOT collisdeterministic THEN 'NOT DETERMINISTIC' END), NULL::oid
    FROM pg_collation c WHERE c.oid >= 16384
    UNION ALL
    SELECT 'pg_conversion'::regclass::oid, oid, 'definition', false, concat_ws(' ', CASE WHEN condefault THEN 'DEFAULT' END,
      pg_encoding_to_char(conforencoding), 'TO', pg_encoding_to_char(contoencoding), 'FROM', conproc::regproc), NULL
    FROM pg_conversion WHERE oid >= 16384
    UNION ALL
    SELECT 'pg_extension'::regclass::oid, oid, p.name, false, p.value, NULL
    FROM pg_extension CROSS JOIN LATERAL (VALUES
      ('version', extversion), ('schema', extnamespace::regnamespace::text)) p (name, value)
    UNION ALL
    SELECT 'pg_language'::regclass::oid, oid, 'definition', false, concat_ws(' ', CASE WHEN lanpltrusted THEN 'TRUSTED' END,
      'HANDLER ' || nullif(lanplcallfoid, 0)::regprocedure, 'INLINE ' || nullif(laninline, 0)::regprocedure,
      'VALIDATOR ' || nullif(lanvalidator, 0)::regprocedure), NULL
    FROM pg_language WHERE oid >= 16384
    UNION ALL
    SELECT 'pg_am'::regclass::oid, oid, 'definition', false, format('TYPE %s HANDLER %s', amtype, amhandler), NULL
    FROM pg_am WHERE oid >= 16384
    UNION ALL
    SELECT 'pg_statistic_ext'::regclass::oid, s.oid, 'definition', false, concat_ws(' ', pg_get_statisticsobjdef(s.oid),
      'STATISTICS ' || nullif(stxstattarget, -1)), NULL
    FROM pg_statistic_ext s
    """
}
