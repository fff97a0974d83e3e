extension CatalogSchema {
  /// Releases, their revisions, and what was published when.
  static let releases = """
    CREATE TABLE rivulet.release (
      pipeline text NOT NULL,
      release text NOT NULL,
      revision int NOT NULL CHECK (revision > 0),
      effective_from date,
      effective_to date,
      replaces text,
      missing_tables text[] NOT NULL DEFAULT '{}',
      state text NOT NULL CHECK (state IN ('staged', 'published', 'superseded', 'withdrawn')),
      run bigint NOT NULL REFERENCES rivulet.run,
      published_at timestamptz,
      holds_to date,
      synthetic boolean NOT NULL DEFAULT false,
      missing_parts text[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (pipeline, release, revision));
    CREATE UNIQUE INDEX release_published_key ON rivulet.release (pipeline, release)
      WHERE state = 'published';
    COMMENT ON TABLE rivulet.release IS
      'Releases and their revisions; of each release at most one revision is published.';
    COMMENT ON COLUMN rivulet.release.holds_to IS
      'The last day whose changes it came with, where that is not the first on which it is in effect.';

    COMMENT ON COLUMN rivulet.release.synthetic IS 'Whether its files said that they were samples.';
    COMMENT ON COLUMN rivulet.release.missing_parts IS
      'What it lacks of tables that come in several parts, in words.';

    CREATE TABLE rivulet.release_table (
      pipeline text NOT NULL,
      release text NOT NULL,
      revision int NOT NULL,
      target text NOT NULL,
      partition text NOT NULL UNIQUE,
      rows bigint NOT NULL,
      PRIMARY KEY (pipeline, release, revision, target),
      FOREIGN KEY (pipeline, release, revision) REFERENCES rivulet.release ON DELETE CASCADE);
    COMMENT ON TABLE rivulet.release_table IS
      'The table that holds the rows of a revision; attached to its target while published.';

    CREATE TABLE rivulet.publication (
      publication bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      pipeline text NOT NULL,
      release text NOT NULL,
      revision int NOT NULL,
      replaced_revision int,
      published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      undone_at timestamptz);
    COMMENT ON TABLE rivulet.publication IS 'What was published when, for rolling back.';

    CREATE FUNCTION rivulet.rejected_in(pipeline text, release text, source text, key jsonb) RETURNS bigint
      STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE sql AS $$
      SELECT max(l.run) FROM rivulet.release r
      CROSS JOIN LATERAL rivulet.run_lineage(r.run) l
      JOIN rivulet.source_file f ON f.run = l.run AND f.source = $3
      JOIN rivulet.reject j ON j.source_file_id = f.source_file_id
      WHERE r.pipeline = $1 AND r.release = $2 AND r.state = 'published' AND $4 <> '{}' AND j.key @> $4
    $$;
    COMMENT ON FUNCTION rivulet.rejected_in(text, text, text, jsonb) IS
      'The run that published a release and rejected a record with these columns of the key; null where none did. It tells nothing else of the record.';

    CREATE TABLE rivulet.dataset (
      pipeline text PRIMARY KEY,
      pinned_release text);

    CREATE VIEW rivulet.current_release AS
      SELECT DISTINCT ON (r.pipeline)
        r.pipeline, r.release, r.revision, r.effective_from, r.effective_to,
        r.release = d.pinned_release AS pinned
      FROM rivulet.release r
      LEFT JOIN rivulet.dataset d ON d.pipeline = r.pipeline
        -- A pin counts as long as its release is published.
        AND EXISTS (SELECT FROM rivulet.release p
          WHERE (p.pipeline, p.release, p.state) = (d.pipeline, d.pinned_release, 'published'))
      WHERE r.state = 'published'
        AND (r.release = d.pinned_release
          OR d.pinned_release IS NULL AND r.effective_from <= rivulet.today())
      ORDER BY r.pipeline, r.effective_from DESC, r.release DESC;
    COMMENT ON VIEW rivulet.current_release IS
      'Of each pipeline the pinned release, else the one with the latest effective date not after today.';

    CREATE TABLE rivulet.release_change (
      run bigint PRIMARY KEY REFERENCES rivulet.run,
      target text NOT NULL,
      from_release text NOT NULL,
      from_revision int NOT NULL,
      added bigint NOT NULL,
      removed bigint NOT NULL,
      changed bigint NOT NULL);
    COMMENT ON TABLE rivulet.release_change IS
      'How many rows of its main table a run has brought that are new, gone and changed, where its pipeline asks for it.';
    COMMENT ON COLUMN rivulet.release_change.from_release IS
      'The published release that it was compared with: the one before it, or what the same release was.';

    """

  /// What was merged into tables and releases.
  static let merges = """
    CREATE TABLE rivulet.merge (
      run bigint NOT NULL REFERENCES rivulet.run,
      source text NOT NULL,
      target text NOT NULL,
      pipeline text NOT NULL,
      release text,
      revision int,
      period_from date,
      period_to date,
      inserted bigint NOT NULL,
      updated bigint NOT NULL,
      deleted bigint NOT NULL,
      unchanged bigint NOT NULL,
      storage bigint,
      merged_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE NULLS NOT DISTINCT (run, target, revision));
    CREATE INDEX merge_release_idx ON rivulet.merge (pipeline, release, revision);
    CREATE INDEX merge_target_idx ON rivulet.merge (target);
    COMMENT ON TABLE rivulet.merge IS
      'What runs have merged into tables: those that hold no releases, or those of the release that was published.';
    COMMENT ON COLUMN rivulet.merge.revision IS
      'The revision whose table was changed, or that began with a copy of it; null where the table holds no releases.';
    COMMENT ON COLUMN rivulet.merge.period_from IS 'The first day whose changes the source brought.';
    COMMENT ON COLUMN rivulet.merge.unchanged IS 'Rows of the source that were there as they are.';
    COMMENT ON COLUMN rivulet.merge.storage IS
      'The file of a table that holds no releases, after the merge: another one means that it was emptied or made again.';

    """
}
