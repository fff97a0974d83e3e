extension CatalogSchema {
  /// How far a statement has come that runs in batches.
  static let batches = """
    ALTER TABLE rivulet.migration_statement
      ADD COLUMN last_key text[],
      ADD COLUMN end_key text[],
      ADD COLUMN key_types text[],
      ADD COLUMN batches bigint,
      ADD COLUMN rows_changed bigint,
      ADD COLUMN rows_read bigint,
      ADD COLUMN rows_total bigint;
    COMMENT ON COLUMN rivulet.migration_statement.last_key IS
      'The key of the last row that is done of a statement that runs in batches; null before the first and when it is through.';
    COMMENT ON COLUMN rivulet.migration_statement.end_key IS
      'The greatest key that the table had when the statement began, where it ends; null when it is through.';
    COMMENT ON COLUMN rivulet.migration_statement.key_types IS
      'The types of both keys, with their collations: in another order they would be other rows.';
    COMMENT ON COLUMN rivulet.migration_statement.rows_read IS
      'How many rows of the table the batches were over.';
    COMMENT ON COLUMN rivulet.migration_statement.rows_total IS
      'How many rows the table had when the statement began, as far as that was known.';

    """
}
