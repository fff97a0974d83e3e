import PostgreSQL
import TestSupport
import Testing

/// The schemas of the five systems, on servers of their own: roles belong to the whole server.
@Suite("The schemas of the five systems")
struct SystemsSchemaTests {
  /// What Supabase has in a new database, as far as it meets these schemas.
  private static let supabase = """
    CREATE ROLE anon NOLOGIN NOINHERIT;
    CREATE ROLE authenticated NOLOGIN NOINHERIT;
    CREATE ROLE service_role NOLOGIN NOINHERIT BYPASSRLS;
    CREATE ROLE authenticator LOGIN NOINHERIT;
    GRANT anon, authenticated, service_role TO authenticator;
    CREATE ROLE supabase_auth_admin NOLOGIN NOINHERIT CREATEROLE;
    CREATE ROLE postgres LOGIN NOSUPERUSER CREATEDB CREATEROLE BYPASSRLS;
    GRANT CREATE ON DATABASE % TO postgres;
    CREATE SCHEMA extensions AUTHORIZATION postgres;
    CREATE EXTENSION pg_trgm SCHEMA extensions;
    CREATE SCHEMA auth AUTHORIZATION supabase_auth_admin;
    GRANT USAGE ON SCHEMA auth TO anon, authenticated, service_role, postgres;
    CREATE TABLE auth.users (id uuid PRIMARY KEY, email text);
    CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
      SELECT coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid
    $$;
    ALTER FUNCTION auth.uid() OWNER TO supabase_auth_admin;
    COMMENT ON FUNCTION auth.uid() IS 'Deprecated. Use auth.jwt() -> ''sub'' instead.';
    """

  /// All that is in a database but the system's own and the engine's, which numbers its triggers again: its
  /// kind, name, rights and text.
  private func catalog(_ connection: Connection) throws -> [String] {
    try connection.lines(
      """
      WITH home AS (SELECT oid, nspname, nspacl, nspowner FROM pg_namespace
        WHERE nspname <> ALL ('{pg_catalog,information_schema,rivulet}') AND nspname !~ '^pg_')
      SELECT concat_ws(' ', 'schema', nspname, nspowner::regrole, nspacl, obj_description(oid, 'pg_namespace')) FROM home
      UNION ALL SELECT concat_ws(' ', c.relkind, h.nspname, c.relname, c.relowner::regrole, c.relacl, c.relrowsecurity,
          c.reloptions, pg_get_viewdef(CASE WHEN c.relkind = 'v' THEN c.oid END), pg_get_indexdef(CASE WHEN c.relkind = 'i' THEN c.oid END),
          (SELECT string_agg(concat_ws(' ', a.attname, a.atttypid::regtype, a.attnotnull, a.attacl,
            pg_get_expr(d.adbin, d.adrelid)), ', ' ORDER BY a.attnum)
            FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped), obj_description(c.oid, 'pg_class'))
        FROM pg_class c JOIN home h ON h.oid = c.relnamespace WHERE c.relkind <> 't'
      UNION ALL SELECT concat_ws(' ', 'function', f.oid::regprocedure, f.proowner::regrole, f.proacl,
          CASE WHEN f.prokind = 'f' THEN pg_get_functiondef(f.oid) END, obj_description(f.oid, 'pg_proc'))
        FROM pg_proc f JOIN home h ON h.oid = f.pronamespace
      UNION ALL SELECT concat_ws(' ', 'policy', p) FROM pg_policies p
      UNION ALL SELECT concat_ws(' ', 'constraint', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
        FROM pg_constraint c JOIN home h ON h.oid = c.connamespace
      UNION ALL SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid)) FROM pg_trigger t
        JOIN pg_class c ON c.oid = t.tgrelid JOIN home h ON h.oid = c.relnamespace
        WHERE NOT t.tgisinternal AND t.tgname !~ '^rivulet_'
      UNION ALL SELECT concat_ws(' ', 'extension', e.extname, e.extnamespace::regnamespace, obj_description(e.oid, 'pg_extension'))
        FROM pg_extension e
      UNION ALL SELECT concat_ws(' ', 'role', rolname, rolsuper, rolinherit, rolcanlogin, rolbypassrls) FROM pg_roles
        WHERE rolname !~ '^pg_'
      ORDER BY 1
      """)
  }

  private func expect(_ connection: Connection, _ expected: [String]) throws {
    let found = try catalog(connection)
    #expect(Set(found).symmetricDifference(expected).sorted() == [])
    #expect(found.count == expected.count)
  }

