extension CatalogSchema {
  /// The migration history, and how far a migration has come that runs outside a transaction.
  static let history = """
    CREATE TABLE rivulet.migration (
      position bigint GENERATED ALWAYS AS IDENTITY,
      kind text NOT NULL CHECK (kind IN ('versioned', 'repeatable')),
      version text NOT NULL,
      name text NOT NULL,
      checksum text NOT NULL,
      up_sql text NOT NULL,
      down_sql text,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      applied_by text NOT NULL DEFAULT session_user,
      seconds double precision NOT NULL,
      definition text NOT NULL,
      is_baseline boolean NOT NULL DEFAULT false,
      datasets text[],
      PRIMARY KEY (kind, version));
    COMMENT ON TABLE rivulet.migration IS 'Migrations that have been applied, with their text.';
    COMMENT ON COLUMN rivulet.migration.definition IS 'The migration as a file of its own, all sections.';
    COMMENT ON COLUMN rivulet.migration.datasets IS
      'The datasets that were used when it was applied; null for all that there are.';
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
