extension CatalogSchema {
  /// Tables that runs stage: made from the definition of their target, whose owner they belong to from the
  /// start, so that nothing on them, no trigger, expression or type, is of the role that fills them. They are
  /// known by a comment, which only their owner can write.
  ///
  /// Who owns the target, or is a member of that role, does all of it himself; who may call the functions of
  /// ``loaders`` does it with the owner's rights.
  static let staging = """
    CREATE FUNCTION rivulet.staged_table(name text) RETURNS text SET search_path = pg_catalog, pg_temp
      LANGUAGE plpgsql AS $$
      DECLARE there constant regclass := rivulet.relation(name);
      BEGIN
        IF there IS NOT NULL AND NOT EXISTS (SELECT FROM pg_class WHERE oid = there AND relkind = 'r'
            AND pg_has_role(relowner, 'USAGE')
            AND starts_with(obj_description(oid, 'pg_class'), 'rivulet: staged by run ')) THEN
          RAISE insufficient_privilege USING MESSAGE = format('%s is not a table that a run has staged', there);
        END IF;
        RETURN there;
      END
    $$;
    COMMENT ON FUNCTION rivulet.staged_table(text) IS
      'The quoted name of a table that a run has staged; null where it is not there. Others are refused.';

    CREATE FUNCTION rivulet.stage_table(name text, target text, run bigint, release text, lacking text[],
        optional text[], added text[], types text[], mark text) RETURNS void
      SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        like_table constant regclass := rivulet.relation(target);
        staged constant text := format('%I.%I', split_part(name, '.', 1), split_part(name, '.', 2));
        owner regrole;
        parts text[];
        changes text[];
        grantee text;
      BEGIN
        IF rivulet.is_deputy('rivulet.owner_stage_table(text, text, bigint, text, text[], text[], text[], text[], text)') THEN
          PERFORM rivulet.owner_stage_table(name, target, run, release, lacking, optional, added, types, mark);
          RETURN;
        END IF;
        IF NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = like_table AND c.relkind IN ('r', 'p')
            AND pg_has_role(c.relowner, 'USAGE') AND c.relnamespace <> 'rivulet'::regnamespace
            AND c.relnamespace::regnamespace::text = quote_ident(split_part(name, '.', 1))) THEN
          RAISE insufficient_privilege USING MESSAGE =
            format('no table can be staged for %s: it does not belong to %s', target, quote_ident(current_user));
        END IF;
        IF EXISTS (SELECT FROM unnest(types) t WHERE t !~ '^[a-z0-9]+(\\([0-9]+, [0-9]+\\))?(\\[\\])?$') THEN
          RAISE invalid_parameter_value USING MESSAGE = 'no type of a staged column';
        END IF;
        PERFORM rivulet.drop_staged(ARRAY[name]);
        -- Not by LIKE, which keeps a lock on the target until its transaction ends: no publication could have
        -- it while the new one is filled.
        parts := ARRAY(
          SELECT format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
            || CASE WHEN l.oid IS NOT NULL THEN format(' COLLATE %I.%I', n.nspname, l.collname) ELSE '' END
            || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
            -- What a file does not bring takes its default where it is inserted.
            || CASE WHEN lacking = '{}' AND a.attgenerated = ''
              THEN coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') ELSE '' END
          FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN pg_collation l ON l.oid = a.attcollation AND l.oid <> t.typcollation
            LEFT JOIN pg_namespace n ON n.oid = l.collnamespace
            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = like_table AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum)
        || ARRAY(
          SELECT format('CONSTRAINT %I %s', conname, regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', ''))
          FROM pg_constraint WHERE conrelid = like_table AND contype = 'c' ORDER BY conname);
        IF release IS NOT NULL THEN
          -- Proves to ATTACH that no scan is needed.
          parts := parts || format('CONSTRAINT rivulet_release CHECK (release IS NOT NULL AND release = %L)', release);
        END IF;
        -- Who vacuums or analyses a table is in the way of attaching it.
        EXECUTE format('CREATE TABLE %s (%s) WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off)',
          staged, array_to_string(parts, ', '));
        changes := ARRAY(
          SELECT format('ALTER %I SET STORAGE %s', a.attname, CASE a.attstorage
            WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END)
          FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
          WHERE a.attrelid = like_table AND a.attnum > 0 AND NOT a.attisdropped AND a.attstorage <> t.typstorage
            AND a.attname <> ALL (lacking))
        || ARRAY(SELECT format('DROP %I', c) FROM unnest(lacking) c)
        || ARRAY(SELECT format('ALTER %I DROP NOT NULL', c) FROM unnest(optional) c)
        || ARRAY(SELECT format('ADD %I pg_catalog.%s', c, t) FROM unnest(added, types) a(c, t))
        || ARRAY(SELECT format('ADD %I boolean NOT NULL DEFAULT false', mark) WHERE mark IS NOT NULL);
        IF changes <> '{}' THEN
          EXECUTE format('ALTER TABLE %s %s', staged, array_to_string(changes, ', '));
        END IF;
        EXECUTE format('COMMENT ON TABLE %s IS %L', staged, 'rivulet: staged by run ' || run);
        -- What default privileges open is for who reads what is published.
        FOR grantee IN SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
          FROM pg_class c CROSS JOIN aclexplode(c.relacl) a WHERE c.oid = staged::regclass AND a.grantee <> c.relowner
        LOOP
          EXECUTE format('REVOKE ALL ON %s FROM %s', staged, grantee);
        END LOOP;
        PERFORM rivulet.admit_loaders(staged);
        -- So that all members of the target's owner can move it.
        SELECT relowner INTO owner FROM pg_class WHERE oid = like_table;
        IF owner::oid <> quote_ident(current_user)::regrole::oid
          AND has_schema_privilege(owner::oid, split_part(name, '.', 1), 'CREATE') THEN
          EXECUTE format('ALTER TABLE %s OWNER TO %s', staged, owner);
        END IF;
      END
    $$;
    COMMENT ON FUNCTION rivulet.stage_table(text, text, bigint, text, text[], text[], text[], text[], text) IS
      'Makes the table of a run for the rows of a target: without columns, with some that may be null, and with more.';

    CREATE FUNCTION rivulet.alter_staged(name text, action text, columns text[], value text) RETURNS void
      SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        staged text;
        list constant text := (SELECT string_agg(quote_ident(c), ', ' ORDER BY place)
          FROM unnest(columns) WITH ORDINALITY u(c, place));
        made text;
      BEGIN
        IF rivulet.is_deputy('rivulet.owner_alter_staged(text, text, text[], text)') THEN
          PERFORM rivulet.owner_alter_staged(name, action, columns, value);
          RETURN;
        END IF;
        staged := rivulet.staged_table(name);
        IF action <> 'analyze' AND (SELECT relispartition FROM pg_class WHERE oid = staged::regclass) THEN
          RAISE insufficient_privilege USING MESSAGE = format('%s is published: it is not altered', staged);
        END IF;
        CASE action
        WHEN 'default' THEN
          EXECUTE format('ALTER TABLE %s ALTER %s SET DEFAULT %L', staged, list, value);
        WHEN 'no default' THEN
          EXECUTE format('ALTER TABLE %s ALTER %s DROP DEFAULT', staged, list);
        WHEN 'n_distinct' THEN
          EXECUTE format('ALTER TABLE %s ALTER %s SET (n_distinct = %s)', staged, list, value::int);
        WHEN 'key' THEN
          EXECUTE format('CREATE UNIQUE INDEX ON %s (%s)', staged, list);
        WHEN 'index' THEN
          SELECT CASE WHEN k.oid IS NOT NULL THEN format('ALTER TABLE %s ADD %s', staged, pg_get_constraintdef(k.oid))
            ELSE format('CREATE %sINDEX ON %s USING %s', CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END, staged,
              regexp_replace(pg_get_indexdef(i.indexrelid), '^.*? USING ', '')) END
          INTO made FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype IN ('p', 'u')
          WHERE i.indexrelid = value::oid AND pg_has_role(c.relowner, 'USAGE');
          EXECUTE made;
        WHEN 'analyze' THEN
          EXECUTE format('ANALYZE %s', staged);
        END CASE;
      END
    $$;
    COMMENT ON FUNCTION rivulet.alter_staged(text, text, text[], text) IS
      'Gives a staged table a default, an index of its target (by its number), or statistics.';

    CREATE FUNCTION rivulet.drop_staged(names text[]) RETURNS void
      SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        there text[];
        attached regclass;
      BEGIN
        IF rivulet.is_deputy('rivulet.owner_drop_staged(text[])') THEN
          PERFORM rivulet.owner_drop_staged(names);
          RETURN;
        END IF;
        there := ARRAY(SELECT t FROM unnest(names) name, rivulet.staged_table(name) t WHERE t IS NOT NULL);
        attached := (SELECT min(oid) FROM pg_class WHERE oid = ANY (there::regclass[]) AND relispartition);
        IF attached IS NOT NULL THEN
          RAISE insufficient_privilege USING MESSAGE = format('%s is published: it is not dropped', attached);
        END IF;
        IF there <> '{}' THEN EXECUTE 'DROP TABLE ' || array_to_string(there, ', '); END IF;
      END
    $$;
    COMMENT ON FUNCTION rivulet.drop_staged(text[]) IS 'Drops tables that runs have staged, as far as they are there.';

    CREATE FUNCTION rivulet.move_staged(release text, detached text[], hidden text[], attached text[], shown text[],
        only_checked boolean) RETURNS void SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        target text;
        staged text;
      BEGIN
        IF rivulet.is_deputy('rivulet.owner_move_staged(text, text[], text[], text[], text[], boolean)') THEN
          PERFORM rivulet.owner_move_staged(release, detached, hidden, attached, shown, only_checked);
          RETURN;
        END IF;
        PERFORM rivulet.staged_table(t) FROM unnest(detached || attached) t;
        IF only_checked THEN RETURN; END IF;
        FOR target, staged IN SELECT t, rivulet.staged_table(s) FROM unnest(hidden, detached) u(t, s) LOOP
          EXECUTE format('ALTER TABLE %I.%I DETACH PARTITION %s',
            split_part(target, '.', 1), split_part(target, '.', 2), staged);
        END LOOP;
        FOR target, staged IN SELECT t, rivulet.staged_table(s) FROM unnest(shown, attached) u(t, s) LOOP
          EXECUTE format('ALTER TABLE %s RESET (autovacuum_enabled, toast.autovacuum_enabled)', staged);
          EXECUTE format('ALTER TABLE %I.%I ATTACH PARTITION %s FOR VALUES IN (%L)',
            split_part(target, '.', 1), split_part(target, '.', 2), staged, release);
        END LOOP;
      END
    $$;
    COMMENT ON FUNCTION rivulet.move_staged(text, text[], text[], text[], text[], boolean) IS
      'Detaches staged tables from their targets, and attaches others, whose rows are of the release; or only checks that they are staged.';

    """
}