  @Test("come and go on plain PostgreSQL, where nobody knows of auth or of clients' roles")
  func plain() throws {
    let server = try CrashingServer()
    let database = try server.makeDatabase()
    let connection = try database.connect()
    #expect(try connection.lines("SELECT FROM pg_roles WHERE rolname IN ('anon', 'authenticated')") == [])
    let before = try catalog(connection)
    let program = Program(database: database.url)
    try program.run("migrate", "up").succeeded()
    let up = try catalog(connection)
    #expect(
      up.contains { $0.hasPrefix("schema auth ") } && up.contains { $0.hasPrefix("extension pg_trgm public") }
    )
    try program.run("migrate", "down", "--to", "0").succeeded()
    // Roles are the server's: other databases may use them.
    #expect(try catalog(connection).filter { !$0.contains("role a") } == before)
    try program.run("migrate", "up").succeeded()
    try expect(connection, up)
  }

  @Test(
    "come and go beside Supabase's auth, roles and extensions, by one who is no superuser, and leave them as they are"
  )
  func supabase() throws {
    let server = try CrashingServer()
    let database = try server.makeDatabase()
    let connection = try database.connect()
    try connection.execute(Self.supabase.replacing("%", with: database.name))
    let before = try catalog(connection)
    let program = Program(database: database.url(as: "postgres"))
    try program.run("migrate", "up").succeeded()
    let up = try catalog(connection)
    #expect(Set(before).isSubset(of: up), "\(Set(before).subtracting(up))")
    // Clients meet their rows there as anywhere.
    try connection.execute(
      """
      INSERT INTO doula.doula_profile (id) VALUES ('\(People.ana)'), ('\(People.ben)');
      SET ROLE authenticator;
      SET ROLE authenticated;
      SELECT set_config('request.jwt.claims', '{"sub": "\(People.ana)"}', false);
      """)
    #expect(try connection.lines("SELECT id FROM api.doula_profiles") == [People.ana])
    try connection.execute("RESET ROLE; TRUNCATE doula.doula_profile CASCADE")
    try program.run("migrate", "down", "--to", "0").succeeded()
    try expect(connection, before)
    try program.run("migrate", "up").succeeded()
    try expect(connection, up)
  }

  @Test("come and go where a schema auth is somebody else's, without a function that tells who is asking")
  func otherAuth() throws {
    let server = try CrashingServer()
    let database = try server.makeDatabase()
    let connection = try database.connect()
    try connection.execute(
      "CREATE SCHEMA auth; CREATE TABLE auth.session (id int); CREATE ROLE authenticated NOLOGIN")
    let before = try catalog(connection)
    let program = Program(database: database.url)
    try program.run("migrate", "up").succeeded()
    #expect(try connection.execute("SELECT auth.uid()").first?[0] == nil)
    try program.run("migrate", "down", "--to", "0").succeeded()
    #expect(try catalog(connection).filter { !$0.contains("role anon") } == before)
  }

  @Test("close the engine's schema but to who is let into another by name, and open it again on the way down")
  func engineSchema() throws {
    let server = try CrashingServer()
    let database = try server.makeDatabase()
    let connection = try database.connect()
    let program = Program(database: database.url)
    try program.run("migrate", "up", "--to", "24").succeeded()
    try connection.execute("CREATE ROLE analyst; GRANT USAGE ON SCHEMA mart TO analyst")
    let rights = {
      try connection.lines(
        "SELECT a::text FROM pg_namespace, unnest(nspacl) a WHERE nspname = 'rivulet' ORDER BY 1")
    }
    let before = try rights()
    try program.run("migrate", "up").succeeded()
    #expect(
      try connection.lines(
        """
        SELECT r, has_schema_privilege(r, 'rivulet', 'USAGE')
        FROM unnest('{analyst,anon,authenticated}'::text[]) r ORDER BY 1
        """) == ["analyst|t", "anon|f", "authenticated|t"])
    try program.run("migrate", "down", "--to", "24").succeeded()
    #expect(try rights() == before)
  }

  @Test("promise of no function that catches errors that workers may call it")
  func workers() throws {
    let (database, _) = try Loaded.migrated()
    #expect(
      try database.rows(
        """
        SELECT f.oid::regprocedure FROM pg_proc f JOIN pg_language l ON l.oid = f.prolang
        WHERE l.lanname = 'plpgsql' AND f.prosrc ~* '\\mEXCEPTION\\s+WHEN\\M' AND f.proparallel <> 'u'
        """) == [])
  }
}
