extension ObjectKind {
  static let searchParsers = ObjectKind(
    sql: """
      SELECT 'pg_ts_parser'::regclass AS classid, p.oid AS objid,
        format('CREATE TEXT SEARCH PARSER %I.%I (%s)', nspname, prsname, concat_ws(', ', 'START = ' || prsstart,
          'GETTOKEN = ' || prstoken, 'END = ' || prsend, 'LEXTYPES = ' || prslextype,
          'HEADLINE = ' || nullif(prsheadline, 0)::regproc)) AS sql
      FROM pg_ts_parser p JOIN pg_namespace n ON n.oid = prsnamespace
      """)

  static let searchTemplates = ObjectKind(
    sql: """
      SELECT 'pg_ts_template'::regclass AS classid, t.oid AS objid,
        format('CREATE TEXT SEARCH TEMPLATE %I.%I (%s)', nspname, tmplname, concat_ws(', ',
          'INIT = ' || nullif(tmplinit, 0)::regproc, 'LEXIZE = ' || tmpllexize)) AS sql
      FROM pg_ts_template t JOIN pg_namespace n ON n.oid = tmplnamespace
      """)

  static let searchDictionaries = ObjectKind(
    sql: """
      SELECT 'pg_ts_dict'::regclass AS classid, d.oid AS objid,
        format('CREATE TEXT SEARCH DICTIONARY %I.%I (%s)', n.nspname, dictname, concat_ws(', ',
          format('TEMPLATE = %I.%I', tn.nspname, tmplname), dictinitoption)) AS sql
      FROM pg_ts_dict d JOIN pg_namespace n ON n.oid = dictnamespace JOIN pg_ts_template t ON t.oid = dicttemplate
      JOIN pg_namespace tn ON tn.oid = tmplnamespace
      """)

  static let searchConfigurations = ObjectKind(
    sql: """
      SELECT 'pg_ts_config'::regclass AS classid, c.oid AS objid,
        format('CREATE TEXT SEARCH CONFIGURATION %I.%I (PARSER = %I.%I)', n.nspname, cfgname, pn.nspname, prsname)
        || coalesce((SELECT string_agg(format(E';\\nALTER TEXT SEARCH CONFIGURATION %I.%I ADD MAPPING FOR %I WITH %s',
          n.nspname, cfgname, alias, dictionaries), '' ORDER BY alias COLLATE "C") FROM (
            SELECT t.alias, string_agg(mapdict::regdictionary::text, ', ' ORDER BY mapseqno) AS dictionaries
            FROM pg_ts_config_map m JOIN ts_token_type(c.cfgparser) t ON t.tokid = m.maptokentype
            WHERE m.mapcfg = c.oid GROUP BY t.alias) mapping), '') AS sql
      FROM pg_ts_config c JOIN pg_namespace n ON n.oid = cfgnamespace JOIN pg_ts_parser p ON p.oid = cfgparser
      JOIN pg_namespace pn ON pn.oid = prsnamespace
      """)
}
