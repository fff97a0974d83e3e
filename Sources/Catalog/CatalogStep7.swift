/// The seventh version of schema `rivulet`: what was merged into tables and releases.
enum CatalogStep7 {
  static let sql = """
    ALTER TABLE rivulet.release ADD COLUMN holds_to date;
    COMMENT ON COLUMN rivulet.release.holds_to IS
      'The last day whose changes it came with, where that is not the first on which it is in effect.';

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
      'What runs have merged into tables: those that hold no releases, or those of the release that was in sight.';
    COMMENT ON COLUMN rivulet.merge.revision IS
      'The revision whose table was changed, or that began with a copy of it; null where the table holds no releases.';
    COMMENT ON COLUMN rivulet.merge.period_from IS 'The first day whose changes the source brought.';
    COMMENT ON COLUMN rivulet.merge.unchanged IS 'Rows of the source that were there as they are.';
    COMMENT ON COLUMN rivulet.merge.storage IS
      'The file of a table that holds no releases, after the merge: another one means that it was emptied or made anew.';
    """
}
