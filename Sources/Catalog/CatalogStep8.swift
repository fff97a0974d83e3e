/// The eighth version of schema `rivulet`: what a release changes against the one before it.
enum CatalogStep8 {
  static let sql = """
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
      'The published release that it was held against: the one before it, or what the same release was.';
    """
}
