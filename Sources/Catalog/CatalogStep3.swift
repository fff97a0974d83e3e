/// The third version of schema `rivulet`: migrations that run statement by statement, and what takes over others'.
enum CatalogStep3 {
  static let sql = """
    ALTER TABLE rivulet.migration
      ADD COLUMN definition text,
      ADD COLUMN is_baseline boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN rivulet.migration.definition IS
      'The migration as a file of its own, all sections; missing where an older program applied it.';
    COMMENT ON COLUMN rivulet.migration.is_baseline IS
      'It was there already, done by hand or by another tool, and not run by this program.';

    CREATE TABLE rivulet.migration_statement (
      kind text NOT NULL CHECK (kind IN ('versioned', 'repeatable')),
      version text NOT NULL,
      name text NOT NULL,
      direction text NOT NULL CHECK (direction IN ('up', 'down')),
      statement int NOT NULL CHECK (statement > 0),
      checksum text NOT NULL,
      state text NOT NULL CHECK (state IN ('started', 'done')),
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (kind, version, direction, statement));
    COMMENT ON TABLE rivulet.migration_statement IS
      'How far a migration has come that runs outside a transaction; empty of it when it is through.';
    """
}
