extension SchemaQueries {
  /// Owners who are not makers. That of schema `public` is what the server has made him.
  static let owners = """
    SELECT catalog::oid, object, 'owner', false, quote_ident(pg_get_userbyid(owner)), NULL
    FROM (
      SELECT 'pg_namespace'::regclass, oid, nspowner FROM pg_namespace WHERE oid >= 16384
      UNION ALL SELECT 'pg_class'::regclass, oid, relowner FROM pg_class WHERE oid >= 16384 AND relkind NOT IN ('t', 'i', 'I')
      UNION ALL SELECT 'pg_type'::regclass, oid, typowner FROM pg_type WHERE oid >= 16384 AND typtype <> 'c'
      UNION ALL SELECT 'pg_proc'::regclass, oid, proowner FROM pg_proc WHERE oid >= 16384
      UNION ALL SELECT 'pg_collation'::regclass, oid, collowner FROM pg_collation WHERE oid >= 16384
      UNION ALL SELECT 'pg_conversion'::regclass, oid, conowner FROM pg_conversion WHERE oid >= 16384
      UNION ALL SELECT 'pg_operator'::regclass, oid, oprowner FROM pg_operator WHERE oid >= 16384
      UNION ALL SELECT 'pg_opclass'::regclass, oid, opcowner FROM pg_opclass WHERE oid >= 16384
      UNION ALL SELECT 'pg_opfamily'::regclass, oid, opfowner FROM pg_opfamily WHERE oid >= 16384
      UNION ALL SELECT 'pg_ts_config'::regclass, oid, cfgowner FROM pg_ts_config WHERE oid >= 16384
      UNION ALL SELECT 'pg_ts_dict'::regclass, oid, dictowner FROM pg_ts_dict WHERE oid >= 16384
      UNION ALL SELECT 'pg_language'::regclass, oid, lanowner FROM pg_language WHERE oid >= 16384
      UNION ALL SELECT 'pg_event_trigger'::regclass, oid, evtowner FROM pg_event_trigger
      UNION ALL SELECT 'pg_foreign_data_wrapper'::regclass, oid, fdwowner FROM pg_foreign_data_wrapper
      UNION ALL SELECT 'pg_foreign_server'::regclass, oid, srvowner FROM pg_foreign_server
      UNION ALL SELECT 'pg_publication'::regclass, oid, pubowner FROM pg_publication
      UNION ALL SELECT 'pg_statistic_ext'::regclass, oid, stxowner FROM pg_statistic_ext
    ) owned (catalog, object, owner)
    WHERE pg_get_userbyid(owner) <> ALL ($1::text[])
    """

  /// Rights where they differ from those that PostgreSQL gives by itself. A right that was given explicitly
  /// and one that was never taken away are the same.
  static let grants = """
    WITH holder (catalog, object, part, acl, fallback, owner) AS (
      SELECT 'pg_class'::regclass, oid, '', relacl,
        acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner), relowner
      FROM pg_class WHERE relacl IS NOT NULL AND oid >= 16384
      UNION ALL
      SELECT 'pg_class'::regclass, attrelid, 'column ' || quote_ident(attname) || ': ', attacl, NULL, relowner
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
      WHERE attacl IS NOT NULL AND attrelid >= 16384 AND NOT attisdropped
      UNION ALL
      SELECT 'pg_namespace'::regclass, oid, '', nspacl, acldefault('n', nspowner), nspowner
      FROM pg_namespace WHERE nspacl IS NOT NULL
      UNION ALL
      SELECT 'pg_proc'::regclass, oid, '', proacl, acldefault('f', proowner), proowner
      FROM pg_proc WHERE proacl IS NOT NULL AND oid >= 16384
      UNION ALL
      SELECT 'pg_type'::regclass, oid, '', typacl, acldefault('T', typowner), typowner
      FROM pg_type WHERE typacl IS NOT NULL AND oid >= 16384
      UNION ALL
      SELECT 'pg_language'::regclass, oid, '', lanacl, acldefault('l', lanowner), lanowner
      FROM pg_language WHERE lanacl IS NOT NULL AND oid >= 16384
      UNION ALL
      SELECT 'pg_foreign_data_wrapper'::regclass, oid, '', fdwacl, acldefault('F', fdwowner), fdwowner
      FROM pg_foreign_data_wrapper WHERE fdwacl IS NOT NULL
      UNION ALL
      SELECT 'pg_foreign_server'::regclass, oid, '', srvacl, acldefault('S', srvowner), srvowner
      FROM pg_foreign_server WHERE srvacl IS NOT NULL
      UNION ALL
      SELECT 'pg_default_acl'::regclass, oid, '', defaclacl,
        CASE WHEN defaclnamespace = 0
          THEN acldefault(CASE defaclobjtype WHEN 'S' THEN 's' ELSE defaclobjtype END, defaclrole) END,
        defaclrole
      FROM pg_default_acl)
    SELECT catalog::oid, object, part || what || CASE WHEN grantee = owner THEN 'the owner' ELSE \(role("grantee")) END,
      false, string_agg(right_, ', ' ORDER BY right_), NULL
    FROM holder CROSS JOIN LATERAL (
      SELECT 'grants to ', * FROM (\(rights(in: "acl")) EXCEPT \(rights(in: "fallback"))) given
      UNION ALL
      SELECT 'rights taken from ', * FROM (\(rights(in: "fallback")) EXCEPT \(rights(in: "acl"))) taken
    ) different (what, grantee, right_)
    GROUP BY 1, 2, 3
    """

  /// The rights in an access list, a row each.
  private static func rights(in list: String) -> String {
    "SELECT grantee, privilege_type || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END FROM aclexplode(\(list))"
  }

  /// Comments and security labels, of every object; those on constraints are said of the table or domain.
  static let comments = """
    WITH said (catalog, object, part, what, value) AS (
      SELECT classoid, objoid, objsubid, 'comment', description FROM pg_description
      WHERE objoid >= 16384 OR (objoid = 2200 AND classoid = 'pg_namespace'::regclass)
      UNION ALL
      SELECT classoid, objoid, objsubid, 'label of ' || provider, label FROM pg_seclabel WHERE objoid >= 16384)
    SELECT
      CASE WHEN k.conrelid <> 0 THEN 'pg_class'::regclass WHEN k.contypid <> 0 THEN 'pg_type'::regclass ELSE s.catalog END::oid,
      CASE WHEN k.conrelid <> 0 THEN k.conrelid WHEN k.contypid <> 0 THEN k.contypid ELSE s.object END,
      CASE WHEN a.attname IS NOT NULL THEN 'column ' || quote_ident(a.attname) || ': '
        WHEN k.conname IS NOT NULL THEN 'constraint ' || quote_ident(k.conname) || ': ' ELSE '' END || s.what,
      false, quote_literal(s.value), NULL
    FROM said s
    LEFT JOIN pg_attribute a ON s.catalog = 'pg_class'::regclass AND a.attrelid = s.object AND a.attnum = s.part AND s.part > 0
    LEFT JOIN pg_constraint k ON s.catalog = 'pg_constraint'::regclass AND k.oid = s.object
    """
}
