/// The second version of schema `rivulet`: the encoding of each source.
enum CatalogStep2 {
  static let sql = """
    ALTER TABLE rivulet.source_file ADD COLUMN encoding text;
    COMMENT ON COLUMN rivulet.source_file.encoding IS
      'How the text was written: ascii, utf-8, utf-16le, utf-16be, windows-1252 or latin-1.';
    """
}
