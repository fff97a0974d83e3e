/// Queries that give statements; `$1` is the owner, `$2` the loader, `$3` the reader.
extension DatabaseRoles {
  /// Row level security is for the clients of a database: who loads the rows of all of them passes it. In a cluster
  /// the servers sign in to each other as the role that is at work.
  static let roles = """
    SELECT format('%s ROLE %I %s NOSUPERUSER NOCREATEROLE NOCREATEDB %s',
      CASE WHEN r.oid IS NULL THEN 'CREATE' ELSE 'ALTER' END, w.name,
      CASE WHEN c.is_cluster THEN 'LOGIN' ELSE 'NOLOGIN' END,
      CASE WHEN w.passes THEN 'BYPASSRLS' ELSE 'NOBYPASSRLS' END)
    FROM (VALUES (1, $1::name, false), (2, $2, true), (3, $3, false)) w(place, name, passes)
    CROSS JOIN (SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus')) c(is_cluster)
    LEFT JOIN pg_catalog.pg_roles r ON r.rolname = w.name
    WHERE r.oid IS NULL OR r.rolcanlogin <> c.is_cluster OR r.rolsuper OR r.rolcreaterole OR r.rolcreatedb
      OR r.rolbypassrls <> w.passes
    UNION ALL
    -- Who loads or reads is no member of who may do more.
    SELECT format('REVOKE %I FROM %I', r.rolname, m.rolname) FROM pg_catalog.pg_auth_members a
    JOIN pg_catalog.pg_roles r ON r.oid = a.roleid JOIN pg_catalog.pg_roles m ON m.oid = a.member
    WHERE m.rolname IN ($2, $3) AND r.rolname IN ($1, $2)
    """

  /// CONNECT stays with PUBLIC: who has it only so would be locked out.
  static let database = """
    SELECT format('GRANT %s ON DATABASE %I TO %I', w.privilege, d.datname, w.name)
    FROM pg_catalog.pg_database d, (VALUES (1, $1::name, 'CREATE'), (2, $1, 'TEMPORARY'), (3, $2, 'TEMPORARY'),
      (4, $1, 'CONNECT'), (5, $2, 'CONNECT'), (6, $3, 'CONNECT')) w(place, name, privilege)
    WHERE d.datname = pg_catalog.current_database() AND NOT EXISTS (
      SELECT FROM pg_catalog.aclexplode(d.datacl) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
      WHERE r.rolname = w.name AND a.privilege_type = w.privilege)
    UNION ALL
    SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', d.datname) FROM pg_catalog.pg_database d,
      pg_catalog.aclexplode(coalesce(d.datacl, pg_catalog.acldefault('d', d.datdba))) a
    WHERE d.datname = pg_catalog.current_database() AND a.grantee = 0 AND a.privilege_type = 'TEMPORARY'
    """

  /// The schemas that belong to who owns the schema `rivulet`, and what is in them but for what extensions have
  /// made. `public` is nobody's here.
  private static let project = """
    project AS MATERIALIZED (
      SELECT n.oid, n.nspname, n.nspowner, coalesce(n.nspacl, acldefault('n', n.nspowner)) AS acl FROM pg_namespace n
      WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'public') AND n.nspowner IN (
        SELECT nspowner FROM pg_namespace WHERE nspname = 'rivulet' UNION SELECT oid FROM pg_roles WHERE rolname = $1)),
    relation AS MATERIALIZED (
      SELECT c.oid, p.nspname, format('%I.%I', p.nspname, c.relname) AS name, c.relname, c.relkind, c.relowner AS owner,
        coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner)) AS acl,
        coalesce(obj_description(c.oid, 'pg_class') LIKE 'rivulet: staged by run %', false) AS is_staged
      FROM project p JOIN pg_class c ON c.relnamespace = p.oid
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT EXISTS (SELECT FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')),
    routine AS MATERIALIZED (
      SELECT f.oid, p.nspname, f.oid::regprocedure::text AS name, f.proname, f.proowner AS owner, f.prosecdef,
        f.prorettype IN ('trigger'::regtype, 'event_trigger'::regtype) AS is_trigger,
        coalesce(f.proacl, acldefault('f', f.proowner)) AS acl
      FROM project p JOIN pg_proc f ON f.pronamespace = p.oid
      WHERE NOT EXISTS (SELECT FROM pg_depend d
        WHERE d.classid = 'pg_proc'::regclass AND d.objid = f.oid AND d.deptype = 'e'))
    """

