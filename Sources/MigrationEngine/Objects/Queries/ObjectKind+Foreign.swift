extension ObjectKind {
  static let dataWrappers = ObjectKind(
    sql: """
      SELECT 'pg_foreign_data_wrapper'::regclass AS classid, oid AS objid,
        concat('CREATE FOREIGN DATA WRAPPER ', quote_ident(fdwname), ' HANDLER ' || nullif(fdwhandler, 0)::regproc,
          ' VALIDATOR ' || nullif(fdwvalidator, 0)::regproc) || \(foreignOptions("fdwoptions")) AS sql
      FROM pg_foreign_data_wrapper
      """)

  static let servers = ObjectKind(
    sql: """
      SELECT 'pg_foreign_server'::regclass AS classid, s.oid AS objid,
        concat('CREATE SERVER ', quote_ident(srvname), ' TYPE ' || quote_literal(srvtype),
          ' VERSION ' || quote_literal(srvversion), ' FOREIGN DATA WRAPPER ', quote_ident(fdwname),
          \(foreignOptions("srvoptions"))) AS sql
      FROM pg_foreign_server s JOIN pg_foreign_data_wrapper w ON w.oid = srvfdw
      """)

  /// Of a mapping's options only the remote user's name is written: the others may be secrets.
  static let userMappings = ObjectKind(
    sql: """
      SELECT 'pg_user_mapping'::regclass AS classid, umid AS objid,
        format('CREATE USER MAPPING FOR %s SERVER %I', role, srvname)
        || coalesce((SELECT format(' OPTIONS (%I %L)', option_name, option_value)
          FROM pg_options_to_table(umoptions) WHERE option_name = 'user'), '') AS sql,
        format('%s on server %s', CASE umuser WHEN 0 THEN 'public' ELSE role END, srvname) AS name
      FROM pg_user_mappings, LATERAL (SELECT \(role("umuser")) AS role) x
      """, extra: .name)
}
