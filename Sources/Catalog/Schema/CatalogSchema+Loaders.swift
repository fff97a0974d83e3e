extension CatalogSchema {
  /// What a role that loads may do with the owner's rights, and no more of them: only who owns a table attaches,
  /// indexes or drops it, and an owner drops everything.
  ///
  /// Each checks what it is given as the owner. Nobody may call them until somebody is let.
  static let loaders = """
    CREATE FUNCTION rivulet.is_deputy(function text) RETURNS boolean STABLE SET search_path = pg_catalog, pg_temp
      LANGUAGE sql AS $$
      SELECT has_function_privilege(p.oid, 'EXECUTE') AND NOT pg_has_role(p.proowner, 'USAGE')
      FROM pg_proc p WHERE p.oid = function::regprocedure
    $$;
    COMMENT ON FUNCTION rivulet.is_deputy(text) IS
      'Whether who asks may call a function that has its owner''s rights, and has not these himself.';

    CREATE FUNCTION rivulet.admit_loaders(name text) RETURNS void
      SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        writing constant text := (SELECT CASE relkind WHEN 'v' THEN '' ELSE ', INSERT, UPDATE, DELETE' END
          FROM pg_class WHERE oid = name::regclass);
        loader regrole;
      BEGIN
        FOR loader IN SELECT DISTINCT a.grantee FROM pg_proc p CROSS JOIN aclexplode(p.proacl) a
          WHERE p.pronamespace = 'rivulet'::regnamespace AND p.proname = 'owner_stage_table' AND a.grantee NOT IN (0, p.proowner)
        LOOP
          EXECUTE format('GRANT SELECT%s ON %s TO %s', writing, name::regclass, loader);
        END LOOP;
      END
    $$;
    COMMENT ON FUNCTION rivulet.admit_loaders(text) IS
      'Lets the roles that may stage tables read and write a table of the caller''s, by its quoted name.';

    CREATE FUNCTION rivulet.owner_stage_table(name text, target text, run bigint, release text, lacking text[],
        optional text[], added text[], types text[], mark text) RETURNS void
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM rivulet.stage_table(name, target, run, release, lacking, optional, added, types, mark);
      END
    $$;
    CREATE FUNCTION rivulet.owner_alter_staged(name text, action text, columns text[], value text) RETURNS void
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM rivulet.alter_staged(name, action, columns, value);
      END
    $$;
    CREATE FUNCTION rivulet.owner_drop_staged(names text[]) RETURNS void
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM rivulet.drop_staged(names);
      END
    $$;
    CREATE FUNCTION rivulet.owner_move_staged(
        release text, detached text[], hidden text[], attached text[], shown text[], only_checked boolean) RETURNS void
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM rivulet.move_staged(release, detached, hidden, attached, shown, only_checked);
      END
    $$;
    REVOKE ALL ON FUNCTION rivulet.owner_drop_staged(text[]),
      rivulet.owner_stage_table(text, text, bigint, text, text[], text[], text[], text[], text),
      rivulet.owner_alter_staged(text, text, text[], text),
      rivulet.owner_move_staged(text, text[], text[], text[], text[], boolean) FROM PUBLIC;

    """
}
