extension CatalogSchema {
  /// Staged tables of targets that Citus distributes: each lies beside its target before its first row, so that rows,
  /// keys and indexes are the workers' work, and attaching it moves none.
  ///
  /// Who stages tables with the owner's rights may do this with them, too.
  ///
  /// And sources of views that are distributed.
  static let placement = """
    CREATE FUNCTION rivulet.owner_distribute_staged(name text, target text, key text) RETURNS void
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM rivulet.distribute_staged(name, target, key);
      END
    $$;
    REVOKE ALL ON FUNCTION rivulet.owner_distribute_staged(text, text, text) FROM PUBLIC;

    CREATE FUNCTION rivulet.distribute_staged(name text, target text, key text) RETURNS void
      SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        staged text;
      BEGIN
        IF rivulet.is_deputy('rivulet.owner_distribute_staged(text, text, text)') THEN
          PERFORM rivulet.owner_distribute_staged(name, target, key);
          RETURN;
        END IF;
        staged := rivulet.staged_table(name);
        PERFORM create_distributed_table(staged::regclass, key, colocate_with => rivulet.relation(target)::text);
      END
    $$;
    COMMENT ON FUNCTION rivulet.distribute_staged(text, text, text) IS
      'Lays a staged table beside the shards of its target, by the column that the target is distributed by.';

    DO $$
    DECLARE loader regrole;
    BEGIN
      FOR loader IN SELECT DISTINCT a.grantee FROM pg_proc p CROSS JOIN aclexplode(p.proacl) a
        WHERE p.oid = 'rivulet.owner_stage_table(text, text, bigint, text, text[], text[], text[], text[], text)'::regprocedure
          AND a.grantee NOT IN (0, p.proowner)
      LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION rivulet.owner_distribute_staged(text, text, text) TO %s', loader);
      END LOOP;
    END
    $$;

    ALTER TABLE rivulet.view_source ADD COLUMN placed text CHECK (placed IN ('shards', 'marks'));
    COMMENT ON COLUMN rivulet.view_source.placed IS
      'Citus keeps it on several servers: its changes are captured there, beside its shards, or known by marks alone.';

    """
}
