extension CatalogSchema {
  /// Histories beside each other, and what people have written into them.
  static let marks = """
    ALTER TABLE rivulet.migration ADD COLUMN history text NOT NULL DEFAULT '';
    ALTER TABLE rivulet.migration DROP CONSTRAINT migration_pkey, ADD PRIMARY KEY (history, kind, version);
    COMMENT ON COLUMN rivulet.migration.history IS
      'The history that it belongs to, of a folder or a schema of its own; empty for that of the project.';
    ALTER TABLE rivulet.migration_statement ADD COLUMN history text NOT NULL DEFAULT '';
    ALTER TABLE rivulet.migration_statement DROP CONSTRAINT migration_statement_pkey,
      ADD PRIMARY KEY (history, kind, version, direction, statement);
    COMMENT ON COLUMN rivulet.migration_statement.history IS 'As in rivulet.migration.';

    CREATE TABLE rivulet.migration_mark (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      history text NOT NULL DEFAULT '',
      version text NOT NULL,
      name text NOT NULL,
      state text NOT NULL CHECK (state IN ('applied', 'pending')),
      reason text NOT NULL,
      marked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      marked_by text NOT NULL DEFAULT session_user);
    COMMENT ON TABLE rivulet.migration_mark IS
      'Migrations that somebody has marked as applied or as pending without running them, and why.';

    """
}