  /// What the owner does not own yet.
  static let owners = """
    WITH \(project), owner AS (SELECT (SELECT oid FROM pg_roles WHERE rolname = $1) AS oid)
    SELECT sql FROM (
      SELECT 1, format('ALTER SCHEMA %I OWNER TO %I', p.nspname, $1), p.nspname::text FROM project p, owner o
      WHERE p.nspowner IS DISTINCT FROM o.oid
      UNION ALL
      SELECT 2, format('ALTER %s %s OWNER TO %I', CASE r.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
        WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, r.name, $1), r.name
      FROM relation r, owner o WHERE r.owner IS DISTINCT FROM o.oid
        -- That of a column goes with its table.
        AND NOT (r.relkind = 'S' AND EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
          AND d.objid = r.oid AND d.deptype IN ('a', 'i')))
      UNION ALL
      SELECT 3, format('ALTER ROUTINE %s OWNER TO %I', f.name, $1), f.name FROM routine f, owner o
      WHERE f.owner IS DISTINCT FROM o.oid
      UNION ALL
      SELECT 4, format('ALTER TYPE %I.%I OWNER TO %I', p.nspname, t.typname, $1), t.typname
      FROM project p JOIN pg_type t ON t.typnamespace = p.oid LEFT JOIN pg_class c ON c.oid = t.typrelid, owner o
      WHERE t.typowner IS DISTINCT FROM o.oid AND (t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
      UNION ALL
      SELECT 5, format('ALTER STATISTICS %I.%I OWNER TO %I', p.nspname, s.stxname, $1), s.stxname
      FROM project p JOIN pg_statistic_ext s ON s.stxnamespace = p.oid, owner o WHERE s.stxowner IS DISTINCT FROM o.oid
    ) s(place, sql, name) ORDER BY place, name
    """

  /// Tables that only some rows of are for a reader, and what is computed from them.
  private static let guarded = """
    reads AS MATERIALIZED (
      SELECT rivulet.relation(s.view)::oid AS id, rivulet.relation(s.source)::oid AS source FROM rivulet.view_source s
      UNION SELECT r.oid, u.id FROM relation r, rivulet.view_uses(r.oid::regclass) u
      WHERE r.relkind IN ('v', 'm') AND u.class = 'pg_class'::regclass),
    guarded AS (
      SELECT c.oid FROM relation r JOIN pg_class c ON c.oid = r.oid WHERE c.relrowsecurity
      UNION SELECT r.id FROM guarded g JOIN reads r ON r.source = g.oid)
    """

  /// What of the schema `rivulet` says what was applied, and which tables are views that an owner drops, is not
  /// a loader's to write.
  private static let wanted = """
    keeper AS MATERIALIZED (
      SELECT DISTINCT p.nspname, r.rolname FROM project p CROSS JOIN aclexplode(p.acl) a
      JOIN pg_roles r ON r.oid = a.grantee
      WHERE a.privilege_type = 'USAGE' AND a.grantee <> p.nspowner AND r.rolname NOT IN ($1, $2, $3)),
    readable AS MATERIALIZED (
      SELECT r.oid, r.nspname, r.name FROM relation r
      WHERE r.relkind IN ('r', 'p', 'v', 'm') AND NOT r.is_staged AND CASE r.nspname
        WHEN 'rivulet' THEN r.relname IN ('release', 'current_release', 'dataset', 'setting')
        ELSE r.nspname NOT IN ('api', 'auth') AND r.oid NOT IN (SELECT oid FROM guarded WHERE oid IS NOT NULL) END),
    wanted (kind, name, grantee, privilege) AS (
      SELECT 'SCHEMA', quote_ident(nspname), $2::name, 'USAGE' FROM project
      UNION ALL SELECT 'SCHEMA', quote_ident(nspname), $3::name, 'USAGE' FROM project WHERE nspname NOT IN ('api', 'auth')
      UNION ALL
      SELECT CASE r.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, r.name, $2, p.privilege
      FROM relation r CROSS JOIN unnest(CASE WHEN r.relkind = 'S' THEN '{USAGE}'
        WHEN r.relkind IN ('v', 'm') OR r.nspname = 'rivulet' AND r.relname IN ('catalog_version', 'migration',
          'migration_statement', 'migration_mark', 'setting', 'view', 'view_source', 'view_grant', 'view_setting')
          THEN '{SELECT}'
        ELSE '{SELECT,INSERT,UPDATE,DELETE}' END::text[]) p(privilege)
      UNION ALL SELECT 'TABLE', name, $3, 'SELECT' FROM readable
      UNION ALL SELECT 'ROUTINE', f.name, $2, 'EXECUTE' FROM routine f
      -- Triggers call what has its owner's rights, too; that reads and writes no table which a loader may not.
      WHERE NOT f.is_trigger AND (NOT f.prosecdef OR f.nspname <> 'rivulet' OR f.proname LIKE 'owner\\_%'
        OR f.proname = 'rejected_in')
      UNION ALL SELECT 'ROUTINE', f.name, $3, 'EXECUTE' FROM routine f
      WHERE NOT f.is_trigger AND CASE f.nspname WHEN 'rivulet' THEN f.proname IN ('today', 'rejected_in')
        ELSE NOT f.prosecdef AND f.nspname NOT IN ('api', 'auth') END
      -- What PUBLIC had those keep who are let into the schemas by name.
      UNION ALL SELECT CASE r.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, r.name, k.rolname, a.privilege_type
      FROM relation r CROSS JOIN aclexplode(r.acl) a JOIN keeper k ON k.nspname = r.nspname WHERE a.grantee = 0
      UNION ALL SELECT DISTINCT 'ROUTINE', f.name, k.rolname, a.privilege_type
      FROM routine f CROSS JOIN aclexplode(f.acl) a CROSS JOIN keeper k
      WHERE a.grantee = 0 AND NOT f.is_trigger AND (k.nspname = f.nspname OR f.nspname <> 'rivulet'))
    """

