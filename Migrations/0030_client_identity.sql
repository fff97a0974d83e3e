-- Who is asking, as clients of Supabase and PostgREST say it: auth.uid() and the roles anon and authenticated. What is
-- there already stays as it is.
-- rivulet:datasets rvutrack, clara, oncall, doula, ccc

-- rivulet:up
DO $$
DECLARE
  role name;
BEGIN
  FOREACH role IN ARRAY ARRAY['anon', 'authenticated'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role);
      EXCEPTION
        -- Another database of the server is being migrated at this moment.
        WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
  END LOOP;
  IF to_regnamespace('auth') IS NULL THEN
    CREATE SCHEMA auth;
    COMMENT ON SCHEMA auth IS 'Who is asking; made by migration 30';
    GRANT USAGE ON SCHEMA auth TO anon, authenticated;
  END IF;
  IF to_regprocedure('auth.uid()') IS NULL THEN
    CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $body$
      SELECT coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', ''))::uuid
    $body$;
    COMMENT ON FUNCTION auth.uid() IS 'The user who is asking; null where nobody has signed in. Made by migration 30';
  END IF;
END $$;

CREATE SCHEMA api;
COMMENT ON SCHEMA api IS 'What clients see, by the names that they know';
GRANT USAGE ON SCHEMA api TO anon, authenticated;

CREATE FUNCTION api.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Nobody is signed in where an export is loaded, which brings times of its own.
  IF auth.uid() IS NOT NULL AND NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at THEN
    NEW.updated_at := now();
  END IF;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION api.note_change() IS 'Trigger: keeps updated_at of rows that a client changes';
REVOKE ALL ON FUNCTION api.note_change() FROM PUBLIC;

GRANT USAGE ON SCHEMA mart TO authenticated;

-- Who has not signed in sees a cabinet and nothing else: what everybody might know of releases, those know now who
-- are let into a schema by name.
DO $$
DECLARE
  role name;
BEGIN
  REVOKE USAGE ON SCHEMA rivulet FROM PUBLIC;
  GRANT USAGE ON SCHEMA rivulet TO authenticated;
  FOR role IN
    SELECT DISTINCT pg_get_userbyid(a.grantee) FROM pg_namespace n, aclexplode(n.nspacl) a
    WHERE n.nspname IN ('cms', 'directory', 'mart') AND a.privilege_type = 'USAGE'
      AND a.grantee NOT IN (0, n.nspowner, 'anon'::regrole)
  LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA rivulet TO %I', role);
  END LOOP;
END $$;

-- rivulet:down
DO $$
DECLARE
  role name;
BEGIN
  GRANT USAGE ON SCHEMA rivulet TO PUBLIC;
  FOR role IN
    SELECT DISTINCT pg_get_userbyid(a.grantee) FROM pg_namespace n, aclexplode(n.nspacl) a
    WHERE n.nspname = 'rivulet' AND a.privilege_type = 'USAGE' AND a.grantee NOT IN (0, n.nspowner)
  LOOP
    EXECUTE format('REVOKE USAGE ON SCHEMA rivulet FROM %I', role);
  END LOOP;
END $$;
REVOKE USAGE ON SCHEMA mart FROM authenticated;
DROP FUNCTION api.note_change();
DROP SCHEMA api;

-- The roles are the server's: other databases may use them.
DO $$
BEGIN
  IF obj_description(to_regprocedure('auth.uid()'), 'pg_proc') LIKE '%Made by migration 30' THEN
    DROP FUNCTION auth.uid();
  END IF;
  IF obj_description(to_regnamespace('auth'), 'pg_namespace') LIKE '%made by migration 30' THEN
    DROP SCHEMA auth;
  END IF;
END $$;

-- rivulet:verify
SELECT auth.uid();
SELECT 1 / (count(*) = 2)::int FROM pg_roles WHERE rolname IN ('anon', 'authenticated');
SELECT 1 / (NOT has_schema_privilege('anon', 'rivulet', 'USAGE'))::int;
