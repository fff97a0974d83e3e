/// The tenth version of schema `rivulet`: a refresh that is remembered does not look for its view, which has it cost more
/// than all else that is noted. Whatever removes a view removes them.
enum CatalogStep10 {
  static let sql = """
    ALTER TABLE rivulet.view_refresh DROP CONSTRAINT view_refresh_view_fkey;
    """
}
