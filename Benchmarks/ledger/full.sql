-- Fills the ledger beside the last release that a run has published, in the shapes that runs leave: ten thousand
-- runs, a thousand releases with tables of their own, of which five hundred are published. All of them are older
-- than that release, and have its rows. To be run as the only statement of its message, since it commits on its way.
DO $$
DECLARE
  model rivulet.run;
  part record;
  loaded_by bigint;
  release_name text;
  staged text;
  others text;
BEGIN
  SELECT * INTO STRICT model FROM rivulet.run WHERE state = 'published' ORDER BY run DESC LIMIT 1;

  INSERT INTO rivulet.run (pipeline, release, revision, state, definition_hash, program_version, started_at, finished_at,
    error)
  SELECT model.pipeline, 'L' || lpad(((n + 9) / 10)::text, 4, '0'), CASE WHEN n % 10 = 1 THEN NULL ELSE 1 END,
    CASE WHEN n % 10 = 1 THEN 'failed' WHEN n % 10 > 1 THEN 'unchanged' WHEN n <= 5000 THEN 'published' ELSE 'staged' END,
    model.definition_hash, model.program_version, began, began + interval '1 second',
    CASE WHEN n % 10 = 1 THEN 'the connection to the server was lost' END
  FROM generate_series(1, 10000) n, LATERAL (SELECT model.started_at - (10001 - n) * interval '1 hour') b(began);
  INSERT INTO rivulet.run_stage (run, stage, seconds, records, position)
  SELECT r.run, s.stage, s.seconds, s.records, s.position
  FROM rivulet.run_stage s, rivulet.run r WHERE s.run = model.run AND r.run > model.run;
  INSERT INTO rivulet.gate_result (run, rule, severity, passed, found, is_accepted, about)
  SELECT r.run, g.rule, g.severity, g.passed, g.found, g.is_accepted, g.about
  FROM rivulet.gate_result g, rivulet.run r WHERE g.run = model.run AND r.run > model.run;
  INSERT INTO rivulet.source_file (run, source, file, entry, file_sha256, sha256, bytes, layout, records_read,
    records_loaded, records_rejected, records_skipped, skipped_by, zeros_restored, targets, encoding, format, delimiter)
  SELECT r.run, f.source, f.file, f.entry, encode(sha256(convert_to(r.run || f.file_sha256, 'UTF8')), 'hex'),
    encode(sha256(convert_to(r.run || f.sha256, 'UTF8')), 'hex'), f.bytes + r.run, f.layout, f.records_read,
    f.records_loaded, f.records_rejected, f.records_skipped, f.skipped_by, f.zeros_restored, f.targets, f.encoding,
    f.format, f.delimiter
  FROM rivulet.source_file f, rivulet.run r WHERE f.run = model.run AND r.run > model.run;
  COMMIT;

  FOR place IN 1..1000 LOOP
    release_name := 'L' || lpad(place::text, 4, '0');
    SELECT run INTO STRICT loaded_by FROM rivulet.run
    WHERE pipeline = model.pipeline AND release = release_name AND state IN ('published', 'staged');
    INSERT INTO rivulet.release (pipeline, release, revision, effective_from, state, run, published_at)
    SELECT model.pipeline, release_name, 1, date '1990-01-01' + place, state, loaded_by,
      CASE state WHEN 'published' THEN finished_at END
    FROM rivulet.run WHERE run = loaded_by;
    FOR part IN SELECT t.target, t.partition, t.rows
      FROM rivulet.release_table t JOIN rivulet.release r USING (pipeline, release, revision) WHERE r.run = model.run
    LOOP
      staged := part.target || '_' || lower(release_name) || '_' || loaded_by;
      PERFORM rivulet.stage_table(staged, part.target, loaded_by, release_name, '{}', '{}', '{}', '{}', NULL);
      SELECT string_agg(quote_ident(attname), ', ') INTO others FROM pg_attribute
      WHERE attrelid = rivulet.relation(part.target) AND attnum > 0 AND NOT attisdropped AND attname <> 'release';
      EXECUTE format('INSERT INTO %s (release, %s) SELECT %L, %2$s FROM %4$s',
        rivulet.relation(staged), others, release_name, rivulet.relation(part.partition));
      PERFORM rivulet.alter_staged(staged, 'index', '{}', indexrelid::oid::text)
      FROM pg_index WHERE indrelid = rivulet.relation(part.target);
      IF place <= 500 THEN
        PERFORM rivulet.move_staged(release_name, '{}', '{}', ARRAY[staged], ARRAY[part.target], false);
      END IF;
      INSERT INTO rivulet.release_table (pipeline, release, revision, target, partition, rows)
      VALUES (model.pipeline, release_name, 1, part.target, staged, part.rows);
    END LOOP;
    IF place <= 500 THEN
      INSERT INTO rivulet.publication (pipeline, release, revision, published_at)
      SELECT pipeline, release, revision, published_at FROM rivulet.release
      WHERE pipeline = model.pipeline AND release = release_name;
    END IF;
    COMMIT;
  END LOOP;
END
$$
