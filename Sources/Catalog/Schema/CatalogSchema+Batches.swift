extension CatalogSchema {
  /// How far a statement has come that runs in batches.
  static let batches = """
    ALTER TABLE rivulet.migration_statement
      ADD COLUMN last_key text[],
      ADD COLUMN batches bigint,
      ADD COLUMN rows_changed bigint,
      ADD COLUMN rows_read bigint,
      ADD COLUMN rows_total bigint;
    COMMENT ON COLUMN rivulet.migration_statement.last_key IS
      'The key of the last row that is done of a statement that runs in batches; null before the first and when it is through.';
    COMMENT ON COLUMN rivulet.migration_statement.rows_read IS
      'How many rows of the table the batches were over.';
    COMMENT ON COLUMN rivulet.migration_statement.rows_total IS
      'How many rows the table had when the statement began, as far as that was known.';

    """
}
