/// The ninth version of schema `rivulet`: whether a view is computed with the same as before is told by row versions first.
enum CatalogStep9 {
  static let sql = """
    ALTER TABLE rivulet.view ADD COLUMN versions text;
    COMMENT ON COLUMN rivulet.view.versions IS
      'A digest of the versions of the catalog''s rows that rivulet.view_code reads: while they are the same, so is code.';
    """
}