  /// What is granted too little, and to PUBLIC, the loader and the reader too much.
  static let privileges = """
    WITH RECURSIVE \(project), \(guarded), \(wanted),
    granted (kind, name, grantee, privilege) AS (
      SELECT o.kind, o.name, CASE a.grantee WHEN 0 THEN '' ELSE r.rolname END, a.privilege_type
      FROM (SELECT 'SCHEMA', quote_ident(nspname), acl FROM project
        UNION ALL SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, name, acl FROM relation
        UNION ALL SELECT 'ROUTINE', name, acl FROM routine) o(kind, name, acl)
      CROSS JOIN aclexplode(o.acl) a LEFT JOIN pg_roles r ON r.oid = a.grantee),
    statement (verb, kind, name, grantee, privileges) AS (
      SELECT 'GRANT', kind, name, grantee, string_agg(DISTINCT privilege, ', ') FROM (
        SELECT * FROM wanted EXCEPT SELECT * FROM granted) w GROUP BY kind, name, grantee
      UNION ALL SELECT 'REVOKE', kind, name, grantee, string_agg(DISTINCT privilege, ', ') FROM (
        SELECT * FROM granted WHERE grantee IN ('', $2, $3) EXCEPT SELECT * FROM wanted) g
      GROUP BY kind, name, grantee)
    SELECT format('%s %s ON %s %s %s %s', verb, privileges, kind, string_agg(name, ', ' ORDER BY name),
      CASE verb WHEN 'GRANT' THEN 'TO' ELSE 'FROM' END, CASE grantee WHEN '' THEN 'PUBLIC' ELSE quote_ident(grantee) END)
    FROM statement GROUP BY verb, privileges, kind, grantee
    UNION ALL
    -- What a refresh records.
    SELECT format('GRANT UPDATE (%s) ON TABLE %s TO %I', string_agg(a.attname, ', ' ORDER BY a.attnum), a.attrelid::regclass, $2)
    FROM pg_attribute a WHERE (a.attrelid = 'rivulet.view'::regclass AND a.attname IN ('refreshed_at', 'as_of', 'rows',
        'groups', 'code', 'functions', 'relations', 'follows_date')
      OR a.attrelid = 'rivulet.view_source'::regclass AND a.attname IN ('partitions', 'releases'))
      AND NOT EXISTS (SELECT FROM aclexplode(a.attacl) x JOIN pg_roles r ON r.oid = x.grantee
        WHERE r.rolname = $2 AND x.privilege_type = 'UPDATE')
    GROUP BY a.attrelid
    ORDER BY 1 DESC
    """

  /// What the owner makes later: tables are the loader's to fill, and the reader's where all tables of a schema
  /// are. What is to be known of a view is known when it is there.
  static let defaults = """
    WITH RECURSIVE \(project), \(guarded),
    wanted (nspname, kind, letter, grantee, privilege) AS (
      SELECT p.nspname, k.kind, k.letter::"char", $2::name, k.privilege FROM project p, (VALUES ('TABLES', 'r', 'SELECT'),
        ('TABLES', 'r', 'INSERT'), ('TABLES', 'r', 'UPDATE'), ('TABLES', 'r', 'DELETE'),
        ('SEQUENCES', 'S', 'USAGE')) k(kind, letter, privilege)
      WHERE p.nspname NOT IN ('rivulet', 'auth')
      UNION ALL SELECT p.nspname, 'TABLES', 'r', $3, 'SELECT' FROM project p
      WHERE EXISTS (SELECT FROM relation r WHERE r.nspname = p.nspname AND pg_get_partkeydef(r.oid) = 'LIST (release)')
        AND NOT EXISTS (SELECT FROM relation r JOIN guarded g ON g.oid = r.oid WHERE r.nspname = p.nspname))
    SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT %s ON %s TO %I', $1, w.nspname,
      string_agg(w.privilege, ', ' ORDER BY w.privilege), w.kind, w.grantee)
    FROM wanted w WHERE NOT EXISTS (SELECT FROM pg_default_acl d CROSS JOIN aclexplode(d.defaclacl) a
      JOIN pg_roles r ON r.oid = a.grantee JOIN pg_namespace n ON n.oid = d.defaclnamespace
      JOIN pg_roles o ON o.oid = d.defaclrole
      WHERE o.rolname = $1 AND n.nspname = w.nspname AND d.defaclobjtype = w.letter AND r.rolname = w.grantee
        AND a.privilege_type = w.privilege)
    GROUP BY w.nspname, w.kind, w.grantee ORDER BY w.nspname, w.kind DESC, w.grantee
    """
}
